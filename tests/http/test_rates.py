"""How often a key, an address and a table may be asked for something (fairness S-8)."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.http import connections, rates
from dealer.http.keyring import KeyRecord
from dealer.http.limits import BURST_S, GUESSES, Bounds
from dealer.http.problems import Problem
from dealer.http.rates import FULL, Rate, Rates
from tests.http.client import Client
from tests.http.house import House

ONE = Bounds(address_rate=1, host_rate=1, key_rate=1, table_rate=1)
UNKEYED = Bounds(address_rate=1, key_rate=0, table_rate=1)
SIT = {"type": "sit", "seat": 1}
HOST = KeyRecord(created_at=0, id="key_h", name="", role="host")
PLAYER = KeyRecord(created_at=0, id="key_p", name="", role="player")


class Watch:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        """The time."""
        return self.now


@pytest.fixture(autouse=True)
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The clock by which all rates count."""
    watch = Watch()
    monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=watch.monotonic))
    return watch


@settings(deadline=None)
@given(
    rate=st.integers(1, 50),
    pauses=st.lists(st.floats(0, 3), min_size=1, max_size=40),
)
def test_a_rate(rate: int, pauses: list[float]) -> None:
    """S-8: nobody ever gets more than burst and rate; who waits as long as he is told gets his turn."""
    counted, now = Rate(rate), 0.0
    granted: list[float] = []
    for pause in pauses:
        now += pause
        for _ in range(5):
            wait = counted.take("he", now)
            if not wait:
                granted.append(now)
    for first, begin in enumerate(granted):
        for taken, end in enumerate(granted[first:], 1):
            assert taken <= rate * (BURST_S + end - begin) + 1
    wait = counted.take("he", now)
    assert not wait or not counted.take("he", now + wait + 1e-6)
    assert not counted.take("she", now)


@settings(deadline=None)
@given(rate=st.integers(1, 50))
def test_a_burst(rate: int) -> None:
    """S-8: whoever was quiet has two seconds' worth at once, and no more."""
    counted = Rate(rate)
    taken = [counted.take("he", 5.0) for _ in range(2 * rate + 1)]
    assert not any(taken[:-1])
    assert 0 < taken[-1] <= 1 / rate + 1e-6


def test_more_callers_than_can_be_remembered(monkeypatch: pytest.MonkeyPatch, watch: Watch) -> None:
    """S-8: who cannot be counted may read but change nothing; callers whose time is past make room."""
    monkeypatch.setattr(rates, "CALLERS", 3)
    held = Rates(Bounds(key_rate=1, address_rate=0))
    people = [KeyRecord(created_at=0, id=f"key_{n}", name="", role="player") for n in range(4)]
    for person in people[:3]:
        held.change("", person, "")
    held.read("", people[3])
    with pytest.raises(Problem) as refused:
        held.change("", people[3], "")
    assert (refused.value.code, refused.value.headers["Retry-After"]) == ("rate_limited", "2")
    held.change("", people[0], "")
    watch.now += 1.5
    held.change("", people[3], "")
    assert Rate(1).take("he", 0.0) == 0.0 < FULL


@pytest.mark.parametrize(
    ("ask", "bound"),
    [
        (lambda held: held.visit("192.0.2.7"), "address_rate"),
        (lambda held: held.guess(""), "guesses"),
        (lambda held: held.read("", PLAYER), "key_rate"),
        (lambda held: held.change("", PLAYER, ""), "key_rate"),
        (lambda held: held.read("", HOST), "host_rate"),
        (lambda held: held.change("", HOST, "tbl_1"), "host_rate"),
        (lambda held: held.read("192.0.2.7", PLAYER), "address_rate"),
        (lambda held: held.change("192.0.2.7", PLAYER, "tbl_1"), "address_rate"),
        (lambda held: held.change("", PLAYER, "tbl_1"), "table_rate"),
    ],
)
def test_each_bound_has_its_name(ask: Callable[[Rates], None], bound: str) -> None:
    """S-8: whoever is refused for haste is counted under the bound that refused him, none under another."""
    held = Rates(ONE if bound in {"guesses", "host_rate", "key_rate"} else UNKEYED)
    many = iter(lambda: ask(held), "there is no end of it")
    with pytest.raises(Problem) as refused:
        deque(many, maxlen=0)
    assert refused.value.bound == bound


async def spent(client: Client, method: str, path: str, body: Any = None) -> Iterator[int]:
    """The statuses of as many requests as are let in, and of the first that is not, which must be 429."""
    counted: list[int] = []
    while not counted or counted[-1] != 429:
        status, answer = await (client.post(path, body) if method == "POST" else client.get(path))
        counted.append(status)
        assert len(counted) < 500, "there is no end of it"
    assert (answer["code"], client.headers["Retry-After"]) == ("rate_limited", "1")
    return iter(counted)


@pytest.mark.parametrize("house", [Bounds(key_rate=5)], indirect=True)
async def test_two_keys(house: House, watch: Watch) -> None:
    """S-8: of two tokens one is limited, in what it reads and what it changes, and the other is not."""
    table = await house.table()
    (_, greedy), (_, modest) = await house.player(), await house.player()
    assert Counter(await spent(greedy, "GET", table)) == {200: 10, 429: 1}
    assert await greedy.refused(f"{table}/commands", SIT) == "rate_limited"
    await modest.made(f"{table}/commands", SIT)
    for _ in range(12):
        await house.host.seen(table)
    watch.now += 1
    assert Counter(await spent(greedy, "GET", table)) == {200: 5, 429: 1}


@pytest.mark.parametrize("house", [Bounds(key_rate=3)], indirect=True)
async def test_a_command_that_was_refused_for_haste(house: House, watch: Watch) -> None:
    """S-8: nothing is done and nothing remembered of it: its key is free when its turn comes."""
    table = await house.table()
    _, player = await house.player()
    await spent(player, "GET", table)
    seq = (await house.host.seen(table))["seq"]
    assert (await player.post(f"{table}/commands", SIT, "k"))[0] == 429
    assert (await house.host.seen(table))["seq"] == seq
    watch.now += 1
    assert (await player.post(f"{table}/commands", SIT, "k"))[0] == 200


@pytest.mark.parametrize("house", [Bounds(host_rate=3)], indirect=True)
async def test_a_host(house: House) -> None:
    """S-8: a host's key is limited only where the operator says so."""
    other = await house.keyed("host")
    assert Counter(await spent(house.host, "POST", "/v1/accounts", {})) == {201: 6, 429: 1}
    assert await house.host.refused("/v1/transfers", {}) == "rate_limited"
    await other.made("/v1/accounts", {})


@pytest.mark.parametrize("house", [Bounds(table_rate=4)], indirect=True)
async def test_a_table(house: House) -> None:
    """S-8, S-37: commands at one table are limited whoever sends them; another table and the host go on."""
    flooded, quiet = await house.table(), await house.table()
    people = [(await house.player())[1] for _ in range(2)]
    statuses: Counter[int] = Counter()
    for number in range(10):
        status, _ = await people[number % 2].post(f"{flooded}/commands", {"type": "leave"})
        statuses[status] += 1
    assert statuses == {409: 8, 429: 2}
    await people[0].seen(flooded)
    await people[0].made(f"{quiet}/commands", SIT)
    for _ in range(12):
        assert await house.host.refused(f"{flooded}/commands", {"type": "leave", "seat": 1}) != "rate_limited"


async def test_guesses(house: House) -> None:
    """S-8: tokens that are nobody's are limited most of all; whoever shows a good one goes on."""
    guesser = house.client("crp_" + "A" * 43)
    counted = Counter(await spent(guesser, "GET", "/v1/tables"))
    assert counted == {401: GUESSES * BURST_S, 429: 1}
    assert (await house.stranger.get("/v1/tables"))[0] == 429
    await house.host.seen("/v1/tables")
    await house.stranger.seen("/healthz")


@pytest.mark.parametrize("house", [Bounds(address_rate=5)], indirect=True)
async def test_two_addresses(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-8: of two addresses one is limited, whatever it asks and with whatever key, and the other is not."""
    monkeypatch.setattr(connections, "network_of", lambda peer: peer[0])
    base = house.session._base_url
    async with (
        ClientSession(base, connector=TCPConnector(local_addr=("127.0.0.2", 0))) as one,
        ClientSession(base, connector=TCPConnector(local_addr=("127.0.0.3", 0))) as other,
    ):
        greedy = Client(one, house.contract, house.tokens[0])
        for path in ("/healthz", "/v1/tables", "/nowhere", "/docs", "/v1/accounts") * 2:
            assert (await greedy.get(path))[0] != 429
        for path in ("/healthz", "/v1/tables", "/nowhere"):
            status, problem = await greedy.get(path)
            assert (status, problem["code"]) == (429, "rate_limited")
        assert await greedy.refused("/v1/accounts", {}) == "rate_limited"
        await Client(other, house.contract, house.tokens[0]).made("/v1/accounts", {})


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        (("127.0.0.1", 1), ""),
        (("127.8.8.8", 1), ""),
        (("::1", 1, 0, 0), ""),
        (("::ffff:127.0.0.1", 1, 0, 0), ""),
        ("", ""),
        (None, ""),
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1, 0, 0), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1, 0, 0), "2001:0db8:0001:0002"),
        (("2001:db8:1:2::9", 1, 0, 0), "2001:0db8:0001:0002"),
        (("fe80::1%eth0", 1, 0, 2), "fe80:0000:0000:0000"),
    ],
)
def test_networks(peer: object, network: str) -> None:
    """S-7, S-8: one IPv4 address or one IPv6 /64 is one caller; this machine is none."""
    assert connections.network_of(peer) == network
