"""How much a request may hold, and the shapes of what it names (fairness S-7, S-16).

JSON depth needs no counter: a body is decoded straight into a message type, so nothing deeper than the
types themselves (three levels) is ever built, and whatever nests deeper is refused where it begins.
"""

import re
from typing import Literal

import msgspec

BODY_BYTES = 64 * 1024
BODY_S = 10.0
"""A body that has not arrived by then is given up."""
HEAD_S = 10.0
"""A connection whose head is not whole by then, from its first byte or since it was opened, is cut off."""
IDLE_S = 30.0
"""A connection that asks nothing more by then, since it was last answered, is closed."""
REQUEST_S = 30.0
"""A request that is not answered by then, and the answer taken, is cut off; what it has begun goes on."""
UNREAD_S = 10.0
"""A connection that has been closed is cut off by then, if its last answer is still not read."""
BACKLOG = 1024
"""Connections that may wait to be taken."""
LINGER_S = 1.0
"""So long the rest of a body is waited for after its answer, before the connection is closed."""
LINE_BYTES = 4096
"""Method, URL and version of a request together."""
HEADER_BYTES = 8190
"""One header."""
HEADERS = 64

PAGE = 100
"""Lines of a page when nobody says how many."""
DRAIN_S = 2.0
"""How long requests under way may take to finish when the service stops."""
MOST = 500
"""Lines of a page at most."""
MOST_TABLES = 50
"""Tables of a page at most: each may have to be loaded."""
PROOFS = 64
"""Cards proved in one answer at most."""

NO_LINE_FEED = r"(?!\n)"
"""In Python a `$` alone lets one line feed pass at the end; in other engines it does not."""
_END = "$" + NO_LINE_FEED
ID = r"^[a-z0-9_]{1,64}" + _END
NAME = r"^[a-z0-9_-]{1,64}" + _END
MODE = r"^[a-z0-9_-]{0,64}" + _END
"""A mode of play; of a profile that has no modes it is empty, and may be left out."""
ACCOUNT = r"^acc_[a-z0-9_]{1,60}" + _END
BOOK_ACCOUNT = r"^(house|acc_[a-z0-9_]{1,60})" + _END
REFERENCE = r"^[!-~]{1,128}" + _END
IDEMPOTENCY_KEY = r"^[A-Za-z0-9_.:-]{1,128}" + _END

is_id = re.compile(ID).match
is_account = re.compile(ACCOUNT).match
is_idempotency_key = re.compile(IDEMPOTENCY_KEY).match
is_number = re.compile(r"[0-9]{1,15}").fullmatch
"""A sequence number or a count in an address; 15 digits are below 2^53."""

KEY_NAME = 100
"""Characters of the note on an API key at most."""


def is_key_name(text: str) -> bool:
    """Whether this may be a note on an API key: a line that no terminal takes for a command."""
    return len(text) <= KEY_NAME and text.isprintable()


FACE = r"^[0-9A-Z]{1,3}" + _END
"""A face or a rank of any deck, as cards are laid by hand."""
MOST_STACKED = 520
"""Cards of the largest shoe."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may set of one process; nought is no bound.

    Rates are requests a second, with a burst of two seconds' worth. Neither addresses nor connections are
    counted for this machine itself.

    Attributes:
        address_connections: connections from one address.
        address_rate: of one address, whoever asks.
        connections: connections in all.
        host_rate: of a host's key, behind which there may be all the players of an integrator.
        key_rate: of a player's or an auditor's key.
        table_rate: commands of players at one table.
    """

    address_connections: int = 1_000
    address_rate: int = 1_000
    connections: int = 10_000
    host_rate: int = 0
    key_rate: int = 200
    table_rate: int = 1_000


Reason = Literal[
    "address_connections",
    "address_rate",
    "connections",
    "guesses",
    "host_rate",
    "key_rate",
    "streams",
    "table_rate",
]
"""Which bound has kept somebody out: the setting's name, or `guesses` and `streams`, which cannot be set."""

BURST_S = 2.0
"""Whoever was quiet may have so many seconds' worth of a rate at once."""
CALLERS = 100_000
"""Callers that one rate remembers."""
GUESSES = 20
"""Requests a second from one address with a token that is nobody's."""

STREAMS = 10_000
"""Listeners of one process at most."""
STREAMS_OF_A_KEY = 5_000
"""Of a host's or an auditor's key, behind which there may be many people."""
STREAMS_OF_A_PLAYER = 16
STREAM_BUFFER_BYTES = 64 * 1024
"""A connection in which more than this waits is not written to until it has drained."""
STALLED_S = 30
"""A full connection that takes nothing for so long is given up."""
HEARTBEAT_S = 15
"""So often a listener gets a sign of life, and a dead connection a chance to be noticed."""
