"""Long logs, and logs that somebody has spoilt, made behind the nodes' backs."""

from collections.abc import Callable, Sequence
from typing import Any

from dealer.journal import Entry, Extras
from dealer.journal.keys import keys_of
from dealer.journal.limits import APPEND_EVENTS
from dealer.rules.frame.event import Data, Event, encode
from dealer.rules.frame.events import SeatWilling
from tests.croupier.world import SERVICE, World, fresh


async def append(world: World, aggregate: str, datas: Sequence[Data]) -> None:
    """Append events as another node would, whatever they say."""
    last = await world.plain.last(aggregate)
    at = world.plain.now()
    for start in range(0, len(datas), APPEND_EVENTS):
        stored = [
            encode(Event("croupier", at, d, f"{SERVICE}/{aggregate}", 0, seq, d.TYPE, d.V))
            for seq, d in enumerate(datas[start : start + APPEND_EVENTS], last + 1)
        ]
        entry = Entry("another", fresh("k"), "", b"", tuple(stored))
        await world.plain.append(aggregate, last, [entry], Extras())
        last += len(stored)


async def lengthen(world: World, table_id: str, seat: int, count: int) -> None:
    """So many events more, of a seat that cannot make up its mind whether it cuts."""
    word = [SeatWilling(seat=seat, source="player", willing=n % 2 == 0) for n in range(count)]
    await append(world, f"t/{table_id}", word)


async def spoil(world: World, aggregate: str, change: Callable[[list[Any]], None]) -> None:
    """Write a stream again under the same ids; `change` gets the id and the fields of each entry first."""
    stream = keys_of(aggregate).stream
    entries: Any = [(name, dict(fields)) for name, fields in await world.redis.xrange(stream)]
    change(entries)
    await world.redis.delete(stream)
    for name, fields in entries:
        await world.redis.xadd(stream, fields, id=name)
