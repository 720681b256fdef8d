"""What is asked of a server that is not ours (design 5 "Durability", fairness S-14)."""

from collections.abc import Awaitable, Callable

import pytest
from redis.asyncio import Redis

from ops.valkey.external import check, greet, too_old, transport
from ops.valkey.refused import StoreRefused

Outside = Callable[..., Awaitable[str]]
Connect = Callable[..., Redis]

DURABLE = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")


async def codes(redis: Redis, *, declared: bool = False) -> list[str]:
    """The codes of what speaks against the server."""
    return [problem.code for problem in await check(redis, declared)]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("appendonly", "no"),
        ("appendfsync", "everysec"),
        ("maxmemory-policy", "allkeys-lru"),
        ("no-appendfsync-on-rewrite", "yes"),
    ],
)
async def test_durability(outside: Outside, connect: Connect, setting: str, value: str) -> None:
    """Whatever could lose an accepted command is refused by name, unless the operator answers for it."""
    redis = connect(f"redis://{await outside(*DURABLE)}")
    assert await codes(redis) == []
    await redis.config_set(setting, value)
    problems = await check(redis, declared=False)
    assert [problem.code for problem in problems] == ["not_durable"]
    assert setting in problems[0].sentence
    assert value in problems[0].sentence
    assert await codes(redis, declared=True) == []


async def test_settings_not_told(outside: Outside, connect: Connect) -> None:
    """A server that does not tell its settings is durable only on the operator's word."""
    address = await outside(*DURABLE, "--user", *["casa", "on", ">pw", "~*", "+@all", "-config"])
    redis = connect(f"redis://casa:pw@{address}")
    assert await codes(redis) == ["durability_unknown"]
    assert await codes(redis, declared=True) == []


async def test_functions_denied(outside: Outside, connect: Connect) -> None:
    """A user who may not use functions cannot run a table, whatever was declared."""
    address = await outside(*DURABLE, "--user", *["casa", "on", ">pw", "~*", "+@all", "-function"])
    redis = connect(f"redis://casa:pw@{address}")
    assert await codes(redis, declared=True) == ["functions_denied"]


@pytest.mark.parametrize(
    ("version", "old"), [("6.2.14", True), ("7.0.0", False), ("7.2.4", False), ("10.1", False)]
)
def test_version_floor(version: str, old: bool) -> None:
    """A server older than 7.0 is refused: it has no functions (1.7)."""
    problem = too_old(version)
    assert (problem is not None and problem.code == "server_old") == old


@pytest.mark.parametrize(
    ("credentials", "code"),
    [("", "password_needed"), (":wrong@", "password_wrong"), ("nobody:right@", "password_wrong")],
)
async def test_credentials(outside: Outside, connect: Connect, credentials: str, code: str) -> None:
    """A wrong or missing password is called that, and not a lost connection (1.5)."""
    address = await outside("--requirepass", "right")
    await greet(connect(f"redis://:right@{address}"))
    with pytest.raises(StoreRefused) as refused:
        await greet(connect(f"redis://{credentials}{address}"))
    assert refused.value.code == code
    assert "right" not in refused.value.sentence
    assert "wrong" not in refused.value.sentence


async def test_not_permitted(outside: Outside, connect: Connect) -> None:
    """A user who may do next to nothing is told so."""
    address = await outside("--user", *["casa", "on", ">pw", "~*", "-@all", "+hello", "+client", "+select"])
    with pytest.raises(StoreRefused) as refused:
        await greet(connect(f"redis://casa:pw@{address}"))
    assert refused.value.code == "not_permitted"


async def test_nobody_there(connect: Connect) -> None:
    """A server that is not there is called unreachable."""
    with pytest.raises(StoreRefused) as refused:
        await greet(connect("redis://127.0.0.1:1"))
    assert refused.value.code == "unreachable"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/srv/data/v.sock", []),
        ("redis://localhost", []),
        ("redis://127.0.0.1", []),
        ("redis://[::1]", []),
        ("rediss://casa:pw@cards.example", []),
        ("redis://casa:pw@cards.example", ["link_open"]),
        ("rediss://:pw@cards.example", ["user_default"]),
        ("rediss://default:pw@10.0.0.7", ["user_default"]),
        ("rediss://casa@cards.example", ["password_none"]),
        ("redis://10.0.0.7", ["link_open", "user_default", "password_none"]),
    ],
)
async def test_way_to_the_server(connect: Connect, url: str, expected: list[str]) -> None:
    """Beyond this machine the link is encrypted, and the service is a user with a password (S-14)."""
    assert [problem.code for problem in transport(connect(url))] == expected
