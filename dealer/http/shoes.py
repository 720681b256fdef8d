"""Shoes: seals, openings of what was exposed, and the record an auditor checks (fairness 1.6, 1.12)."""

import re
from itertools import islice

import msgspec
from aiohttp import web

from dealer.croupier.order import Unavailable
from dealer.croupier.tables import TableDesk
from dealer.http.answers import answer
from dealer.http.doors import NODE
from dealer.http.keyring import KeyRecord
from dealer.http.limits import PROOFS
from dealer.http.messages import ProofPage, ShoeLine, ShoePage, ShoeRecord
from dealer.http.problems import Problem
from dealer.http.queries import Query, integer, limit, number_of, table_of
from dealer.http.shoeindex import Sealed, ShoeIndex
from dealer.rules.frame.event import Codec
from dealer.rules.frame.events import CardExposed
from shoe.shoe import Shoe

SHOES = web.AppKey("shoes", ShoeIndex)

_POSITIONS = rf"[0-9]{{1,3}}(,[0-9]{{1,3}}){{0,{PROOFS - 1}}}"
BEFORE = Query("before", "Only shoes with a lower shuffle number.", least=1)
POSITIONS = Query(
    "pos", f"Positions in the shoe, at most {PROOFS}, with commas.", pattern=f"^{_POSITIONS}$", wanted=True
)

_positions = re.compile(_POSITIONS).fullmatch
_exposed = Codec((CardExposed,)).decode
_MARK = b'"type":"card.exposed"'


async def listed(request: web.Request, _: KeyRecord) -> web.Response:
    """Shoes of a table, the latest first."""
    before, most = integer(request, BEFORE, 0), limit(request)
    desk = await table_of(request, request.app[NODE])
    every = await request.app[SHOES].shoes(desk.aggregate)
    chosen = (every[n] for n in reversed(every) if not before or n < before)
    found = list(islice(chosen, most + 1))
    following = found[most - 1].shuffle if len(found) > most else msgspec.UNSET
    return answer(ShoePage(next=following, shoes=[_line(sealed) for sealed in found[:most]]))


def _line(sealed: Sealed) -> ShoeLine:
    return ShoeLine(
        revealed=bool(sealed.seed),
        sealed_at=sealed.at,
        seq=sealed.first,
        shoe_root=sealed.root,
        shuffle=sealed.shuffle,
    )


async def show(request: web.Request, _: KeyRecord) -> web.Response:
    """The record of a shoe, as `croupier verify` reads it; without the seed while it is on the table."""
    desk, sealed = await _find(request)
    shoe = _open(desk, sealed)
    exposed = await _positions_exposed(request, desk, sealed)
    record = ShoeRecord(
        exposed=[shoe.opening(pos, with_path=True) for pos in exposed],
        faces=sealed.faces or msgspec.UNSET,
        seed=sealed.seed or msgspec.UNSET,
        shoe_root=sealed.root,
        transcript=sealed.transcript,
        transcript_hash=sealed.transcript.hash(),
    )
    return answer(record)


async def proofs(request: web.Request, _: KeyRecord) -> web.Response:
    """Openings of some exposed cards. A card that is not exposed is not there, wherever it lies."""
    desk, sealed = await _find(request)
    asked = request.query.get("pos", "")
    if not _positions(asked):
        raise Problem("malformed", {"path": "?pos"})
    wanted = [int(pos) for pos in asked.split(",")]
    if not set(wanted) <= set(await _positions_exposed(request, desk, sealed)):
        raise Problem("not_found")
    shoe = _open(desk, sealed)
    page = ProofPage(
        proofs=[shoe.opening(pos, with_path=True) for pos in wanted],
        shoe_root=sealed.root,
        shuffle=sealed.shuffle,
        size=shoe.deck.size,
    )
    return answer(page)


async def _find(request: web.Request) -> tuple[TableDesk, Sealed]:
    """The shoe an address names. The desk is asked first: what it has not seen revealed, it can open."""
    number = number_of(request, "shuffle", "no_such_shoe")
    desk = await table_of(request, request.app[NODE])
    sealed = (await request.app[SHOES].shoes(desk.aggregate)).get(number)
    if sealed is None:
        raise Problem("no_such_shoe")
    return desk, sealed


def _open(desk: TableDesk, sealed: Sealed) -> Shoe:
    """The shoe itself: from the public seed, or while it is on the table from the sealed one."""
    if sealed.seed:
        return Shoe(sealed.transcript, bytes.fromhex(sealed.seed), sealed.faces or None)
    try:
        return desk.chance.shoe(sealed.transcript)
    except KeyError:  # sealed by another node a moment ago, and this one has not read on
        raise Unavailable from None


async def _positions_exposed(request: web.Request, desk: TableDesk, sealed: Sealed) -> list[int]:
    """The positions of a shoe that lie face up in the log, in the order in which they were turned."""
    most = sealed.last - sealed.first + 1 if sealed.seed else None
    stored = await request.app[NODE].journal.read(desk.aggregate, sealed.first - 1, most)
    turned = (_exposed(raw).data for raw in stored if _MARK in raw)
    return [data.pos for data in turned if data.shuffle == sealed.shuffle]
