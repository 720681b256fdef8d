"""The names of everything stored. They cannot change later (design.md section 4)."""

from functools import lru_cache
from hashlib import sha256

import msgspec

PARTITIONS = 16


@lru_cache(maxsize=4096)
def partition(aggregate: str) -> int:
    """The partition of an aggregate: SHA-256 of its id, as a big-endian number, mod 16."""
    return int.from_bytes(sha256(aggregate.encode()).digest(), "big") % PARTITIONS


class PartitionKeys(msgspec.Struct, frozen=True, gc=False):
    """Keys that the aggregates of a partition share.

    Attributes:
        due: Sorted set, aggregate by its earliest deadline.
        feed: Stream of what was appended in the partition.
        gaps: List of times in which nobody watched the deadlines.
        index: Sorted set of all listed aggregates, all with score 0, so in order of their names.
        openings: Sorted set, aggregate by when its oldest open decision was opened.
        pulse: When the deadlines were last looked at.
    """

    due: str
    feed: str
    gaps: str
    index: str
    openings: str
    pulse: str


class Keys(msgspec.Struct, frozen=True, gc=False):
    """Keys of one aggregate, all with the tag of its partition, so one node holds them all.

    Attributes:
        aggregate: The aggregate's id, such as `t/tbl_ab12` or `c/main`.
        tag: The partition's hash tag, such as `{p07}`.
        shared: The keys of the partition.
        stream: The log.
        secrets: Hash of sealed blobs.
        people: Hash, pseudonym to person.
        rounds: Sorted set, round by its first sequence number.
        snapshot: Hash, a blob from which the log need not be read from its beginning, and its last sequence.
        told: The log and the feed, which every append touches.
        timed: What it touches to set a deadline, in the order its function takes them.
        beside: What it touches to write beside the log, likewise.
    """

    aggregate: str
    tag: str
    shared: PartitionKeys
    stream: str
    secrets: str
    people: str
    rounds: str
    snapshot: str
    told: tuple[str, ...]
    timed: tuple[str, ...]
    beside: tuple[str, ...]

    def record(self, principal: str, key: str) -> str:
        """The key under which the answer to a command is stored.

        The first two parts are written as netstrings, so no choice of principal or key can meet another's.
        """
        scope = f"{len(self.aggregate)}:{self.aggregate},{len(principal)}:{principal},{key}"
        return f"{self.tag}:idem:{sha256(scope.encode()).hexdigest()[:32]}"


@lru_cache(maxsize=PARTITIONS)
def partition_keys(number: int) -> PartitionKeys:
    """The keys of partition `number`.

    Raises:
        ValueError: There is no such partition.
    """
    if not 0 <= number < PARTITIONS:
        raise ValueError(f"partition {number}, but there are 0 to {PARTITIONS - 1}")
    tag = _tag(number)
    return PartitionKeys(
        due=f"{tag}:due",
        feed=f"{tag}:feed",
        gaps=f"{tag}:gaps",
        index=f"{tag}:idx",
        openings=f"{tag}:open",
        pulse=f"{tag}:pulse",
    )


@lru_cache(maxsize=4096)
def keys_of(aggregate: str) -> Keys:
    """The keys of an aggregate."""
    number = partition(aggregate)
    tag = _tag(number)
    shared = partition_keys(number)
    stream, secrets, people, rounds = (f"{tag}:{kind}:{aggregate}" for kind in ("log", "sec", "ppl", "rnd"))
    return Keys(
        aggregate=aggregate,
        tag=tag,
        shared=shared,
        stream=stream,
        secrets=secrets,
        people=people,
        rounds=rounds,
        snapshot=f"{tag}:snap:{aggregate}",
        told=(stream, shared.feed),
        timed=(shared.due, shared.openings, shared.pulse),
        beside=(secrets, people, rounds, shared.index),
    )


def _tag(number: int) -> str:
    return f"{{p{number:02d}}}"
