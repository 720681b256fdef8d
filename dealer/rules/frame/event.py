"""The envelope of an event and the base of what it carries.

Every field is declared in the order of its JSON key, so the encoded bytes are canonical
(fairness 2.1) without sorting; what is absent is left out, never null.
"""

from typing import Any, ClassVar

import msgspec

CROUPIER = "croupier"
"""The actor of what the croupier does unasked."""


class Data(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What one type of event says. Subclasses set `TYPE` and, when their shape changes, `V`."""

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


class Codec:
    """Reads stored events of a fixed set of types back into `Event` objects."""

    def __init__(self, types: tuple[type[Data], ...]) -> None:
        self._decoders = {t.TYPE: msgspec.json.Decoder(t) for t in types}

    def decode(self, stored: bytes) -> Event:
        """Read one stored event.

        Raises:
            msgspec.ValidationError: the bytes are not an event of a known type.
        """
        raw = _envelope.decode(stored)
        decoder = self._decoders.get(raw.type)
        if decoder is None:
            raise msgspec.ValidationError(f"no event type {raw.type!r} is known here")
        data = decoder.decode(raw.data)
        return Event(raw.actor, raw.at, data, raw.log, raw.round, raw.seq, raw.type, raw.v)
