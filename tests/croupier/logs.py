"""Long logs, their snapshots, and what somebody has spoilt of both behind the nodes' backs."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from structlog.typing import EventDict

from dealer.croupier.node import Node
from dealer.croupier.snapshots import EVERY
from dealer.journal import Entry, Extras
from dealer.journal.keys import keys_of
from dealer.journal.limits import APPEND_EVENTS
from dealer.rules.frame.commands import Pause, Resume
from dealer.rules.frame.event import Data, Event, encode
from dealer.rules.frame.events import SeatWilling
from tests.croupier.world import SERVICE, World, act, fresh

PAUSED = (Pause(), Resume())
"""A host's commands that make one event each and together change nothing in play."""


async def append(world: World, aggregate: str, datas: Sequence[Data]) -> None:
    """Append events as another node would, whatever they say."""
    last = await world.plain.last(aggregate)
    (latest,) = await world.plain.read(aggregate, last - 1)
    at = max(world.plain.now(), msgspec.json.decode(latest)["at"])  # each node's clock is its own
    for start in range(0, len(datas), APPEND_EVENTS):
        stored = [
            encode(Event("croupier", at, d, f"{SERVICE}/{aggregate}", 0, seq, d.TYPE, d.V))
            for seq, d in enumerate(datas[start : start + APPEND_EVENTS], last + 1)
        ]
        entry = Entry("another", fresh("k"), "", b"", tuple(stored))
        await world.plain.append(aggregate, last, [entry], Extras())
        last += len(stored)


async def lengthen(world: World, table_id: str, seat: int, count: int) -> None:
    """So many events more, of a seat that cannot make up its mind whether it cuts, and at last does not."""
    word = [SeatWilling(seat=seat, source="player", willing=n % 2 == count % 2) for n in range(count)]
    await append(world, f"t/{table_id}", word)


async def spoil(world: World, aggregate: str, change: Callable[[list[Any]], None]) -> None:
    """Write a stream again under the same ids; `change` gets the id and the fields of each entry first."""
    stream = keys_of(aggregate).stream
    stored: Any = await world.redis.xrange(stream)
    entries = [(name, dict(fields)) for name, fields in stored]
    change(entries)
    await world.redis.delete(stream)
    for name, fields in entries:
        await world.redis.xadd(stream, fields, id=name)


async def seated_table(world: World, node: Node) -> tuple[str, str]:
    """A table with a player at seat 1."""
    table = await world.table(node)
    return table, await world.seated(node, table, 1)


async def kept_of(world: World, table: str) -> list[Any]:
    """What a snapshot holds: schema, range (size, nodes, tip), state."""
    blob = await world.plain.snapshot(f"t/{table}")
    assert blob is not None
    assert sha256(blob[32:]).digest() == blob[:32]
    kept: list[Any] = msgspec.msgpack.decode(blob[32:])
    return kept


async def put(world: World, table: str, kept: list[Any]) -> None:
    """Put other contents into a snapshot, as if they had been kept so."""
    body = msgspec.msgpack.encode(kept)
    await world.redis.hset(keys_of(f"t/{table}").snapshot, "blob", sha256(body).digest() + body)


async def kept_table(world: World, node: Node, events: int = EVERY + 10) -> tuple[str, str]:
    """A table with so many events, and a snapshot of all of them."""
    table, account = await seated_table(world, node)
    await act(node, table, PAUSED[0])
    await lengthen(world, table, 1, events - 1)
    await act(node, table, PAUSED[1])
    await (await node.table(table)).rest()
    assert (await kept_of(world, table))[1][0] == await world.plain.last(f"t/{table}") + 1
    return table, account


def told(logs: list[EventDict], event: str) -> list[str]:
    """The reasons in all lines of one kind."""
    return [str(line["reason"]) for line in logs if line["event"] == event]
