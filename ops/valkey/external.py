"""May this server be trusted with the tables? (design 5 "Durability", fairness S-14, platform.md 1.7)."""

import ipaddress
from typing import cast

import msgspec
from redis.asyncio import Redis
from redis.asyncio.connection import SSLConnection, UnixDomainSocketConnection
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError

from ops.valkey.client import UNREACHABLE
from ops.valkey.refused import StoreRefused

_FLOOR = (7, 0)
_DURABLE = {
    "appendfsync": "always",
    "appendonly": "yes",
    "maxmemory-policy": "noeviction",
    "no-appendfsync-on-rewrite": "no",  # with `yes` nothing is fsynced while the log is rewritten
}


class Problem(msgspec.Struct, frozen=True, gc=False):
    """One reason against a server: a stable code, and a sentence that says what helps."""

    code: str
    sentence: str


async def greet(redis: Redis) -> None:
    """Connects and authenticates once, so that a wrong password is called one.

    Under RESP3 redis-py reports it as a lost connection, after retries (platform.md 1.5): give a client
    without them.

    Raises:
        StoreRefused: `password_wrong`, `password_needed`, `not_permitted`, `unreachable`.
    """
    try:
        await redis.ping()
    except NoPermissionError as error:
        raise StoreRefused("not_permitted", f"The server lets this user do too little: {error}.") from error
    except UNREACHABLE as error:
        raise _translated(error) from error


def _translated(error: Exception) -> StoreRefused:
    said = str(error)
    if "invalid username-password pair" in said or "WRONGPASS" in said:
        return StoreRefused("password_wrong", "The server refuses this user name and password.")
    if isinstance(error, AuthenticationError) or "NOAUTH" in said or "already authenticated" in said:
        return StoreRefused("password_needed", "The server asks for a password, and the URL holds none.")
    return StoreRefused("unreachable", f"The server cannot be reached: {said or type(error).__name__}.")


async def check(redis: Redis, declared: bool) -> list[Problem]:
    """Lists what speaks against keeping tables on this server; empty if nothing does.

    Args:
        redis: a client without retry, already greeted.
        declared: the operator answers for durability (`--durability declared`), so it is not asked about.
    """
    problems = transport(redis)
    info = await redis.info("server")
    old = too_old(str(info["redis_version"]))  # Valkey gives the Redis version it is compatible with
    if old is not None:
        return [*problems, old]
    try:
        await redis.function_list(library="croupier*")
    except ResponseError as error:
        problems.append(Problem("functions_denied", f"The server's functions cannot be used: {error}."))
    if not declared:
        problems += await durability(redis)
    return problems


def too_old(version: str) -> Problem | None:
    """Says whether a server's version is below the oldest one that has functions (platform.md 1.7)."""
    if tuple(int(part) for part in version.split(".")[:2]) >= _FLOOR:
        return None
    return Problem("server_old", f"The server has version {version}; 7.0 is the oldest that does.")


def transport(redis: Redis) -> list[Problem]:
    """Lists what is open about the way to the server; a unix socket and the loopback are closed (S-14)."""
    pool = redis.connection_pool
    host = str(pool.connection_kwargs.get("host", ""))
    if issubclass(pool.connection_class, UnixDomainSocketConnection) or _is_loopback(host):
        return []
    problems = []
    if not issubclass(pool.connection_class, SSLConnection):
        problems.append(Problem("link_open", f"The link to {host} is not encrypted. Use a rediss:// URL."))
    if pool.connection_kwargs.get("username") in {None, "", "default"}:
        problems.append(Problem("user_default", "The URL names no user. Make the service a user of its own."))
    if not pool.connection_kwargs.get("password"):
        problems.append(Problem("password_none", "The URL holds no password, so anybody may write there."))
    return problems


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def durability(redis: Redis) -> list[Problem]:
    """Lists which settings of a running server could lose an accepted command; empty if none does."""
    try:
        found = cast("dict[str, str]", await redis.config_get(*_DURABLE))
    except ResponseError as error:
        return [
            Problem(
                "durability_unknown",
                f"The server does not tell how it writes to disk ({error}). If it is known to fsync each "
                "write and to evict nothing, say so with --durability declared.",
            )
        ]
    return [
        Problem(
            "not_durable",
            f"The server has {name} {found.get(name)!r} and must have {wanted!r}: an accepted command could "
            "be lost. Change it, or answer for it yourself with --durability declared.",
        )
        for name, wanted in _DURABLE.items()
        if found.get(name) != wanted
    ]
