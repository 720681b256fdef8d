"""The marker: a store that lost its data is refused instead of begun anew (platform.md 1.4)."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from ops.valkey.embedded import Embedded
from ops.valkey.marker import identify
from ops.valkey.refused import StoreRefused

Begin = Callable[[Path], Awaitable[Embedded]]
Connect = Callable[..., Redis]


async def refusal(redis: Redis, data_dir: Path | None, service: str | None = None) -> str:
    """The code with which `identify` refuses."""
    with pytest.raises(StoreRefused) as refused:
        await identify(redis, data_dir, service)
    return refused.value.code


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """The data directory of the test."""
    return tmp_path / "data"


@pytest.fixture
async def redis(data: Path, begin: Begin, connect: Connect) -> Redis:
    """A client of a fresh embedded server."""
    return connect((await begin(data)).path)


async def test_first_start_and_next(data: Path, redis: Redis) -> None:
    """The first start makes id and service name, in the store and beside it; later ones find the same."""
    first = await identify(redis, data, None)
    assert await identify(redis, data, None) == first
    meta = await redis.hgetall("meta")
    marker = json.loads((data / "store.json").read_bytes())
    assert marker == {"created_at": int(meta[b"created_at"]), "store_id": first.store_id}
    assert (data / "store.json").stat().st_mode & 0o777 == 0o600
    assert meta == {
        b"store_id": first.store_id.encode(),
        b"service": first.service.encode(),
        b"created_at": meta[b"created_at"],
        b"partitions": b"16",
    }


async def test_simultaneous_first_starts(data: Path, redis: Redis, connect: Connect) -> None:
    """Of several first starts at once all get one identity."""
    path = redis.connection_pool.connection_kwargs["path"]
    clients = [connect(path) for _ in range(8)]
    await asyncio.gather(*(each.ping() for each in clients))
    found = await asyncio.gather(*(identify(each, data, None) for each in clients))
    assert len(set(found)) == 1
    assert found[0].store_id == json.loads((data / "store.json").read_bytes())["store_id"]


async def test_service_name_never_changes(data: Path, redis: Redis) -> None:
    """A service keeps the name of its first start, for it begins the origin of every log (design 4)."""
    assert (await identify(redis, data, "mesa.example")).service == "mesa.example"
    assert await refusal(redis, data, "casa.example") == "service_fixed"
    assert (await identify(redis, data, None)).service == "mesa.example"


@pytest.mark.parametrize("name", ["", "Mesa", "a/b", "a b", "a\n", "x" * 65, "-a", "é"])
async def test_service_name_syntax(data: Path, redis: Redis, name: str) -> None:
    """A name that could not stand in an origin is refused before anything is stored."""
    assert await refusal(redis, data, name) == "service_malformed"
    assert await redis.dbsize() == 0


async def test_store_without_its_data(data: Path, redis: Redis) -> None:
    """A marker beside a store that does not know its id: refused, and nothing is written."""
    await identify(redis, data, None)
    await redis.flushall()
    assert await refusal(redis, data) == "store_lost"
    assert await redis.dbsize() == 0


async def test_copied_data(data: Path, redis: Redis) -> None:
    """Data that came without the marker file gets it again."""
    first = await identify(redis, data, None)
    written = (data / "store.json").read_bytes()
    (data / "store.json").unlink()
    assert await identify(redis, data, None) == first
    assert (data / "store.json").read_bytes() == written


async def test_mixed_stores(data: Path, redis: Redis, tmp_path: Path, begin: Begin, connect: Connect) -> None:
    """The marker of one store beside the data of another: refused."""
    await identify(redis, data, None)
    other = tmp_path / "other"
    await identify(connect((await begin(other)).path), other, None)
    shutil.copy(other / "store.json", data / "store.json")
    assert await refusal(redis, data) == "store_mismatch"


@pytest.mark.parametrize("content", [b"", b"{}", b"\0" * 80])
async def test_damaged_marker(data: Path, redis: Redis, content: bytes) -> None:
    """A marker that cannot be read is neither believed nor replaced."""
    await identify(redis, data, None)
    (data / "store.json").write_bytes(content)
    assert await refusal(redis, data) == "marker_malformed"
    assert (data / "store.json").read_bytes() == content


async def test_marker_that_cannot_be_used(data: Path, redis: Redis) -> None:
    """Where the marker cannot be read or written the store is refused: the next loss would go unseen."""
    assert await refusal(redis, data / "nowhere") == "marker_unusable"
    (data / "store.json").mkdir()
    assert await refusal(redis, data) == "marker_unusable"


async def test_database_in_other_use(data: Path, redis: Redis) -> None:
    """A database with somebody else's keys is not made a store."""
    await redis.set("somebody", "else")
    assert await refusal(redis, None) == "store_foreign"
    assert await redis.keys() == [b"somebody"]


async def test_partitions_are_fixed(data: Path, redis: Redis) -> None:
    """A store with another number of partitions is refused: every key's place follows from it (design 5)."""
    await identify(redis, data, None)
    await redis.hset("meta", "partitions", "32")
    assert await refusal(redis, data) == "partitions_fixed"
