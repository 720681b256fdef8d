"""Tables: open one, list them, look at one, act at one, read its log."""

import asyncio
from itertools import islice

import msgspec
from aiohttp import web

from dealer.croupier.node import Node, created_id
from dealer.croupier.order import Order
from dealer.http.accounts import account_exists, spendable
from dealer.http.answers import answer, done
from dealer.http.bodies import idempotency_key, read
from dealer.http.doors import DURABILITY, NODE, SANDBOX
from dealer.http.keyring import KeyRecord
from dealer.http.limits import ID, MOST_TABLES
from dealer.http.messages import (
    Accepted,
    AnyCommand,
    NewTable,
    OptionPage,
    TableLine,
    TableMade,
    TablePage,
)
from dealer.http.problems import Problem
from dealer.http.queries import Query, identifier, integer, limit, table_id, table_of
from dealer.http.seats import check
from dealer.http.streams import STREAMS_KEY, wanted
from dealer.http.taken import taken
from dealer.rules.frame.chips import HOUSE
from dealer.rules.frame.commands import Command, Join, OpenTable, Sit
from dealer.table import hosting
from dealer.table.authority import Role
from dealer.table.view import hand, options, view, within

AFTER_TABLE = Query("after", "The last table already seen.", pattern=ID)
TABLES = Query("limit", "How many at most.", least=1, most=MOST_TABLES)
AFTER_EVENT = Query("after", "The last event already seen, -1 for none.", least=-1)
SEAT = Query("seat", "Whose moves; one's own if left out.", least=1, most=9999)

_new_table = msgspec.json.Decoder(NewTable)
_command: msgspec.json.Decoder[Command] = msgspec.json.Decoder(AnyCommand)


async def create(request: web.Request, key: KeyRecord) -> web.Response:
    """Open a table. The id follows from key and idempotency key, so a repetition meets the first."""
    node, idem = request.app[NODE], idempotency_key(request)
    wanted, digest = await read(request, _new_table)
    if wanted.stacked and not request.app[SANDBOX]:
        raise Problem("sandbox_only")
    table = created_id("tbl", key.principal, idem)
    opening = OpenTable(wanted.game, wanted.profile, wanted.mode, wanted.options, (), wanted.stacked)
    given = await node.create_table(
        Order(key.principal, idem, digest, opening, "host", node.journal.now()), table
    )
    if not given.accepted:
        raise Problem.of(given)
    return done(TableMade(code="accepted", first=given.first, last=given.last, table=table), idem, 201)


async def command(request: web.Request, key: KeyRecord) -> web.StreamResponse:
    """Act at a table."""
    node, idem, table = request.app[NODE], idempotency_key(request), table_id(request)
    message, digest = await read(request, _command)
    check(message, host=key.role == "host")
    account = ""
    if type(message) is Sit or type(message) is Join:
        account = await _person(node, key, message)
    role: Role = "host" if key.role == "host" else "player"
    given = await node.command(
        table, Order(key.principal, idem, digest, message, role, node.journal.now(), account)
    )
    if not given.accepted:
        raise Problem.of(given)
    return taken(request, Accepted(code="accepted", first=given.first, last=given.last), idem)


async def _person(node: Node, key: KeyRecord, message: Sit | Join) -> str:
    """The account a host's `sit` or `join` is for; a player is there for nobody else."""
    named = message.account
    if key.role == "player":
        if named not in {msgspec.UNSET, key.account}:
            raise Problem("forbidden")
        return ""
    if not isinstance(named, str):
        raise Problem("malformed", {"path": "$.account"})
    if not await account_exists(node, named):
        raise Problem("no_such_account")
    return named


async def listed(request: web.Request, _: KeyRecord) -> web.Response:
    """Tables by id."""
    node, after, most = (
        request.app[NODE],
        identifier(request, AFTER_TABLE),
        integer(request, TABLES, MOST_TABLES),
    )
    every = (name.removeprefix("t/") for name in await node.journal.aggregates("t/"))
    found = list(islice((table for table in every if table > after), most + 1))
    lines = await asyncio.gather(*(_line(node, table) for table in found[:most]))
    following = found[most - 1] if len(found) > most else msgspec.UNSET
    return answer(TablePage(next=following, tables=lines))


async def _line(node: Node, table: str) -> TableLine:
    state = (await node.table(table)).state
    return TableLine(
        game=state.game,
        mode=state.mode,
        phase=state.phase,
        profile=state.profile,
        round=state.round,
        seats=len(state.seats),
        seq=state.seq,
        stacked=state.stacked,
        status=state.status,
        table=table,
    )


async def show(request: web.Request, key: KeyRecord) -> web.Response:
    """A table as everybody sees it, and to a player the cards that only this one may see."""
    desk = await table_of(request, request.app[NODE])
    shown = view(desk.game, desk.state)
    shown["durability"] = request.app[DURABILITY]
    if key.role == "player":
        pid = desk.pid_of(key.account)
        seat = desk.state.seat_of(pid)
        own = hand(desk.game, desk.state, desk.chance, seat) if seat else []
        shown["you"] = {"hand": own, "pid": pid, "seat": seat}
    return answer(shown)


async def legal(request: web.Request, key: KeyRecord) -> web.Response:
    """What one may do now: a player, at his seat or without one; a host, for a seat or, without one, himself.

    Each option is a command as it is to be sent. What would tell of a hidden card is for the holder alone
    (design 8).
    """
    node = request.app[NODE]
    desk = await table_of(request, node)
    wanted = integer(request, SEAT, 0)
    table, pid = desk.state, desk.pid_of(key.principal)
    if key.role == "player":
        seat = table.seat_of(pid)
        if wanted not in {0, seat}:
            raise Problem("forbidden")
        found = options(desk.game, table, desk.chance, seat, pid)
    elif wanted:
        seat = wanted
        if seat not in table.seats:
            raise Problem("not_seated", seq=table.seq)
        found = hosting.for_seat(desk.game, table, desk.chance, seat)
    else:
        seat, found = 0, hosting.options(desk.game, table, pid)
    if seat:
        held = table.seats[seat]
        found = within(found, await spendable(node, HOUSE if held.bot else desk.principal_of(held.pid)))
    return answer(OptionPage(options=found, seat=seat, seq=table.seq))


async def events(request: web.Request, key: KeyRecord) -> web.StreamResponse:
    """The log, each event as it is stored: a page of it, or as Server-Sent Events from now on.

    A stream begins after `Last-Event-ID`, or after `after`, or with the next event. Its frames are `event`;
    `sync` when all that was missed has been sent; `resync` when it cannot be sent here and pages must be
    read; and to a player's key `hand`, the cards that only this seat sees.
    """
    node = request.app[NODE]
    after, most = integer(request, AFTER_EVENT, -1), limit(request)
    if wanted(request):
        begin = after if AFTER_EVENT.name in request.query else None
        return await request.app[STREAMS_KEY].follow(request, key, begin)
    desk = await table_of(request, node)
    stored = await node.journal.read(desk.aggregate, after, most) if after < desk.state.seq else []
    return answer({"events": [msgspec.Raw(event) for event in stored], "next": after + len(stored)})
