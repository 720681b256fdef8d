"""Shoes: seals, openings of what was exposed, and the record an auditor checks (fairness 1.6, 1.12).

A shuffle number that was used for something else, a lot or an attempt that was given up, has its record here
too, in the same form, so that whoever checks all numbers finds none missing (fairness 1.2, 1.7).
"""

import re
from itertools import islice

import msgspec
from aiohttp import web
from msgspec.structs import replace

from dealer.croupier.order import Unavailable
from dealer.croupier.tables import TableDesk
from dealer.http.answers import answer
from dealer.http.doors import NODE
from dealer.http.keyring import KeyRecord
from dealer.http.limits import PROOFS
from dealer.http.messages import ProofPage, ShoeLine, ShoePage, ShoeRecord
from dealer.http.problems import Problem
from dealer.http.queries import Query, integer, limit, number_of, table_of
from dealer.http.shoeindex import ShoeIndex, Shuffle
from dealer.rules.frame.event import Codec
from dealer.rules.frame.events import CardBurned, CardExposed, SeatCommit
from shoe.shoe import Shoe

SHOES = web.AppKey("shoes", ShoeIndex)

_POSITIONS = rf"[0-9]{{1,3}}(,[0-9]{{1,3}}){{0,{PROOFS - 1}}}"
BEFORE = Query("before", "Only those with a lower shuffle number.", least=1)
POSITIONS = Query(
    "pos", f"Positions in the shoe, at most {PROOFS}, with commas.", pattern=f"^{_POSITIONS}$", wanted=True
)

_positions = re.compile(_POSITIONS).fullmatch
_turned = Codec((CardBurned, CardExposed)).decode
_MARKS = tuple(f'"type":"{kind.TYPE}"'.encode() for kind in (CardBurned, CardExposed))


async def listed(request: web.Request, _: KeyRecord) -> web.Response:
    """Every shuffle of a table, the latest first: shoes, attempts that were given up, lots."""
    before, most = integer(request, BEFORE, 0), limit(request)
    desk = await table_of(request, request.app[NODE])
    every = await request.app[SHOES].shuffles(desk.aggregate)
    chosen = (every[n] for n in reversed(every) if not before or n < before)
    found = list(islice(chosen, most + 1))
    following = found[most - 1].shuffle if len(found) > most else msgspec.UNSET
    return answer(ShoePage(next=following, shoes=[_line(shuffle) for shuffle in found[:most]]))


def _line(shuffle: Shuffle) -> ShoeLine:
    return ShoeLine(
        revealed=bool(shuffle.seed),
        sealed_at=shuffle.at if shuffle.root else msgspec.UNSET,
        seq=shuffle.first,
        shoe_root=shuffle.root or msgspec.UNSET,
        shuffle=shuffle.shuffle,
        status=shuffle.status,
    )


async def show(request: web.Request, _: KeyRecord) -> web.Response:
    """The record of a shuffle, as `croupier verify` reads it; without the seed while that is secret."""
    desk, shuffle = await _find(request)
    record = ShoeRecord(
        commits=_commits(shuffle),
        exposed=[],
        faces=shuffle.faces or msgspec.UNSET,
        missing=shuffle.missing if shuffle.status == "aborted" else msgspec.UNSET,
        seed=shuffle.seed or msgspec.UNSET,
        status=shuffle.status,
        transcript=shuffle.transcript,
    )
    if shuffle.status == "cut":  # there is no order yet
        return answer(record)
    shoe = _open(desk, shuffle)
    exposed = await _positions_exposed(request, desk, shuffle)
    record = replace(
        record,
        exposed=[shoe.opening(pos, with_path=True) for pos in exposed],
        shoe_root=shuffle.root or shoe.root,
        transcript_hash=shuffle.transcript.hash(),
    )
    if shuffle.lot is not None:
        drawn = shuffle.lot
        record = replace(record, candidates=drawn.candidates, purpose=drawn.purpose, winner=drawn.winner)
    return answer(record)


def _commits(shuffle: Shuffle) -> tuple[SeatCommit, ...] | msgspec.UnsetType:
    """The commitments of an attempt; those of a shoe stand in its transcript."""
    if shuffle.status not in {"cut", "aborted"}:
        return msgspec.UNSET
    return tuple(SeatCommit(commit, seat) for seat, commit in sorted(shuffle.commits.items()))


async def proofs(request: web.Request, _: KeyRecord) -> web.Response:
    """Openings of some exposed cards. A card that is not exposed is not there, wherever it lies."""
    desk, shuffle = await _find(request)
    asked = request.query.get("pos", "")
    if not _positions(asked):
        raise Problem("malformed", {"path": "?pos"})
    wanted = [int(pos) for pos in asked.split(",")]
    if not set(wanted) <= set(await _positions_exposed(request, desk, shuffle)):
        raise Problem("not_found")
    shoe = _open(desk, shuffle)
    page = ProofPage(
        proofs=[shoe.opening(pos, with_path=True) for pos in wanted],
        shoe_root=shuffle.root or shoe.root,
        shuffle=shuffle.shuffle,
        size=shoe.deck.size,
    )
    return answer(page)


async def _find(request: web.Request) -> tuple[TableDesk, Shuffle]:
    """The shuffle an address names. The desk is asked first: what it has not seen revealed, it can open."""
    number = number_of(request, "shuffle", "no_such_shoe")
    desk = await table_of(request, request.app[NODE])
    shuffle = (await request.app[SHOES].shuffles(desk.aggregate)).get(number)
    if shuffle is None:
        raise Problem("no_such_shoe")
    return desk, shuffle


def _open(desk: TableDesk, shuffle: Shuffle) -> Shoe:
    """The cards themselves: from the public seed, or while they are on the table from the sealed one."""
    if shuffle.seed:
        return Shoe(shuffle.transcript, bytes.fromhex(shuffle.seed), shuffle.faces or None)
    try:
        return desk.chance.shoe(shuffle.transcript)
    except KeyError:  # sealed by another node a moment ago, and this one has not read on
        raise Unavailable from None


async def _positions_exposed(request: web.Request, desk: TableDesk, shuffle: Shuffle) -> list[int]:
    """The positions that lie face up in the log, in the order in which they were turned.

    Of the cards laid aside from a new shoe only the first one is among them (R-105).
    """
    if not shuffle.root:
        return [opening.pos for opening in shuffle.lot.cards] if shuffle.lot else []
    most = shuffle.last - shuffle.first + 1 if shuffle.seed else None
    stored = await request.app[NODE].journal.read(desk.aggregate, shuffle.first - 1, most)
    turned = (_turned(raw).data for raw in stored if any(mark in raw for mark in _MARKS))
    return [data.pos for data in turned if data.nonce and data.shuffle == shuffle.shuffle]
