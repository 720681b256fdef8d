"""Server-Sent Events, byte by byte (WHATWG HTML, 9.2).

An `id` stands only where a client may resume: a private frame never moves it.
"""

from typing import Any

import msgspec

from dealer.http.answers import encode

MEDIA = "text/event-stream"
RETRY = b"retry: 2000\n\n"
"""So many ms a client waits before it comes back."""
HEARTBEAT = b":\n\n"


class OwnHand(msgspec.Struct, frozen=True):
    """The cards that only their holder sees, with nonces and paths; it replaces the one before.

    Attributes:
        seat: of the holder, 0 if he has none.
        seq: the event as of which it is true.
    """

    hand: list[dict[str, Any]]
    seat: int
    seq: int


def event(seq: int, stored: bytes) -> bytes:
    """An event; its canonical bytes hold no line break."""
    return b"id: %d\nevent: event\ndata: %b\n\n" % (seq, stored)


def hand(own: OwnHand) -> bytes:
    """A hand."""
    return b"event: hand\ndata: %b\n\n" % encode(own)


def sync(seq: int) -> bytes:
    """All up to this event has been sent; from here it is live."""
    return _position(b"sync", seq)


def resync(seq: int) -> bytes:
    """What was sent before does not connect with what follows this event: read pages up to it."""
    return _position(b"resync", seq)


def chunk(frames: bytes) -> bytes:
    """Frames as HTTP/1.1 carries them in a body without a length (RFC 9112, 7.1)."""
    return b"%x\r\n%b\r\n" % (len(frames), frames)


def _position(name: bytes, seq: int) -> bytes:
    return b'id: %d\nevent: %b\ndata: {"seq":%d}\n\n' % (seq, name, seq)
