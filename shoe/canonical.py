"""Canonical JSON of the restricted profile (fairness 2.1).

Inside the restriction every JSON canonicaliser agrees byte for byte, so an outsider needs none: sorted keys
and no spaces are enough. Outside it they part, so what lies outside is refused here, before it is hashed.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

import msgspec

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64  # far above any event; keeps hostile nesting a ValueError

_KEY = re.compile(r"[a-z0-9_]+")
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs"})  # control characters, lone surrogates


def encode(obj: object) -> bytes:
    """Canonical bytes of a value made of dicts, lists, tuples, strings, integers and booleans.

    Raises:
        ValueError: the value is outside the restricted profile.
    """
    _check(obj, MAX_DEPTH)
    return msgspec.json.encode(obj, order="sorted")


def sha256_hex(data: bytes) -> str:
    """SHA-256 as 64 lowercase hex digits."""
    return hashlib.sha256(data).hexdigest()


def _check(obj: object, depth: int) -> None:
    # Exact types: a subclass may be written otherwise than its base.
    if type(obj) is str:
        _check_text(obj)
    elif type(obj) is int:
        if not -MAX_INTEGER <= obj <= MAX_INTEGER:
            raise ValueError("an integer is beyond 2^53 - 1")
    elif type(obj) is not bool:
        if depth == 0:
            raise ValueError("the value is nested too deeply")
        for value in _members(obj):
            _check(value, depth - 1)


def _members(obj: object) -> Iterable[object]:
    if type(obj) is list or type(obj) is tuple:
        return obj
    if type(obj) is not dict:
        raise ValueError(f"canonical JSON has no place for {type(obj).__name__}")
    if not all(type(key) is str and _KEY.fullmatch(key) for key in obj):
        raise ValueError("a key is not of the letters a-z, digits and underscore")
    return obj.values()


def _check_text(text: str) -> None:
    if text.isascii() and text.isprintable():
        return
    if any(unicodedata.category(char) in _FORBIDDEN_CATEGORIES for char in text):
        raise ValueError("a string holds a control character or a lone surrogate")
    if not unicodedata.is_normalized("NFC", text):
        raise ValueError("a string is not in normal form NFC")
