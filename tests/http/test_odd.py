"""Odd characters in every place where a client may write (fairness S-16)."""

import json
import random
from urllib.parse import quote

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from tests.http.house import House

pytestmark = pytest.mark.usefixtures("uncounted")

ODD = "\0\n\r\t\x1b\x7f\x85\u2028\u202e\ufeff\U0001f0a1'\"`{}[]:*?\\$%/;|<>= a"
"""What moves a cursor, ends a line, opens a quotation, an expansion or a pattern, or cannot be seen."""
TRIES = 250


@pytest.fixture
def odd() -> list[str]:
    """Texts none of which can be an id; the same in every run."""
    chance = random.Random(16)  # noqa: S311 - of a test, to be played again
    texts = ["".join(chance.choices(ODD, k=chance.randint(1, 12))) for _ in range(TRIES)]
    return [text for text in texts if text.strip("a")]


async def test_nothing_odd_gets_anywhere(
    house: House, redis: Redis, odd: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """S-16: no odd text becomes an id, a key of the store, a log line, or part of an answer."""
    table = await house.table()
    before = set(await redis.keys())
    with capture_logs() as logged:
        for number, text in enumerate(odd):
            part = quote(text, safe="")
            for path in (
                f"/v1/tables/{part}",
                f"/v1/tables/{part}/events",
                f"{table}/rounds/{part}",
                f"{table}/shoes/{part}/proofs?pos={part}",
                f"/v1/accounts/{part}",
                f"/v1/tables?after={part}",
            )[number % 3 :: 3]:
                status, problem = await house.host.get(path)
                assert status in {404, 422}, (path, status)
                assert set(problem["params"]) <= {"path"}
            for path, body in (
                ("/v1/tables", {"game": text, "profile": "seed", "mode": "dos-panos"}),
                ("/v1/transfers", {"from": "house", "to": text, "amount": 1}),
                (f"{table}/commands", {"type": "sit", "seat": 1, "account": text}),
                (f"{table}/commands", {"type": "expire", "decision": text}),
                (f"{table}/commands", {"type": text}),
            )[number % 2 :: 2]:
                assert await house.host.refused(path, body) in {"malformed", "unknown_command"}
    assert (logged, caplog.records) == ([], [])
    assert set(await redis.keys()) == before
    heard = b"".join(house.host.heard)
    assert not [text for text in odd if len(text) > 6 and json.dumps(text)[1:-1].encode() in heard]


@pytest.mark.parametrize(
    "name", ["Idempotency-Key", "Authorization", "Accept-Language", "Last-Event-ID", "Accept"]
)
async def test_odd_headers(house: House, odd: list[str], name: str, caplog: pytest.LogCaptureFixture) -> None:
    """S-16: nor does anything odd in a header."""
    with capture_logs() as logged:
        for text in odd[:60]:
            value = (
                text.translate(dict.fromkeys(map(ord, "\0\n\r"))).encode().decode("latin-1").encode("latin-1")
            )
            answer = await house.raw(
                b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n"
                + (
                    b""
                    if name == "Authorization"
                    else f"Authorization: Bearer {house.tokens[0]}\r\n".encode()
                )
                + (b"" if name == "Idempotency-Key" else b"Idempotency-Key: k\r\n")
                + f"{name}: ".encode()
                + value
                + b"\r\n\r\n{}"
            )
            status = int(answer.split()[1])
            assert status in {200, 201, 400, 401, 429} if name != "Idempotency-Key" else status == 400, answer
    assert (logged, caplog.records) == ([], [])
