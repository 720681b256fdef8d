"""A refusal: the answer to a command that changes nothing."""

from typing import Any

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not taken.

    Attributes:
        code: stable code of the glossary, section 6 (`wrong_phase`, `illegal_action`, ...).
        params: what the sentence for a person needs (limits, phases); never a face or a nonce.
    """

    code: str
    params: dict[str, Any] = {}


class ChipsBroken(AssertionError):
    """Chips would appear, vanish or go below zero: a defect of ours, never a client's doing (R-00)."""
