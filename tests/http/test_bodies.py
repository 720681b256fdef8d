"""Bodies as bytes: what is the same request, and what is none at all (fairness S-5, S-7)."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.http.bodies import understand
from dealer.http.messages import AnyCommand, NewTable
from dealer.http.problems import Problem

COMMAND: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyCommand)
TABLE = msgspec.json.Decoder(NewTable)

words = st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=1, max_size=20)
amounts = st.integers(1, 2**53 - 1)
commands = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("stake"), "on": st.sampled_from(["right", "left"]), "amount": amounts},
        optional={"seat": st.integers(1, 20), "decision": words, "if_seq": amounts},
    ),
    st.fixed_dictionaries(
        {"type": st.just("sit"), "seat": st.integers(1, 20)}, optional={"account": words, "decision": words}
    ),
)


def _escaped(text: str) -> str:
    """The same JSON with every letter of its texts written as an escape."""
    return "".join(f"\\u{ord(c):04x}" if c.isalpha() else c for c in text)


def _spelt(value: Any) -> str:
    text = json.dumps(value)
    return f'"{_escaped(text[1:-1])}"' if isinstance(value, str) else text


spellings: st.SearchStrategy[Callable[[Any], str]] = st.sampled_from([json.dumps, _spelt])


@st.composite
def written(draw: st.DrawFn, value: dict[str, Any]) -> bytes:
    """One of the many ways to write an object."""
    pairs = draw(st.permutations(sorted(value.items())))
    blank = draw(st.sampled_from(["", " ", "\n\t"]))
    spell = draw(spellings)
    body = f",{blank}".join(f"{spell(k)}{blank}:{spell(v)}{blank}" for k, v in pairs)
    return f"{blank}{{{blank}{body}}}{blank}".encode()


@given(data=st.data(), command=commands)
def test_one_meaning_one_digest(data: st.DataObject, command: dict[str, Any]) -> None:
    """S-5: however a command is written, it is the same request; any other command is another."""
    one, other = data.draw(written(command)), data.draw(written(command))
    message, digest = understand(one, COMMAND)
    assert understand(other, COMMAND) == (message, digest)
    assert msgspec.to_builtins(message) == command
    different = {**command, "seat": command.get("seat", 0) + 1}
    assert understand(data.draw(written(different)), COMMAND)[1] != digest


@given(data=st.data(), command=commands)
def test_twins_are_found(data: st.DataObject, command: dict[str, Any]) -> None:
    """S-7: a key given twice is refused, wherever and however it is written."""
    twin = data.draw(st.sampled_from(sorted(command)))
    spell = data.draw(spellings)
    raw = data.draw(written(command)).decode().rstrip().removesuffix("}")
    with pytest.raises(Problem) as refused:
        understand(f"{raw},{spell(twin)}:{spell(command[twin])}}}".encode(), COMMAND)
    assert (refused.value.code, refused.value.status) == ("malformed", 400)


@given(names=st.lists(words, min_size=1, max_size=4, unique=True), again=st.integers(0, 3))
def test_twins_within_options(names: list[str], again: int) -> None:
    """S-7: a switch of a table given twice is refused too, and the order of switches says nothing."""
    head = '{"game":"bacara","mode":"m","profile":"p","options":{'
    pairs = [f'"{name}":1' for name in names]
    digest = understand(f"{head}{','.join(pairs)}}}}}".encode(), TABLE)[1]
    assert understand(f"{head}{','.join(reversed(pairs))}}}}}".encode(), TABLE)[1] == digest
    with pytest.raises(Problem):
        understand(f"{head}{','.join([*pairs, pairs[again % len(pairs)]])}}}}}".encode(), TABLE)


@pytest.mark.usefixtures("uncounted")
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes(raw: bytes) -> None:
    """S-30: whatever the bytes, they are a command that means the same anew, or a problem of the client's."""
    found: tuple[Any, str] | Problem
    try:
        found = understand(raw, COMMAND)
    except Problem as refused:
        found = refused
    if isinstance(found, Problem):
        assert (found.code, found.status) in {
            ("malformed", 400),
            ("malformed", 422),
            ("unknown_command", 422),
        }
    else:
        assert understand(msgspec.json.encode(found[0]), COMMAND) == found
