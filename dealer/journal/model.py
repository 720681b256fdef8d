"""What goes into the journal and what comes out."""

import msgspec


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One decided command: who sent it under which key, what is answered, what happened.

    Attributes:
        principal: Who sent it; a key means something only together with its principal and the aggregate.
        key: The idempotency key.
        body_hash: Digest of the command's body, by which a key used twice for different things shows.
        outcome: The answer without its sequence numbers, opaque here; never a view or a face.
        events: Canonical bytes of the events in order; none for a refusal.
    """

    principal: str
    key: str
    body_hash: str
    outcome: bytes
    events: tuple[bytes, ...]


class Extras(msgspec.Struct, frozen=True, gc=False):
    """What the same append writes beside the log.

    Attributes:
        deadline: When the aggregate's earliest deadline is due, engine ms; None if it has none. It replaces
            what stood, so every append says it anew, unless it is not `timed`.
        secrets: Sealed blobs by name; None deletes.
        people: Who stands behind a pseudonym.
        rounds: Round to the sequence number of its first event, which must be one of this append.
        listed: Whether the aggregate enters the list of its partition (the first append says so).
        opened: When the oldest decision still open was opened, engine ms; it tells how long a gap of the
            service still matters. None keeps what stood, or takes the time of the append.
        timed: Whether `deadline` and `opened` say anything. Not, if both still stand: the deadline is yet to
            come, so that no claim has put it off, and nobody has set another since.
    """

    deadline: int | None = None
    secrets: dict[str, bytes | None] = {}
    people: dict[str, str] = {}
    rounds: dict[int, int] = {}
    listed: bool = False
    opened: int | None = None
    timed: bool = True


class Record(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What is stored under a known key. The order of its fields is a stored format.

    A refusal has no events: then `first` is `last` + 1, and `last` is the version it was decided on.
    """

    body_hash: str
    outcome: bytes
    first: int
    last: int


class Appended(msgspec.Struct, frozen=True, gc=False):
    """All of the batch is durable; its events are `first` to `last` (`first` = `last` + 1 if none)."""

    first: int
    last: int


class Known(msgspec.Struct, frozen=True, gc=False):
    """Some keys were known and nothing was written: their records by place in the batch."""

    records: dict[int, Record]
    last: int


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """The log has moved on to `last`; nothing was written."""

    last: int


class Round(msgspec.Struct, frozen=True, gc=False):
    """A line of the rounds index: the round's number and the sequence number of its first event."""

    number: int
    first: int


class Gap(msgspec.Struct, frozen=True, gc=False):
    """A time in which nobody watched the deadlines of a partition, engine ms."""

    from_ms: int
    to_ms: int


class Claimed(msgspec.Struct, frozen=True, gc=False):
    """Aggregates whose deadline has come, now this caller's until the lease ends.

    Attributes:
        due: The aggregates.
        next: When the next deadline or lease of the partition is due, engine ms; None if there is none. A
            time already past says that more are due than one claim takes.
        gaps: The gaps that some open decision may have been caught in, oldest first.
    """

    due: list[str]
    next: int | None
    gaps: list[Gap] = []


class FeedItem(msgspec.Struct, frozen=True, gc=False):
    """News of a partition: this aggregate has got the events `first` to `last`. `id` is where to read on."""

    id: str
    aggregate: str
    first: int
    last: int
