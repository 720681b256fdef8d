"""The answer to an accepted command is written in one piece, and is an answer like any other (design 8)."""

import pytest

from tests.http.house import House


def _asked(house: House, table: str, version: str, more: str = "") -> bytes:
    body = '{"type":"seat_bot","seat":1,"policy":"steady"}'
    return (
        f"POST {table}/commands HTTP/{version}\r\nHost: x\r\nAuthorization: Bearer {house.tokens[0]}\r\n"
        f"Content-Length: {len(body)}\r\nIdempotency-Key: same\r\n{more}\r\n{body}"
    ).encode()


def _read(answer: bytes) -> tuple[str, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines)
    assert len(fields) == len(lines)
    assert int(fields["Content-Length"]) == len(body)
    assert fields.pop("Date").endswith(" GMT")
    return status, fields, body


@pytest.mark.parametrize(
    ("version", "more", "said"),
    [
        ("1.1", "Connection: close\r\n", {"Connection": "close"}),
        ("1.0", "Connection: keep-alive\r\n", {"Connection": "keep-alive"}),
        ("1.0", "", {}),
    ],
    ids=["of a connection that ends", "of an older client that keeps it", "of an older client"],
)
async def test_the_same_as_any_other(house: House, version: str, more: str, said: dict[str, str]) -> None:
    """S-11, S-17: beside what is said of the connection it is what the library itself would answer."""
    table = await house.table()
    async with house.connect() as (reader, writer):
        writer.write(_asked(house, table, "1.1"))
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split()[0])
        quick = _read(head + await reader.readexactly(length))
        writer.write(_asked(house, table, version, more))
        if version == "1.0" and more:
            writer.write_eof()
        status, fields, body = _read(await reader.read())
    assert (status.replace(f"/{version}", "/1.1"), fields, body) == (quick[0], quick[1] | said, quick[2])


async def test_one_after_the_other(house: House) -> None:
    """Commands that are sent together are answered in turn on the one connection."""
    table = await house.table()
    answer = await house.raw(
        _asked(house, table, "1.1") * 3 + _asked(house, table, "1.1", "Connection: close\r\n")
    )
    texts = answer.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert len(texts) == 4
    assert len({text.partition(b"\r\n\r\n")[2] for text in texts}) == 1
