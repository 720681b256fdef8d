"""How the state of an aggregate is written down, and the digest by which a state of another shape shows."""

import hashlib
from collections.abc import Mapping
from typing import Any, Generic, TypeVar, get_args

import msgspec
from msgspec.structs import FieldInfo, fields, replace

S = TypeVar("S")

MEANING = 1
"""Part of every digest. To be raised when the same log leads to another state of the same shape."""


class Form(Generic[S]):
    """Writes states of one type and reads them back.

    Equal states that came about alike give equal bytes: sets are written in order. Dicts keep the order in
    which they came about, for the events a state leads to may list things in it.

    Args:
        kind: the type of the state.
        parts: the types behind fields that are declared `Any`, by field.

    Attributes:
        digest: SHA-256, in hex, over the names and types of all fields.
    """

    def __init__(self, kind: type[S], parts: Mapping[str, type] | None = None) -> None:
        self._parts = dict(parts or {})
        self._decoder = msgspec.msgpack.Decoder(kind)
        self.digest = _digest(kind, self._parts)

    def pack(self, state: S) -> bytes:
        """The bytes of a state."""
        return msgspec.msgpack.encode(_plain(state))

    def unpack(self, packed: bytes) -> S:
        """The state that was packed.

        Raises:
            msgspec.DecodeError: the bytes hold no such state.
        """
        state: Any = self._decoder.decode(packed)
        typed: dict[str, Any] = {
            name: msgspec.convert(getattr(state, name), kind) for name, kind in self._parts.items()
        }
        whole: S = replace(state, **typed)
        return whole


def _plain(value: Any) -> Any:
    """The same with dicts for structs and sorted lists for sets."""
    if isinstance(value, msgspec.Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        return {encoded: _plain(getattr(value, name)) for encoded, name in names}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return sorted(value) if isinstance(value, frozenset) else value


def _digest(kind: type, parts: Mapping[str, type]) -> str:
    """SHA-256 over all struct types that a state is made of."""
    found: dict[str, list[tuple[str, str]]] = {}
    waiting: list[Any] = [kind, *parts.values()]
    while waiting:
        kind = waiting.pop()
        inner: tuple[FieldInfo, ...] = ()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            name = f"{kind.__module__}.{kind.__qualname__}"
            if name not in found:
                inner = fields(kind)
                found[name] = [(field.encode_name, repr(field.type)) for field in inner]
        waiting += [*get_args(kind), *(field.type for field in inner)]
    named = {name: repr(part) for name, part in parts.items()}
    return hashlib.sha256(
        msgspec.json.encode([MEANING, repr(kind), named, found], order="sorted")
    ).hexdigest()
