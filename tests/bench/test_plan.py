"""Plans and the requests made from them."""

from itertools import islice

import msgspec
import pytest

from ops.bench.plan import Template, decode_plan, encode_plan, requests

PLAN = (
    Template(body=msgspec.Raw(b'{"type":"stake"}'), headers={"Authorization": "Bearer a"}, path="/v1/a"),
    Template(body=msgspec.Raw(b"{}"), headers={}, path="/v1/b"),
)


def test_plan_survives_its_json() -> None:
    """A plan reads back as it was written, bodies to the byte."""
    assert [msgspec.structs.asdict(t) for t in decode_plan(encode_plan(PLAN))] == [
        msgspec.structs.asdict(t) for t in PLAN
    ]


@pytest.mark.parametrize("data", [b"[]", b"{}", b'[{"path":"/"}]'])
def test_plan_that_says_nothing_is_refused(data: bytes) -> None:
    """An empty plan, no list, or a template without body is an error before any load."""
    with pytest.raises(ValueError, match=r"template|Expected|missing"):
        decode_plan(data)


def test_requests_take_templates_in_turn_with_fresh_keys() -> None:
    """Templates go round, keys never repeat: prefix and counter (design 9)."""
    heads = [r.split(b"\r\n\r\n") for r in islice(requests(PLAN, "k"), 3)]
    assert [head.split(b" ")[1] for head, _ in heads] == [b"/v1/a", b"/v1/b", b"/v1/a"]
    assert [head.rsplit(b": ", 1)[1] for head, _ in heads] == [b"k-0", b"k-1", b"k-2"]
    assert [body for _, body in heads] == [b'{"type":"stake"}', b"{}", b'{"type":"stake"}']


def test_request_is_http() -> None:
    """A request carries its template's headers and the length of its body."""
    head, body = next(requests(PLAN, "k")).split(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert lines[0] == b"POST /v1/a HTTP/1.1"
    assert b"Authorization: Bearer a" in lines
    assert b"Content-Length: %d" % len(body) in lines
