"""What a load generator sends: a plan of request templates, and the stream of requests made from it."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

Kind = Literal["many_tables", "hot_table"]
"""The two shapes of load: spread evenly over many tables, or all on one."""

MANY_TABLES = 256
"""How many tables a plan of kind `many_tables` spreads over; every subject uses the same number."""


class Template(msgspec.Struct, frozen=True, gc=False):
    """One command that may be sent any number of times, each time under a fresh idempotency key.

    Attributes:
        body: The JSON body, sent as it stands.
        headers: Further headers, such as `Authorization`; never `Idempotency-Key` or `Content-Length`.
        path: Path of the POST.
    """

    body: msgspec.Raw
    headers: dict[str, str]
    path: str


Plan = tuple[Template, ...]
"""Templates, used one after the other and then again from the first."""


def encode_plan(plan: Sequence[Template]) -> bytes:
    """Write a plan as a JSON list of `{body, headers, path}`."""
    return msgspec.json.encode(plan)


def decode_plan(data: bytes) -> Plan:
    """Read a plan back.

    Raises:
        msgspec.ValidationError: It is not a list of templates.
        ValueError: The list is empty.
    """
    plan = msgspec.json.decode(data, type=Plan)
    if not plan:
        raise ValueError("a plan needs at least one template")
    return plan


def requests(plan: Sequence[Template], prefix: str, *, once: bool = False) -> Iterator[bytes]:
    """Give HTTP requests, templates in turn and without end, keys `<prefix>-0`, `<prefix>-1`, and so on.

    With `once` they end with the plan.

    Everything but the key's number is laid out beforehand: the generator shares a core with the store and
    must cost far less than what it measures.
    """
    parts = [_parts(template, prefix) for template in plan]
    for number, (head, tail) in enumerate(parts if once else itertools.cycle(parts)):
        yield b"%b%d%b" % (head, number, tail)


def _parts(template: Template, prefix: str) -> tuple[bytes, bytes]:
    """Split a request at the number of its idempotency key."""
    body = bytes(template.body)
    lines = [
        f"POST {template.path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in template.headers.items()),
        f"Idempotency-Key: {prefix}-",
    ]
    return "\r\n".join(lines).encode("ascii"), b"\r\n\r\n" + body
