"""API keys: strong, stored as hashes, ended in time (fairness S-2)."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from structlog.testing import capture_logs

from dealer.http import keyring as keyrings
from dealer.http.keyring import STORED, Keyring
from tests.http.house import House
from tests.journal.server import Server


async def stored(redis: Redis) -> dict[bytes, bytes]:
    """What the store has of keys: records by digest."""
    kept: dict[Any, Any] = await redis.hgetall(STORED)
    return kept


async def test_token(redis: Redis) -> None:
    """S-2: a token is `crp_` and 43 characters, never twice the same, and whoever has it has the key."""
    keyring = Keyring(redis)
    made = [await keyring.add("host", name=f"desk {n}") for n in range(3)]
    assert all(re.fullmatch(r"crp_[A-Za-z0-9_-]{43}", token) for _, token in made)
    assert len({token for _, token in made}) == 3
    assert [keyring.look_up(token) for _, token in made] == [record for record, _ in made]
    assert keyring.look_up("crp_" + "A" * 43) is None
    assert keyring.look_up("") is None
    listed = await keyring.list()
    assert {record.id for record in listed} == {record.id for record, _ in made}
    assert [record.created_at for record in listed] == sorted(record.created_at for record, _ in made)


async def test_nothing_stored_opens_a_door(house: House, redis: Redis, server: Server) -> None:
    """S-2: whatever was written to disk while tokens were issued and used, no token is in it."""
    await house.seated(await house.table(), 1)
    written = b"".join(path.read_bytes() for path in server.directory.rglob("*.aof"))
    kept = [bytes(digest) for digest in await stored(redis)]
    assert len(kept) == len(house.tokens) == 3
    assert all(digest in written for digest in kept)
    assert not [token for token in house.tokens if token.removeprefix("crp_").encode() in written]
    assert all(house.keyring.look_up(digest.decode()) is None for digest in kept)


async def test_what_is_stored(redis: Redis) -> None:
    """S-2: a record says id, name, role, when, and for a player the account; what is not so is left out."""
    keyring = Keyring(redis)
    record, _ = await keyring.add("player", "acc_1", "Ana", ttl_s=60)
    (kept,) = (await stored(redis)).values()
    assert kept.decode() == (
        f'{{"account":"acc_1","created_at":{record.created_at},"expires_at":{record.created_at + 60_000},'
        f'"id":"{record.id}","name":"Ana","role":"player"}}'
    )
    await keyring.revoke(record.id)
    host, _ = await keyring.add("host")
    (kept,) = (await stored(redis)).values()
    assert kept == f'{{"created_at":{host.created_at},"id":"{host.id}","name":"","role":"host"}}'.encode()


@pytest.mark.parametrize(
    ("role", "account", "ttl_s"),
    [
        ("player", "", None),
        ("player", "house", None),
        ("player", "transit", None),
        ("player", "t/tbl_1", None),
        ("host", "acc_1", None),
        ("auditor", "acc_1", None),
        ("host", "", 0),
    ],
)
async def test_key_that_cannot_be(redis: Redis, role: keyrings.Role, account: str, ttl_s: int | None) -> None:
    """Design 8: a player's key acts for one account of a person, any other for none."""
    keyring = Keyring(redis)
    with pytest.raises(ValueError, match="key"):
        await keyring.add(role, account, ttl_s=ttl_s)
    assert await redis.hlen(STORED) == 0


@pytest.mark.parametrize("name", ["\n", "\x1b[A", "\udc80", "x" * 101])
async def test_name_that_cannot_be(redis: Redis, name: str) -> None:
    """S-16: what a key is called is one short line of text, so that it can be shown to anybody."""
    with pytest.raises(ValueError, match="line of text"):
        await Keyring(redis).add("host", name=name)
    assert await redis.hlen(STORED) == 0


async def test_revoked_here_and_elsewhere(
    house: House, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-2: a key that another node revoked is refused here as soon as the keys are read again."""
    monkeypatch.setattr(keyrings, "REFRESH_S", 0.01)
    record, token = await house.keyring.add("auditor")
    client = house.client(token)
    assert (await client.get("/v1/tables"))[0] == 200
    assert await Keyring(redis).revoke(record.id)
    assert not await Keyring(redis).revoke(record.id)
    async with asyncio.timeout(10):
        while (await client.get("/v1/tables"))[0] != 401:
            await asyncio.sleep(0.01)


async def test_expired(redis: Redis) -> None:
    """S-2: an expiry is exact: by the engine's time, without reading anything again."""
    keyring = Keyring(redis)
    record, token = await keyring.add("host", ttl_s=3600)
    assert record.expires_at == record.created_at + 3_600_000
    keyring._clock.sync(record.expires_at - 60_000, time.monotonic())
    assert keyring.look_up(token) == record
    keyring._clock.sync(record.expires_at, time.monotonic())
    assert keyring.look_up(token) is None
    assert [each.id for each in await keyring.list()] == [record.id]


async def test_damaged_record(redis: Redis) -> None:
    """S-2: a record that cannot be read opens no door and closes no other."""
    keyring = Keyring(redis)
    _, token = await keyring.add("host")
    await redis.hset(STORED, "00", b"{")
    await keyring.refresh()
    assert keyring.look_up(token) is not None
    assert len(await keyring.list()) == 1


async def test_store_away(redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-2: while the keys cannot be read, those that were known stay in force, and the log says so."""
    monkeypatch.setattr(keyrings, "REFRESH_S", 0.01)
    keyring = Keyring(redis)
    _, token = await keyring.add("host")
    async with Redis(unix_socket_path=str(tmp_path / "nowhere"), retry=Retry(NoBackoff(), 0)) as nowhere:
        monkeypatch.setattr(keyring, "_redis", nowhere)
        with capture_logs() as logged:
            watching = asyncio.create_task(keyring.watch())
            async with asyncio.timeout(10):
                while not logged:
                    await asyncio.sleep(0.01)
            watching.cancel()
    assert {line["event"] for line in logged} == {"keys_not_read"}
    assert keyring.look_up(token) is not None
