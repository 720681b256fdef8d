"""Following a log: three answers, nothing missed, nothing twice, whichever node appends (design 5)."""

import asyncio
import signal
from collections.abc import Sequence
from itertools import count

import pytest
from structlog.typing import EventDict

from dealer.croupier import feeds
from dealer.croupier.follow import BEHIND, Tail
from dealer.croupier.node import Node
from dealer.croupier.order import Unavailable
from dealer.journal import Entry, Journal
from dealer.journal.keys import partition, partition_keys
from dealer.rules.frame.commands import Leave, Sit
from dealer.rules.frame.event import Event
from tests.croupier.spy import Spy, until
from tests.croupier.world import World, act, spy
from tests.journal.makers import NONE, TABLE

LOG = TABLE


def _frame(seq: int, stored: bytes) -> bytes:
    return b"%d:%b" % (seq, stored)


def _events(first: int, last: int) -> list[bytes]:
    return [b"event %d" % n for n in range(first, last + 1)]


def _frames(first: int, last: int) -> list[bytes]:
    return [_frame(n, b"event %d" % n) for n in range(first, last + 1)]


async def _append(journal: Journal, first: int, last: int) -> None:
    """Write events with these numbers."""
    for start in range(first, last + 1, 500):
        made = tuple(_events(start, min(last, start + 499)))
        await journal.append(LOG, start - 1, [Entry("acc_1", f"k{start}", "h", b"{}", made)], NONE)


@pytest.fixture(autouse=True)
def short_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watch that is no longer wanted is over soon."""
    monkeypatch.setattr(feeds, "BLOCK_MS", 200)


class Ear:
    """Hears a table at a node, and keeps it."""

    def __init__(self, node: Node, table: str) -> None:
        self.heard: list[tuple[int, bytes]] = []
        self.end = node.listen(f"t/{table}", self._hear)

    def _hear(self, aggregate: str, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        self.heard += zip([event.seq for event in events], stored, strict=True)


async def _told(world: World, table: str, first: int) -> list[tuple[int, bytes]]:
    """What a listener has heard who hears all from an event on."""
    stored = await world.plain.read(f"t/{table}", first - 1)
    return list(enumerate(stored, first))


async def _pair(world: World) -> tuple[Node, Node, str]:
    """Two nodes that know a table, and nothing goes on."""
    here, there = [await world.node(watch=False) for _ in range(2)]
    table = await world.table(there)
    await here.table(table)
    return here, there, table


async def _watch_over(node: Node) -> None:
    """Wait until nothing is watched any more."""
    await until(lambda: not node._feeds._watching)


async def test_three_answers(world: World) -> None:
    """Design 5: `since` answers nothing, a list, or resync; beyond the end it is resync too."""
    await _append(world.plain, 0, 9)
    tail = Tail(world.plain, LOG, 9, _frame)
    assert tail.since(9) == []
    assert tail.since(8) is None, "what was not reached back to is not at hand"
    assert tail.since(10) is None
    await tail.reach_back(3)
    assert tail.since(3) == _frames(4, 9)
    assert tail.since(2) is None
    assert tail.add(_events(10, 11)) == _frames(10, 11)
    assert tail.since(8) == _frames(9, 11)
    assert tail.since(11) == []
    await tail.reach_back(-1)
    assert tail.since(-1) == _frames(0, 11)


async def test_further_behind_than_a_thousand(world: World) -> None:
    """Design 5: who is more than 1,000 behind is told to resync; no more than that is ever kept."""
    await _append(world.plain, 0, 1_499)
    tail = Tail(world.plain, LOG, 1_499, _frame)
    await tail.reach_back(498)
    assert tail.since(498) is None
    await tail.reach_back(499)
    assert tail.since(499) == _frames(500, 1_499)
    tail.add(_events(1_500, 1_500))
    assert tail.since(499) is None
    assert tail.since(500) == _frames(501, 1_500)
    tail.add(_events(1_501, 4_000))
    assert len(tail._frames) == BEHIND
    assert tail.since(3_000) == _frames(3_001, 4_000)


async def test_older_and_newer_events_meet(world: World) -> None:
    """Nothing is missed or doubled if events are told, or asked for, while older ones are read."""
    await _append(world.plain, 0, 99)
    async with world.server.client() as client:
        journal = Spy(client)
        await journal.open()
        tail = Tail(journal, LOG, 99, _frame)

        async def told() -> None:
            tail.add(_events(tail.last + 1, tail.last + 10))

        for after, nearer, further, last in ((False, 80, 60, 109), (True, 40, 30, 119)):
            journal.at_call(1, after=after, fate=told)
            await asyncio.gather(*(tail.reach_back(seq) for seq in (nearer, further, nearer)))
            assert tail.since(further) == _frames(further + 1, last)

        async def flooded() -> None:
            tail.add(_events(tail.last + 1, tail.last + BEHIND))

        journal.at_call(1, after=True, fate=flooded)
        await tail.reach_back(9)
        assert all(tail.since(seq) is None for seq in range(9, 119))
        assert tail.since(119) == _frames(120, 1_119)
        await journal.close()


async def test_other_nodes_are_heard(world: World) -> None:
    """Design 5: a listener hears what another node appends, in order and once, without asking."""
    here, there, table = await _pair(world)
    first = (await here.table(table)).state.seq + 1
    ear = Ear(here, table)
    for seat in range(1, 6):
        await act(here if seat % 3 == 0 else there, table, Sit(seat=seat), f"acc_{seat}")
    await until(lambda: len(ear.heard) == 5)
    assert ear.heard == await _told(world, table, first)
    ear.end()
    await act(there, table, Leave(), "acc_1")
    await _watch_over(here)
    assert len(ear.heard) == 5
    assert f"t/{table}" not in here._listeners


async def test_own_appends_are_not_read_back(world: World) -> None:
    """Design 5: the appending node tells its own listeners at once; its feed costs it no reading."""
    here, _, table = await _pair(world)
    ear = Ear(here, table)
    await until(lambda: bool(spy(here)._feeds))  # what the watch begins with is over then
    await act(here, table, Sit(seat=1), "acc_1")
    assert len(ear.heard) == 1
    spy(here).fail_at(999, after=False)  # it never comes to that; from here on calls are counted
    for seat in (2, 3, 4, 5):
        await act(here, table, Sit(seat=seat), f"acc_{seat}")
        await asyncio.sleep(0.02)
    assert len(ear.heard) == 5
    assert spy(here).calls == 4, "four appends and no read"
    ear.end()
    await _watch_over(here)


async def test_one_read_a_partition(world: World) -> None:
    """Design 5: all listeners of a partition share one blocking read, on a connection of its own."""
    here, there, table = await _pair(world)
    number = partition(f"t/{table}")
    ears = [Ear(here, table) for _ in range(3)]
    watch = here._feeds._watching[number]
    assert list(here._feeds._watching) == [number]
    await act(there, table, Sit(seat=1), "acc_1")
    await until(lambda: all(len(ear.heard) == 1 for ear in ears))
    for ear in ears:
        ear.end()
    late = Ear(here, table)
    assert here._feeds._watching[number] is watch, "whoever comes back finds it going on"
    await act(there, table, Sit(seat=2), "acc_2")
    await until(lambda: len(late.heard) == 1)
    late.end()
    await _watch_over(here)


async def test_news_that_came_before_the_listener(world: World) -> None:
    """What another node appends before somebody listens here, but after this node looked, is told to him."""
    here, there, table = await _pair(world)
    await act(there, table, Sit(seat=1), "acc_1")
    first = Ear(here, table)
    await until(lambda: len(first.heard) == 1)
    # The watch goes on; what it passes over while nobody listens must not be lost.
    first.end()
    await act(there, table, Sit(seat=2), "acc_2")
    second = Ear(here, table)
    await until(lambda: [seq for seq, _ in second.heard] == [first.heard[0][0] + 1])
    second.end()
    await _watch_over(here)


async def test_store_away_while_listening(world: World) -> None:
    """Design 5: a listener waits out an outage and then hears everything, without a gap."""
    here, there, table = await _pair(world)
    start = (await here.table(table)).state.seq + 1
    ear = Ear(here, table)
    await act(there, table, Sit(seat=1), "acc_1")
    await until(lambda: len(ear.heard) == 1)
    world.server.kill()
    await asyncio.sleep(0.1)
    world.server.start()
    for seat in range(2, 6):
        await act(there, table, Sit(seat=seat), f"acc_{seat}")
    await until(lambda: len(ear.heard) == 5)
    assert ear.heard == await _told(world, table, start)
    ear.end()
    await _watch_over(here)


async def test_feed_that_cannot_be_read(
    world: World, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """After a feed could not be read, what is followed is read from the log, until that succeeds."""
    monkeypatch.setattr(feeds, "PAUSE_S", 0.3)
    here, there, table = await _pair(world)
    ear = Ear(here, table)
    await act(there, table, Sit(seat=1), "acc_1")
    await until(lambda: len(ear.heard) == 1)
    feed = partition_keys(partition(f"t/{table}")).feed
    await world.redis.rename(feed, "aside")
    await world.redis.set(feed, "no stream")
    await until(lambda: "feed_not_read" in [line["event"] for line in logs])
    await world.redis.rename("aside", feed)
    spy(here).fail_at(1, after=False)
    await act(there, table, Sit(seat=2), "acc_2")
    await until(lambda: len(ear.heard) == 2)
    ear.end()
    await _watch_over(here)


async def test_full_page_of_a_feed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed forgets what is old: a node far behind in it looks at every log that it follows."""
    monkeypatch.setattr(feeds, "ITEMS", 1)
    here, there, table = await _pair(world)
    woken: list[tuple[str, int]] = []

    async def wake(aggregate: str, last: int) -> None:
        woken.append((aggregate, last))

    watch = feeds.Feeds(spy(here), wake)
    number = partition(f"t/{table}")
    other = next(name for n in count() if partition(name := f"t/tbl_{n}") == number)
    for name in (f"t/{table}", other):
        watch.follow(name)
    await until(lambda: len(woken) == 3)  # the second came when the watch was there: it is looked at twice
    await until(lambda: number in spy(here)._feeds)
    woken.clear()
    await act(there, table, Sit(seat=1), "acc_1")
    last = (await there.table(table)).state.seq
    await until(lambda: woken)
    assert sorted(woken) == sorted([(f"t/{table}", last), (other, -1)])
    await watch.stop()


async def test_a_log_that_is_none_stops_no_watch(world: World, logs: list[EventDict]) -> None:
    """A log that cannot be taken in is told of; the others in its partition are heard all the same."""
    here, there, table = await _pair(world)
    number = partition(f"t/{table}")
    nobody = next(name for n in count() if partition(name := f"t/tbl_{n}") == number)
    end = here.listen(nobody, lambda *_: None)
    ear = Ear(here, table)
    await act(there, table, Sit(seat=1), "acc_1")
    await until(lambda: len(ear.heard) == 1)
    assert ("not_woken", nobody) in [(line["event"], line.get("aggregate")) for line in logs]
    end()
    ear.end()
    await _watch_over(here)


async def test_a_node_stops_while_it_waits_for_news(world: World) -> None:
    """A blocking read holds up nobody: the node stops at once, its journal when the read ends."""
    here, _, table = await _pair(world)
    ear = Ear(here, table)
    await until(lambda: bool(spy(here)._feeds))
    async with asyncio.timeout(10):
        await here.close()
        await spy(here).close()
    assert not here._feeds._watching
    assert ear.heard == []


async def test_listening_to_the_cage(world: World) -> None:
    """The book can be followed like a table."""
    here, there = [await world.node(watch=False) for _ in range(2)]
    heard: list[int] = []
    await world.account(here)
    end = here.listen(here.cage.aggregate, lambda _, events, __: heard.extend(e.seq for e in events))
    await world.account(there)
    await until(lambda: len(heard) == 2)
    assert heard == [2, 3]
    end()
    await _watch_over(here)


async def test_a_hanging_store_does_not_keep_a_node(world: World) -> None:
    """A node whose store hangs stops all the same."""
    here, _, table = await _pair(world)
    Ear(here, table)
    await until(lambda: bool(spy(here)._feeds))
    world.server.signal(signal.SIGSTOP)
    try:
        async with asyncio.timeout(10):
            await here.close()
    finally:
        world.server.signal(signal.SIGCONT)


async def test_leaving_while_the_store_is_away(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waking that does not succeed is tried again while somebody listens, and no longer."""
    monkeypatch.setattr(feeds, "PAUSE_S", 0.01)
    here, _, table = await _pair(world)
    tried: list[str] = []

    async def wake(aggregate: str, last: int) -> None:
        tried.append(aggregate)
        raise Unavailable

    watch = feeds.Feeds(spy(here), wake)
    ends = [watch.follow(f"t/{table}") for _ in range(2)]
    await until(lambda: len(tried) > 4)
    assert watch._waking
    for end in ends:
        end()
    await until(lambda: not watch._waking and not watch._watching)
