"""Following a table live: nothing missed, nothing twice, whatever happens (design 5, 8)."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector
from multidict import CIMultiDict

from dealer.croupier.follow import BEHIND
from dealer.croupier.node import Node
from dealer.journal import Journal
from dealer.rules.frame.commands import Sit
from shoe.seal import Vault, key_id
from tests.croupier.spy import until
from tests.croupier.world import order
from tests.http.conftest import SEAL_KEY
from tests.http.house import House
from tests.http.listener import MEDIA, Listener, coming_and_going, follower, freed, log_of
from tests.journal.server import Server


async def test_live(house: House) -> None:
    """Design 8: a stream without a beginning begins with the next event, and each is its stored bytes."""
    table = await house.table()
    last = (await house.host.seen(table))["seq"]
    async with follower(house, table) as listener:
        await listener.at(last)
        assert listener.raw.startswith(b"retry: 2000\n\n")
        assert listener.events == []
        await house.seated(table, 1)
        await until(lambda: len(listener.events) >= 3)
        first = listener.events[0][0]
        assert first == last + 1
        log = await log_of(house, table)
        assert listener.events == log[first : first + len(listener.events)]
        assert listener._response is not None
        headers = listener._response.headers
        assert (headers["Cache-Control"], headers["X-Content-Type-Options"]) == ("no-store", "nosniff")
    await freed(house)


async def test_resume(house: House) -> None:
    """Models 2: whoever comes back is sent what he missed, then told where he is; the header goes first."""
    table = await house.table()
    await coming_and_going(house.node, table, 20)
    log = await log_of(house, table)
    last = len(log) - 1
    for query, resumed, first in (
        ("?after=9", None, 10),
        ("", 30, 31),
        ("?after=9", 30, 31),
        ("", last, last + 1),
    ):
        async with follower(house, table, query=query, last=resumed) as listener:
            await listener.at(last)
            assert listener.events == log[first:]
            assert [frame.name for frame in listener.frames][-1] == "sync"
            assert listener.frames[-1].id == str(last)
            await coming_and_going(house.node, table, 1)
            log = await log_of(house, table)
            last = len(log) - 1
            await listener.hears(last)
            assert listener.events == log[first:]
    await freed(house)


async def test_from_the_beginning(house: House) -> None:
    """Design 5: a log of less than a thousand events can be had as a whole."""
    table = await house.table()
    async with follower(house, table, query="?after=-1") as listener:
        await listener.at()
        assert listener.events == await log_of(house, table)


async def test_resync(house: House) -> None:
    """Design 5: more than 1,000 behind, or beyond the end, it is resync: read pages up to N."""
    table = await house.table()
    await coming_and_going(house.node, table, 510)
    log = await log_of(house, table)
    last = len(log) - 1
    assert last > BEHIND
    for after in (-1, last - BEHIND - 1, last + 1, 10**15 - 1):
        async with follower(house, table, query=f"?after={after}") as listener:
            await listener.at(last)
            assert [(frame.name, frame.id, frame.told) for frame in listener.frames] == [
                ("resync", str(last), {"seq": last}),
                ("sync", str(last), {"seq": last}),
            ]
    async with follower(house, table, query=f"?after={last - BEHIND}") as listener:
        await listener.at(last)
        assert listener.events == log[-BEHIND:]
    await freed(house)


async def test_joining_while_events_are_appended(house: House) -> None:
    """Design 5: no gap, no repetition, in order, however backlog and appends meet."""
    table = await house.table()
    await coming_and_going(house.node, table, 100)

    async def follow(number: int) -> None:
        await asyncio.sleep(number * 0.002)
        async with follower(house, table, query=f"?after={number * 7}") as listener:
            await busy
            log = await log_of(house, table)
            await listener.hears(len(log) - 1)
            assert listener.events == log[number * 7 + 1 :]

    busy = asyncio.gather(*(coming_and_going(house.node, table, 60, seat) for seat in (1, 2, 3, 4, 5)))
    await asyncio.gather(*(follow(number) for number in range(25)))
    await freed(house)


async def test_three_hundred_listeners(house: House) -> None:
    """Design 9: everybody gets everything; each event is made once for all."""
    table = await house.table()
    url, path = house.session._base_url, f"{table}/events"
    async with ClientSession(url, connector=TCPConnector(limit=0)) as session, AsyncExitStack() as present:
        listeners = [
            await present.enter_async_context(Listener(session, house.auditor._token, path))
            for _ in range(300)
        ]
        last = {await listener.at() for listener in listeners}.pop()
        await coming_and_going(house.node, table, 30)
        for listener in listeners:
            await listener.hears(last + 60)
        log = await log_of(house, table)
        assert all(listener.events == log[last + 1 :] for listener in listeners)
        assert len({listener.raw for listener in listeners}) == 1
    await freed(house)


async def test_another_node(house: House, server: Server) -> None:
    """Design 5: a listener hears what another node appends, and a hand that follows from it."""
    table = await house.table()
    players = {seat: await house.seated(table, seat) for seat in (1, 11)}
    async with follower(house, table, players[1]) as listener:
        await listener.at()
        async with server.client() as client:
            journal = Journal(client)
            await journal.open()
            other = Node(journal, "casa", Vault({key_id(SEAL_KEY): SEAL_KEY}, key_id(SEAL_KEY)))
            name = table.rpartition("/")[2]
            answer = await other.command(name, order(other, Sit(seat=5), "acc_5"))
            assert answer.accepted
            await until(lambda: listener.events and listener.events[-1][0] >= answer.last)
            await other.close()
            await journal.close()
        first = listener.events[0][0]
        log = await log_of(house, table)
        assert listener.events == log[first : first + len(listener.events)]
    await freed(house)


async def test_store_away(house: House, server: Server) -> None:
    """Design 5: while the store is away a stream stays; it goes on without a gap."""
    table = await house.table()
    async with follower(house, table) as listener:
        await listener.at()
        first = listener.synced + 1
        await coming_and_going(house.node, table, 2)
        server.kill()
        await asyncio.sleep(0.2)
        server.start()
        await coming_and_going(house.node, table, 2)
        await until(lambda: len(listener.events) == 8)
        assert listener.events == (await log_of(house, table))[first:]
        assert not listener.over
    await freed(house)


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        ("/v1/tables/none/events", {}, 404, "no_such_table"),
        ("/v1/tables/NONE/events", {}, 404, "no_such_table"),
        ("{table}/events?after=x", {}, 422, "malformed"),
        ("{table}/events?after=-2", {}, 422, "malformed"),
        ("{table}/events?limit=0", {}, 422, "malformed"),
        ("{table}/events", {"Last-Event-ID": "x"}, 422, "malformed"),
        ("{table}/events", {"Last-Event-ID": "-1"}, 422, "malformed"),
        ("{table}/events", {"Last-Event-ID": "9" * 16}, 422, "malformed"),
        ("{table}/events", [("Last-Event-ID", "1"), ("Last-Event-ID", "2")], 422, "malformed"),
        ("{table}/events", [("Last-Event-ID", "1"), ("Last-Event-ID", "")], 422, "malformed"),
        ("{table}/events", {"Authorization": "Bearer x"}, 401, "unauthorized"),
    ],
)
async def test_problems(house: House, path: str, headers: Any, status: int, code: str) -> None:
    """Design 8: what cannot be followed is a problem like any other, before anything is streamed."""
    path = path.format(table=await house.table())
    sent = CIMultiDict({"Accept": MEDIA})
    sent.extend(headers)
    given, problem = await house.auditor.send("GET", path, headers=sent)
    assert (given, problem["code"]) == (status, code)
    await freed(house)


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "text/event-streams", "text/html;q=0.9"])
async def test_pages_for_all_others(house: House, accept: str) -> None:
    """Design 8: only who asks for a stream gets one."""
    table = await house.table()
    status, page = await house.auditor.send("GET", f"{table}/events", headers={"Accept": accept})
    assert (status, page["next"]) == (200, len(page["events"]) - 1)
