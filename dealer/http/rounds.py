"""Rounds: what happened in each, told from its events alone."""

import msgspec
from aiohttp import web

from dealer.http.answers import answer
from dealer.http.doors import NODE
from dealer.http.keyring import KeyRecord
from dealer.http.messages import RoundLine, RoundPage, RoundTold
from dealer.http.problems import Problem
from dealer.http.queries import Query, integer, limit, number_of, table_id, table_of
from dealer.rules.frame.events import RoundEnded
from dealer.table.aggregate import codec

BEFORE = Query("before", "Only rounds that began before this event.", least=1)


async def listed(request: web.Request, _: KeyRecord) -> web.Response:
    """Rounds of a table, the latest first."""
    node, most = request.app[NODE], limit(request)
    before = integer(request, BEFORE, 0)
    desk = await table_of(request, node)
    found = await node.journal.rounds(desk.aggregate, before=before or None, newest=True, limit=most + 1)
    lines = [RoundLine(first=line.first, round=line.number) for line in found[:most]]
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
    stored = await node.journal.read(
        desk.aggregate, first - 1, following[0].first - first if following else None
    )
    read = codec(desk.game).decode
    events = [event for event in map(read, stored) if event.round == number]
    ended = [event.at for event in events if type(event.data) is RoundEnded]
    told = RoundTold(
        ended_at=ended[0] if ended else msgspec.UNSET,
        first=first,
        game=desk.state.game,
        last=events[-1].seq,
        profile=desk.state.profile,
        round=number,
        shuffle=events[0].data.shuffle,
        started_at=events[0].at,
        table=table_id(request),
        told=desk.game.history(events),
        version=desk.state.profile_version,
    )
    return answer(told)
