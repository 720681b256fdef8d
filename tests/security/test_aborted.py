"""Ten thousand requests, many of them given up at a random place (fairness S-5, S-7, S-30)."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.ops.processes import Service, until
from tests.security.abandoned import Abandoner, Asked

REQUESTS = 10_000
CONNECTIONS = 24
TABLES = 4
CHIPS = REQUESTS * REQUESTS


def betting(service: Service, host: str, number: int) -> str:
    """The address of a table where seat 1 can stake as long as it likes, and nobody does unasked."""
    game = {"game": "bacara", "profile": "seed", "mode": "dos-panos"}
    options = {"betting_ms": 0, "house_bank": CHIPS}
    table = f"/v1/tables/{service.made('/v1/tables', host, {**game, 'options': options})['table']}"
    account = service.made("/v1/accounts", host, {})["account"]
    service.made("/v1/transfers", host, {"from": "house", "to": account, "amount": CHIPS})
    service.made(f"{table}/commands", host, {"type": "sit", "seat": 1, "account": account})
    service.made(f"{table}/commands", host, {"type": "buy_in", "seat": 1, "amount": CHIPS})
    until(lambda: service.seen(table, host)["phase"] == "betting")
    return table


def stakes_at(service: Service, host: str, table: str) -> dict[int, int]:
    """Of every stake in the log of a table, the event by its amount."""
    found: dict[int, int] = {}
    after = -1
    while (page := service.seen(f"{table}/events?after={after}&limit=500", host))["events"]:
        after = page["next"]
        for event in page["events"]:
            if event["type"] == "stake.placed":
                assert event["data"]["amount"] not in found, "a stake was made twice"
                found[event["data"]["amount"]] = event["seq"]
    return found


def test_ten_thousand_requests_aborted_at_random(serve: Callable[..., Service]) -> None:
    """S-5, S-7, S-30: whoever else gives up, each answer is that of its request, and all is done once.

    A stake's amount tells which it is, so the log says whether an answer named the right event.
    """
    service = serve().start()
    host = service.key()
    tables = [betting(service, host, number) for number in range(TABLES)]
    stakes = [Asked(number, f"{tables[number % TABLES]}/commands") for number in range(1, REQUESTS + 1)]
    client = Abandoner(service.port, host, seed=10_000)
    asyncio.run(client.ask(stakes, CONNECTIONS))
    given_up = list(client.given_up)
    assert len(given_up) > REQUESTS // 10, "hardly anything was given up"
    assert len(client.answers) + len(given_up) == REQUESTS
    asyncio.run(client.ask(given_up, CONNECTIONS, faithful=True))
    assert client.mismatches == []
    made: dict[int, int] = {}
    for table in tables:
        made |= stakes_at(service, host, table)
    assert made == client.answers
    assert len(made) == REQUESTS
    logged: list[Any] = service.log()
    assert service.stop() == 0
    assert logged == []
