"""API keys: made once, stored as hashes, looked up in memory (fairness S-2).

The store's hash `keys` holds one record a key under the SHA-256 of its token. A node reads all of it anew
each second, so a revoked key is refused everywhere within that time; an expiry is exact.
"""

import asyncio
import time
from base64 import urlsafe_b64encode
from contextlib import suppress
from hashlib import sha256
from typing import Literal

import msgspec
import structlog
from redis.asyncio import Redis

from dealer.http.limits import is_account, is_key_name
from dealer.journal.clock import Clock
from dealer.journal.pipeline import CONNECTION_TROUBLE
from shoe.entropy import random_bytes

Role = Literal["host", "player", "auditor"]
"""`host` runs tables and the cage, `player` acts for one account, `auditor` only reads."""

STORED = "keys"
REFRESH_S = 1.0
_PREFIX = "crp_"

log = structlog.get_logger()


class KeyRecord(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """What is known of a key; never the token.

    Attributes:
        account: the cage account of a player.
        created_at: ms UTC.
        expires_at: ms UTC, 0 for never.
        id: public name of the key.
        name: what the person who made it calls it.
        role: what it may do.
    """

    account: str = ""
    created_at: int
    expires_at: int = 0
    id: str
    name: str
    role: Role

    @property
    def principal(self) -> str:
        """On whose behalf it acts: a player's account, or the key itself."""
        return self.account or self.id


_decode = msgspec.json.Decoder(KeyRecord).decode
_encode = msgspec.json.Encoder().encode


class Keyring:
    """The keys of an installation.

    Whoever has shown his token since the last reading is found without hashing it again.

    Args:
        redis: a client that answers in bytes; the caller closes it.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._records: dict[str, KeyRecord] = {}
        self._shown: dict[str, KeyRecord] = {}
        self._clock = Clock()
        self._reading = asyncio.Lock()
        self._finished = asyncio.Event()

    def look_up(self, token: str) -> KeyRecord | None:
        """Whose token this is, None if nobody's or no longer anybody's."""
        record = self._shown.get(token)
        if record is None:
            record = self._records.get(_digest(token))
            if record is not None:
                self._shown[token] = record
        return None if record is None or self.expired(record) else record

    def expired(self, record: KeyRecord) -> bool:
        """Whether the life of a key is over."""
        return 0 < record.expires_at <= self._clock.now()

    async def add(
        self, role: Role, account: str = "", name: str = "", ttl_s: int | None = None
    ) -> tuple[KeyRecord, str]:
        """Make a key. The token is in the answer and nowhere else.

        Raises:
            ValueError: an account is missing, not one of the cage's, or given for another role; the life
                is not positive; or the name is too long, or more than a line of text.
        """
        if bool(account) != (role == "player") or (account and not is_account(account)):
            raise ValueError("a player's key, and no other, belongs to an account acc_...")
        if ttl_s is not None and ttl_s < 1:
            raise ValueError("a key lives a second at least")
        if not is_key_name(name):
            raise ValueError("the name of a key is a short line of text")
        await self.refresh()
        now = self._clock.now()
        record = KeyRecord(
            account=account,
            created_at=now,
            expires_at=0 if ttl_s is None else now + 1000 * ttl_s,
            id=f"key_{random_bytes(8).hex()}",
            name=name,
            role=role,
        )
        token = _PREFIX + _text(random_bytes(32))
        await self._redis.hset(STORED, _digest(token), _encode(record))
        await self.refresh()
        return record, token

    async def list(self) -> list[KeyRecord]:
        """All keys, the oldest first; expired ones too."""
        await self.refresh()
        return sorted(self._records.values(), key=lambda record: (record.created_at, record.id))

    async def revoke(self, key_id: str) -> bool:
        """Forget a key, and say whether there was one."""
        await self.refresh()
        found = [digest for digest, record in self._records.items() if record.id == key_id]
        if found:
            await self._redis.hdel(STORED, *found)
            await self.refresh()
        return bool(found)

    async def refresh(self) -> None:
        """Read the keys, and the engine's time by which they expire.

        Raises:
            CONNECTION_TROUBLE: the store gives no answer; what was known stays in force.
        """
        async with self._reading:
            async with self._redis.pipeline(transaction=False) as pipeline:
                pipeline.time()
                pipeline.hgetall(STORED)
                (seconds, micros), stored = await pipeline.execute()
            self._clock.sync(1000 * seconds + micros / 1000, time.monotonic())
            self._records = {
                digest.decode(): record
                for digest, raw in stored.items()
                if (record := _read(raw)) is not None
            }
            self._shown = {}

    def finish(self) -> None:
        """Let `watch` end by itself: redis-py leaks a connection that is cancelled while it is being made."""
        self._finished.set()

    async def watch(self) -> None:
        """Read the keys again each second, until told to finish."""
        while not self._finished.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._finished.wait(), REFRESH_S)
                return
            try:
                await self.refresh()
            except CONNECTION_TROUBLE as trouble:
                log.warning("keys_not_read", reason=type(trouble).__name__)


def _digest(token: str) -> str:
    # A header may hold any bytes; aiohttp hands on those that are no text as lone surrogates.
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _text(random: bytes) -> str:
    """URL-safe base64 without padding: 43 characters for 32 bytes."""
    return urlsafe_b64encode(random).rstrip(b"=").decode()


def _read(raw: bytes) -> KeyRecord | None:
    """A stored record; one that cannot be read opens no door."""
    try:
        return _decode(raw)
    except msgspec.MsgspecError as trouble:
        log.warning("key_not_readable", reason=type(trouble).__name__)
        return None
