"""The envelope of an event and the base of what it carries.

Every field is declared in the order of its JSON key, so the encoded bytes are canonical
(fairness 2.1) without sorting; what is absent is left out, never null.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

CROUPIER = "croupier"
"""The actor of what the croupier does unasked."""


class Data(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What one type of event says. Subclasses set `TYPE` and, when their shape changes, `V`.

    Logs are for ever: whoever raises `V` adds the up-cast from the version before.
    """

    TYPE: ClassVar[str]
    V: ClassVar[int] = 1


class Event(msgspec.Struct, frozen=True, gc=False):
    """One event of a log as it is stored, hashed and exported.

    Attributes:
        actor: the pseudonym `pid_...` whose command caused it, or `croupier`.
        at: milliseconds UTC; never less than the event before.
        data: what happened.
        log: full origin of the log, `<service>/t/<table id>`.
        round: number of the coup or hand, 0 outside one.
        seq: position in the log from 0, without gaps.
        type: dotted name, in the past tense.
        v: schema version of `data`.
    """

    actor: str
    at: int
    data: Any
    log: str
    round: int
    seq: int
    type: str
    v: int


class _Stored(msgspec.Struct, frozen=True, gc=False):
    actor: str
    at: int
    data: msgspec.Raw
    log: str
    round: int
    seq: int
    type: str
    v: int


_encoder = msgspec.json.Encoder()
_envelope = msgspec.json.Decoder(_Stored)


def encode(event: Event) -> bytes:
    """The canonical bytes of an event: what is stored, hashed and exported as they are."""
    return _encoder.encode(event)


Upcasts = Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]]
"""By (type, v): what the data of that version are in the next one (design 3, Growing)."""


class Codec:
    """Reads stored events of a fixed set of types, of this version or any earlier one, into `Event` objects.

    Args:
        types: what is read.
        upcasts: from each version of theirs to the next.

    Raises:
        ValueError: some earlier version of a type has no up-cast.
    """

    def __init__(self, types: tuple[type[Data], ...], upcasts: Upcasts | None = None) -> None:
        self._upcasts = upcasts or {}
        self._decoders = {t.TYPE: (t.V, msgspec.json.Decoder(t)) for t in types}
        lost = [(t.TYPE, v) for t in types for v in range(1, t.V) if (t.TYPE, v) not in self._upcasts]
        if lost:
            raise ValueError(f"stored events could not be read any more: no up-cast from {lost}")

    def decode(self, stored: bytes) -> Event:
        """Read one stored event; an old one comes as if it had been written today.

        Raises:
            msgspec.ValidationError: the bytes are not an event of a type and version known here.
        """
        raw = _envelope.decode(stored)
        version, decoder = self._decoders.get(raw.type, (0, None))
        if decoder is None:
            raise msgspec.ValidationError(f"no event type {raw.type!r} is known here")
        data = decoder.decode(raw.data if raw.v == version else self._upcast(raw, version))
        return Event(raw.actor, raw.at, data, raw.log, raw.round, raw.seq, raw.type, version)

    def _upcast(self, raw: _Stored, version: int) -> bytes:
        """The data of an older event, version by version, in the present shape."""
        if not 1 <= raw.v <= version:
            raise msgspec.ValidationError(
                f"event {raw.seq} is a {raw.type!r} of version {raw.v}; known here are 1 to {version}"
            )
        data = msgspec.json.decode(raw.data)
        for v in range(raw.v, version):
            data = self._upcasts[raw.type, v](data)
        return msgspec.json.encode(data)
