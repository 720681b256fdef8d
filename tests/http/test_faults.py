"""Something breaks at an await, or whoever waits there is cancelled: state stays what the log says (S-30)."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from functools import wraps
from typing import Any, Self

import msgspec
import pytest
from aiohttp import ClientError
from redis.asyncio import Redis
from structlog.testing import capture_logs

from dealer.http.connections import Connection
from dealer.journal import JournalUnavailable
from tests.croupier.spy import until
from tests.croupier.world import World
from tests.http.house import PATIENT, House
from tests.journal.server import Server
from tests.kills.nursery import found
from tests.kills.points import CROUPIER, DOORS, LEFT_BEHIND, RARE, STORE

pytestmark = pytest.mark.usefixtures("uncounted")

POINTS = tuple(
    dict.fromkeys([*DOORS, *CROUPIER, *(p for p in STORE if "journal:Journal." in p or "Link.ask" in p)])
)
"""Named awaits from the body of a request to the journal; what fails beyond has tests of its own there."""
WHOLE = frozenset(
    {
        "dealer.croupier.desk:Desk._append",
        "dealer.croupier.desk:Desk._attend",
        "dealer.croupier.line:Line._read_for",
        "dealer.croupier.node:Node._finish",
        "dealer.croupier.timekeeper:Timekeeper._ring_safely",
    }
)
"""Whatever breaks within is told to whom it concerns, so nothing can break around it."""
STILL = frozenset({"dealer.croupier.house:House._play", "dealer.croupier.node:Node._ring"})
"""No bot plays here, and what a clock calls was fixed when it was made."""
CANARY = "canary of the house"


class Fault:
    """Comes once over a point, before what is done there or after it."""

    def __init__(self, point: str, come: Callable[[], None], *, after: bool) -> None:
        self._owner, self._name, self._function = found(point)
        self._come = come
        self._after = after
        self.met = False

    def __enter__(self) -> Self:
        function = self._function

        @wraps(function)
        async def waited(*args: Any, **more: Any) -> Any:
            self._meet(not self._after)
            answer = await function(*args, **more)
            self._meet(self._after)
            return answer

        @wraps(function)
        def called(*args: Any, **more: Any) -> Any:
            self._meet(not self._after)
            answer = function(*args, **more)
            self._meet(self._after)
            return answer

        setattr(self._owner, self._name, waited if inspect.iscoroutinefunction(function) else called)
        return self

    def __exit__(self, *_: object) -> None:
        setattr(self._owner, self._name, self._function)

    def _meet(self, here: bool) -> None:
        if here and not self.met:
            self.met = True
            self._come()


class Insistent:
    """Somebody who sends a request under its key until there is a definite answer.

    Attributes:
        failures: the problems that were none of his.
    """

    def __init__(self, house: House, token: str) -> None:
        self._house = house
        self._headers = {"Authorization": f"Bearer {token}"}
        self.failures: list[dict[str, Any]] = []

    async def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """The answer, which must be a good one."""
        headers = {**self._headers, "Idempotency-Key": key} if key else self._headers
        raw = msgspec.json.encode(body) if key else None
        for _ in range(20):
            try:
                async with self._house.session.request(method, path, data=raw, headers=headers) as response:
                    answer = msgspec.json.decode(await response.read())
            except ClientError:
                continue
            if response.status < 500:
                assert response.status in {200, 201}, answer
                return answer
            assert CANARY not in str(answer)
            assert answer["code"] in {"internal", "unavailable"}
            self.failures.append(answer)
        raise AssertionError(self.failures)


@pytest.fixture
async def world(server: Server, redis: Redis) -> AsyncIterator[World]:
    """What the logs say, read beside the house."""
    world = World(server, redis)
    await world.start()
    yield world
    await world.close()


async def played(house: House, player: Insistent, number: int) -> str:
    """A table's life in a few requests: opened, somebody comes, bets, thinks better of it and goes."""
    host = Insistent(house, house.tokens[0])
    opening = {"game": "bacara", "profile": "seed", "mode": "dos-panos", "options": PATIENT}
    table = (await host.ask("POST", "/v1/tables", opening, f"open:{number}"))["table"]
    commands = f"/v1/tables/{table}/commands"
    for word, move in (
        ("sit", {"seat": 1}),
        ("buy_in", {"amount": 50}),
        ("stake", {"on": "right", "amount": 5}),
        ("unstake", {"on": "right", "amount": 5}),
        ("cash_out", {}),
        ("leave", {}),
    ):
        if word == "stake":
            async with asyncio.timeout(20):
                while (await host.ask("GET", f"/v1/tables/{table}"))["phase"] != "betting":
                    await asyncio.sleep(0.005)
        await player.ask("POST", commands, {"type": word, **move}, f"{word}:{number}")
        await player.ask("GET", f"/v1/tables/{table}/options")
    await host.ask("GET", f"/v1/tables/{table}/events?limit=500")
    await host.ask("GET", "/v1/accounts")
    return str(table)


async def agreed(house: House, world: World, table: str) -> None:
    """Wait until what the house goes on to do by itself is done, here and in the logs alike."""
    desk, cage = house.node._desks[f"t/{table}"], house.node.cage
    async with asyncio.timeout(20):
        while desk.state != await world.state(table) or cage.state != await world.cage():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("kind", ["raise", "cancel"])
async def test_at_each_await(
    house: House, world: World, monkeypatch: pytest.MonkeyPatch, kind: str, after: bool
) -> None:
    """S-30: an error at any await, or its request cancelled: no chip is lost, the state is the log's."""
    account, client = await house.player(1_000)
    serving: list[asyncio.Task[Any]] = []
    begin = Connection.begin

    def noted(connection: Connection) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving[:] = [task]
        begin(connection)

    def broken() -> None:
        raise JournalUnavailable(CANARY) if point in STORE else RuntimeError(CANARY)

    def cancelled() -> None:
        for task in serving:
            task.cancel()

    monkeypatch.setattr(Connection, "begin", noted)
    missed = set()
    points = [point for point in POINTS if kind == "cancel" or point not in WHOLE]
    for number, point in enumerate(points):
        player = Insistent(house, client._token)
        with capture_logs(), Fault(point, broken if kind == "raise" else cancelled, after=after) as fault:
            table = await played(house, player, number)
            await until(lambda: house.node.cage.state.balances[account] == 1_000)
            await until(lambda: not house.node.cage.state.holds)
            await until(lambda: not house.node._house._busy)
        if not fault.met:
            missed.add(point)
        await agreed(house, world, table)
        await world.check_rest(table)
    assert missed <= {*RARE, *LEFT_BEHIND, *STILL}
    assert len(missed) < len(POINTS) // 2
