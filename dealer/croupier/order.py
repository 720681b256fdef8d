"""An order on its way to a desk, and the answer that comes back."""

from collections.abc import Mapping
from typing import Any

import msgspec

from dealer.table.authority import Role

ACCEPTED = "accepted"
"""The code of an answer to a command that was taken."""

NEVER_STORED = frozenset(
    {
        "malformed",
        "unknown_command",
        "no_such_table",
        "forbidden",
        "rate_limited",
        "key_reused",
        "version_conflict",
    }
)
"""Refusals that say nothing of the table's state, so they are not kept under their key (design 5)."""


class Order(msgspec.Struct, frozen=True, gc=False):
    """A command with who sends it and under which key.

    Attributes:
        principal: the account or key behind the sender; `croupier` for the house's own work.
        key: idempotency key; it means something only together with the principal and the aggregate.
        body_hash: digest of the command as it was sent.
        account: whom a host's `sit` or `join` is for, empty otherwise.
        at: time of arrival, ms UTC.
    """

    principal: str
    key: str
    body_hash: str
    command: Any
    role: Role
    at: int
    account: str = ""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What became of an order; the same for ever under the same key.

    Attributes:
        code: `accepted`, or the code of the refusal.
        first: sequence number of the first event, `last` + 1 if there is none.
        last: the last event, or for a refusal the version it was decided on.
    """

    code: str
    params: Mapping[str, Any]
    first: int
    last: int

    @property
    def accepted(self) -> bool:
        """Whether the command was taken."""
        return self.code == ACCEPTED


class Unavailable(Exception):
    """No definite answer could be had in time; the same key will tell it later (503)."""


class NoSuchAggregate(Exception):
    """There is no table, or book, of that id."""
