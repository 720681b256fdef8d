"""Records of refused words that only the holder of a hand may say, kept where nobody can read them.

Whether `stand` was legal tells something of the hand, and the digest of so short a body tells which word it
was. The record of such a refusal is therefore sealed as a secret is (fairness S-12, S-20).
"""

import msgspec

from dealer.croupier.draft import Outcome
from dealer.croupier.order import ACCEPTED, Order
from dealer.journal.model import Record
from shoe.seal import Vault

SEALED = "sealed"
"""Stands in a sealed record where others have the digest of the body."""
_SIZE = 512
"""All sealed records are of one length; codes and their parameters are shorter by far."""


def tells(order: Order, outcome: Outcome) -> bool:
    """Whether somebody who reads this answer learns of a hidden card by it."""
    return outcome.code != ACCEPTED and getattr(order.command, "HIDDEN", False)


def seal(vault: Vault, log: str, order: Order, outcome: Outcome) -> bytes:
    """What is kept in the place of the answer; the digest of the body is inside."""
    plain = msgspec.json.encode((order.body_hash, outcome))
    return vault.seal(plain.ljust(_SIZE), _aad(log, order))


def opened(vault: Vault, log: str, order: Order, record: Record) -> Record:
    """A record as it would stand there if it were no secret.

    Raises:
        SealBroken: it was altered, or is somebody else's.
    """
    if record.body_hash != SEALED:
        return record
    plain = vault.open(record.outcome, _aad(log, order))
    body_hash, outcome = msgspec.json.decode(plain, type=tuple[str, msgspec.Raw])
    return Record(body_hash, bytes(outcome), record.first, record.last)


def _aad(log: str, order: Order) -> bytes:
    """Whose record it is, and under which key."""
    return f"{log}\n{order.principal}\n{order.key}".encode()
