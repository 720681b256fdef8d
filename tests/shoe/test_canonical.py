"""Canonical JSON (fairness 2.1)."""

import enum
import hashlib
import unicodedata
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from shoe.canonical import MAX_DEPTH, MAX_INTEGER, encode, sha256_hex
from tests.shoe import reference

texts = st.text(st.characters(exclude_categories=["Cc", "Cs"])).map(
    lambda text: unicodedata.normalize("NFC", text)
)
keys = st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=1)
values = st.recursive(
    texts | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER),
    lambda inner: st.lists(inner) | st.dictionaries(keys, inner),
    max_leaves=10,
)


class _Text(enum.StrEnum):
    A = "a"


@settings(max_examples=40)
@given(st.dictionaries(keys, values))
def test_the_bytes_are_those_of_rfc_8785(value: dict[str, Any]) -> None:
    """Fairness 2.1: inside the restriction our bytes, RFC 8785 and plain `json.dumps` agree."""
    assert encode(value) == rfc8785.dumps(value) == reference.canonical(value)


def test_the_bytes_of_an_event_are_the_published_form() -> None:
    """Fairness 2.1: sorted keys, no spaces, text unescaped."""
    event = {
        "v": 1,
        "data": {"ok": True, "name": 'b\u00e1ciga "x" \u2028/'},
        "at": 1790000000123,
        "a": (-1, []),
    }
    expected = (
        '{"a":[-1,[]],"at":1790000000123,"data":{"name":"b\u00e1ciga \\"x\\" \u2028/","ok":true},"v":1}'
    )
    assert encode(event) == expected.encode()


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        None,
        2**53,
        -(2**53),
        b"a",
        {1},
        _Text.A,
        "a\nb",
        "\x00",
        "\x7f",
        "\x85",
        "\ud800",
        "e\u0301",
        {"A": 1},
        {"": 1},
        {"a-b": 1},
        {"\u00e1": 1},
        {"a\n": 1},
        {1: 1},
        {_Text.A: 1},
    ],
    ids=repr,
)
def test_what_encoders_disagree_about_is_refused(value: object) -> None:
    """Fairness 2.1: no float, null, large integer, control character, lone surrogate, odd key or odd type."""
    for place in (value, [value], {"a": {"b": value}}):
        with pytest.raises(ValueError, match=r"integer|key|string|no place"):
            encode(place)


def test_hostile_nesting_is_refused_as_a_value() -> None:
    """S-7: depth is bounded and ends in a refusal, not in the interpreter's recursion limit."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply"):
        encode(deep)
    most: list[object] = []
    for _ in range(MAX_DEPTH - 1):
        most = [most]
    assert encode(most) == b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    with pytest.raises(ValueError, match="nested too deeply"):
        encode([most])


def test_hashes_are_written_in_lowercase_hex() -> None:
    """Fairness 1.4: SHA-256, as every outside tool prints it."""
    assert sha256_hex(b"abc") == hashlib.sha256(b"abc").hexdigest()
