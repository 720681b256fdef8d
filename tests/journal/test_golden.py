"""What is stored, to the byte: names, ids and records cannot change once a table was played (section 4)."""

import json
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from dealer.journal import Appended, Entry, Extras, Journal
from dealer.journal.keys import PARTITIONS, keys_of, partition, partition_keys

GOLDEN: dict[str, Any] = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
NAMES: dict[str, str] = GOLDEN["names"]
AGGREGATE = NAMES["aggregate"]
ACCEPTED, REFUSED = b'{"code":"accepted"}', b'{"code":"not_your_turn"}'


def test_partitions_are_fixed() -> None:
    """16, by SHA-256 of the id; moving a table would lose it."""
    assert PARTITIONS == 16
    assert {aggregate: partition(aggregate) for aggregate in GOLDEN["partitions"]} == GOLDEN["partitions"]


def test_names_are_fixed_and_share_the_tag() -> None:
    """Every key of a table, shared ones included, has the tag of its partition."""
    keys = keys_of(AGGREGATE)
    own = {name: getattr(keys, name) for name in ("aggregate", "stream", "secrets", "people", "rounds")}
    shared = {name: getattr(keys.shared, name) for name in keys.shared.__struct_fields__}
    assert own | shared == NAMES
    assert keys.shared == partition_keys(partition(AGGREGATE))
    assert all(name.startswith(f"{keys.tag}:") for name in (*keys.told, *keys.timed, *keys.beside))


@pytest.mark.parametrize("record", GOLDEN["records"])
def test_names_of_records_are_fixed(record: dict[str, str]) -> None:
    """A key used yesterday must be met by today's release."""
    assert keys_of(AGGREGATE).record(record["principal"], record["key"]) == record["name"]


def test_no_two_scopes_share_a_record() -> None:
    """However principal and key are cut, another cut is another record."""
    keys = keys_of(AGGREGATE)
    text = "1:a,2:b"
    names = {keys.record(text[:i], text[i:]) for i in range(len(text) + 1)}
    assert len(names) == len(text) + 1


async def test_everything_an_append_stores(journal: Journal, redis: Redis) -> None:
    """The stored form of one append with all there is, key by key; nothing else is stored."""
    stored = GOLDEN["stored"]
    created, opened = ([event.encode() for event in fields[1::2]] for _, fields in stored["entries"])
    batch = [
        Entry("acc_1", "a", "h1", ACCEPTED, tuple(created)),
        Entry("acc_1", "b", "h2", REFUSED, ()),
        Entry("acc_1", "c", "h3", ACCEPTED, tuple(opened)),
    ]
    extras = Extras(
        deadline=1790000020000,
        secrets={"seed:1": b"sealed", "seed:0": None},
        people={"pid_1": "acc_1"},
        rounds={1: 2},
        listed=True,
        opened=1790000000000,
    )
    assert await journal.append(AGGREGATE, -1, batch, extras) == Appended(0, 2)

    entries: Any = await redis.xrange(NAMES["stream"])
    assert [[name.decode(), _flat(fields)] for name, fields in entries] == stored["entries"]
    for key, record in stored["records"].items():
        assert await redis.get(keys_of(AGGREGATE).record("acc_1", key)) == bytes.fromhex(record)
    feed: Any = await redis.xrange(NAMES["feed"])
    assert [_flat(item) for _, item in feed] == [stored["feed"]]
    for name in ("due", "openings", "index", "rounds"):
        scores: Any = await redis.zrange(NAMES[name], 0, -1, withscores=True)
        assert {member.decode(): int(score) for member, score in scores} == stored[name]
    assert await _texts(redis, "people") == stored["people"]
    assert await _texts(redis, "secrets") == stored["secrets"]
    assert await redis.exists(NAMES["pulse"]) == 1
    assert await redis.dbsize() == 9 + len(stored["records"])


def _flat(fields: dict[bytes, bytes]) -> list[str]:
    return [part.decode() for pair in fields.items() for part in pair]


async def _texts(redis: Redis, name: str) -> dict[str, str]:
    stored: Any = await redis.hgetall(NAMES[name])
    return {field.decode(): value.decode() for field, value in stored.items()}
