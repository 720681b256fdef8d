"""Rounds: what happened in each, told from its events alone."""

from bisect import bisect

import msgspec
from aiohttp import web

from dealer.http.answers import answer
from dealer.http.doors import NODE
from dealer.http.keyring import KeyRecord
from dealer.http.messages import RoundLine, RoundPage
from dealer.http.problems import Problem
from dealer.http.queries import Query, integer, limit, number_of, table_of
from dealer.http.shoes import SHOES
from dealer.rules.frame.history import tell

BEFORE = Query("before", "Only rounds that began before this event.", least=1)


async def listed(request: web.Request, _: KeyRecord) -> web.Response:
    """Rounds of a table, the latest first."""
    node, most = request.app[NODE], limit(request)
    before = integer(request, BEFORE, 0)
    desk = await table_of(request, node)
    found = await node.journal.rounds(desk.aggregate, before=before or None, newest=True, limit=most + 1)
    shuffles = await request.app[SHOES].shuffles(desk.aggregate)
    shoes = [each for each in shuffles.values() if each.root]
    sealed = [shoe.first for shoe in shoes]
    lines = []
    for line in found[:most]:
        shoe = shoes[bisect(sealed, line.first) - 1]  # a round is dealt from the last shoe sealed before it
        given = shoe.transcript
        lines.append(
            RoundLine(
                beacon=bool(given.beacon),
                contributors=len(given.contributions),
                first=line.first,
                round=line.number,
                shuffle=shoe.shuffle,
            )
        )
    following = lines[-1].first if len(found) > most else msgspec.UNSET
    return answer(RoundPage(next=following, rounds=lines))


async def show(request: web.Request, _: KeyRecord) -> web.Response:
    """One round; one that still goes on has no end yet."""
    node, number = request.app[NODE], number_of(request, "round", "no_such_round")
    desk = await table_of(request, node)
    first = await node.journal.round_first(desk.aggregate, number)
    if first is None:
        raise Problem("no_such_round")
    following = await node.journal.rounds(desk.aggregate, after=first, limit=1)
    stored = await desk.events(first - 1, following[0].first - first if following else None)
    events = [event for event in stored if event.round == number]
    shoe = (await request.app[SHOES].shuffles(desk.aggregate))[events[0].data.shuffle]
    approvals = [(await desk.events(seq - 1, 1))[0] for seq in desk.state.corrected.get(number, ())]
    return answer(tell(desk.game, desk.state, events, shoe.transcript, approvals))
