"""Opening the store: embedded or external, identified, durable, and with its seal key at hand."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from redis.asyncio import Redis

from ops.valkey import embedded as embedded_server
from ops.valkey import external, keyfile
from ops.valkey.client import UNREACHABLE, client, end
from ops.valkey.directory import SEAL_KEY, prepare
from ops.valkey.embedded import Embedded
from ops.valkey.marker import META, StoreIdentity, identify, read_meta
from ops.valkey.outage import Hook, log_trouble
from ops.valkey.refused import StoreRefused

__all__ = ["Store", "StoreRefused", "open_store"]


@dataclass(eq=False, kw_only=True)
class Store:
    """An open store.

    Attributes:
        redis: a client with retry; other connections go through `client(store.path_or_url, ...)`.
        path_or_url: where the server is. A URL may hold a password: never log it.
        identity: which store and whose.
        keys: the seal keys this node holds, by key id.
        active_key_id: the one in force, under which new seeds are sealed.
        embedded: our share in the embedded server, or None with an external one.
        watcher: the task that restarts the embedded server.
    """

    redis: Redis
    path_or_url: str = field(repr=False)
    identity: StoreIdentity
    keys: Mapping[str, bytes] = field(repr=False)
    active_key_id: str
    embedded: Embedded | None
    watcher: asyncio.Task[None] | None = field(default=None, repr=False)

    async def close(self) -> None:
        """Closes the client and leaves the embedded server, which stops if nobody else uses it."""
        if self.watcher is not None:
            await end(self.watcher)
        await self.redis.aclose()
        if self.embedded is not None:
            await self.embedded.stop()


async def open_store(
    *,
    data_dir: Path,
    redis_url: str | None,
    durability_declared: bool,
    service_name: str | None,
    seal_key_files: Sequence[Path],
    on_trouble: Hook = log_trouble,
) -> Store:
    """Opens the store and watches over an embedded server until `Store.close`.

    Args:
        data_dir: home of the embedded server, and of the seal key if no file is named.
        redis_url: an external server instead of the embedded one.
        durability_declared: the operator answers for the durability of an external server.
        service_name: as in `identify`.
        seal_key_files: the first is made at the store's first start if it is missing.
        on_trouble: told when the embedded server died, cannot restart, and is back.

    Raises:
        StoreRefused: anything that keeps the store from being opened safely.
    """
    async with AsyncExitStack() as undo:
        server, address = None, redis_url
        if address is None:
            server = await embedded_server.start(data_dir)
            undo.push_async_callback(server.stop)
            address = server.path
        try:
            await _admit(address, declared=durability_declared and server is None)
            redis = client(address, retry=True)
            undo.push_async_callback(redis.aclose)
            identity = await identify(redis, None if server is None else data_dir, service_name)
            keys, active = await _seal_keys(redis, seal_key_files or [prepare(data_dir) / SEAL_KEY])
        except UNREACHABLE as error:
            raise StoreRefused("store_failed", f"The store could not be read at start: {error}.") from error
        store = Store(
            redis=redis,
            path_or_url=address,
            identity=identity,
            keys=keys,
            active_key_id=active,
            embedded=server,
            watcher=None if server is None else asyncio.create_task(server.watch(on_trouble)),
        )
        undo.pop_all()
    return store


async def _admit(address: str, *, declared: bool) -> None:
    try:
        probe = client(address, retry=False)
    except ValueError:
        # Not chained and not quoted: the message may hold a piece of the password.
        raise StoreRefused(
            "url_malformed",
            "The server's URL is malformed; it reads rediss://user:password@host:port/0, and ssl_ca_certs, "
            "ssl_certfile and ssl_keyfile may follow as a query.",
        ) from None
    try:
        await external.greet(probe)
        problems = await external.check(probe, declared)
    finally:
        await probe.aclose()
    if problems:
        raise StoreRefused(problems[0].code, " ".join(problem.sentence for problem in problems))


async def _seal_keys(redis: Redis, files: Sequence[Path]) -> tuple[dict[str, bytes], str]:
    """Reads this node's keys; the store's very first start makes one and puts it in force.

    Later nothing is made: a fresh key would only hide that the right one is missing.
    """
    in_force = (await read_meta(redis)).get("seal_key")
    first = keyfile.load(files[0]) if in_force else keyfile.load_or_create(files[0])
    keys = {keyfile.key_id(key): key for key in (first, *map(keyfile.load, files[1:]))}
    if in_force is None:
        await cast("asyncio.Future[int]", redis.hsetnx(META, "seal_key", keyfile.key_id(first)))
        in_force = (await read_meta(redis))["seal_key"]
    keyfile.check_seal_key(in_force, keys)
    return keys, in_force
