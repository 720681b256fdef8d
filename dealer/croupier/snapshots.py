"""The snapshots of one aggregate: opening it from the last one, and taking the next (design 5).

A snapshot saves time and nothing else. One that cannot be used is passed over, and the log is read from its
beginning; but what it says of the log's bytes holds all the same, so a log that contradicts it is damaged.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from hashlib import sha256
from typing import Generic

import msgspec
import structlog

from dealer.croupier.kind import S
from dealer.journal.errors import JournalDamaged, JournalError
from dealer.journal.journal import Journal
from dealer.journal.range import Range, leaf_hash
from dealer.rules.frame.form import Form
from dealer.rules.frame.refusal import ChipsBroken

EVERY = 256
"""Events after which the next snapshot is due."""
PAGE = 1_024
"""Events of a long log that are read, and evolved, without letting others in between."""
HASHED = 256
"""The same for events that are hashed for a snapshot, while others play."""
_DIGEST = 32

log = structlog.get_logger()


class _Kept(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What lies in the journal, after its own SHA-256. The order of its fields is a stored format.

    Attributes:
        schema: digest of the form in which `state` is written.
        range: all events the state comes from.
    """

    schema: str
    range: Range
    state: bytes


class Snapshots(Generic[S]):
    """The snapshots of one aggregate, as one node loads and takes them.

    Args:
        journal: where log and snapshot are.
        aggregate: id such as `t/tbl_ab12`.
        origin: full origin of the log.
        form: how states are written down.
        flaw: why a state cannot be, empty if it can.
    """

    def __init__(
        self, journal: Journal, aggregate: str, origin: str, form: Form[S], flaw: Callable[[S], str]
    ) -> None:
        self._journal = journal
        self._aggregate = aggregate
        self._origin = origin
        self._form = form
        self._flaw = flaw
        self._range = Range()
        self._witness = Range()
        self._held = 0
        self._taking: asyncio.Task[None] | None = None

    async def open(self, unborn: S, read: Callable[[S, Sequence[bytes]], tuple[S, object]]) -> S:
        """The state the log leads to, from the snapshot on if there is one that can be used.

        Args:
            unborn: the state before the first event.
            read: the state that stored events lead to from another.

        Raises:
            JournalDamaged: the log is not the one its snapshot saw, cannot be read, or leads to no state.
            JournalError: the journal cannot be read now.
        """
        state = await self._load() or unborn
        flaw = ""
        try:
            async for stored in self._pages():
                state, _ = read(state, stored)
            if state.seq >= 0:
                flaw = self._flaw(state)
        except (msgspec.MsgspecError, ChipsBroken, LookupError, ValueError) as error:
            flaw = f"{type(error).__name__}: {error}"
        if flaw:
            raise JournalDamaged(f"{self._aggregate}: no log leads to what follows event {state.seq}: {flaw}")
        return state

    def behind(self, seq: int) -> int:
        """How many events up to `seq` neither the last good snapshot nor the last attempt at one holds."""
        return 0 if self._taking else seq + 1 - self._held

    def take(self, state: S) -> None:
        """Take a snapshot of a durable state, while whoever waits for an answer gets it."""
        self._held = state.seq + 1
        self._taking = asyncio.create_task(self._take(state))

    async def rest(self) -> None:
        """Wait until no snapshot is being taken."""
        if self._taking is not None:
            await asyncio.wait([self._taking])

    async def _take(self, state: S) -> None:
        """Nothing depends on it: what goes wrong is logged, and the next one is tried when it is due."""
        try:
            flaw = self._flaw(state)
            if flaw:
                log.error("state_unreachable", aggregate=self._aggregate, seq=state.seq, reason=flaw)
                return
            packed = self._form.pack(state)
            self._range = await self._reach(state.seq)
            body = msgspec.msgpack.encode(_Kept(self._form.digest, self._range, packed))
            await self._journal.keep_snapshot(self._aggregate, state.seq, sha256(body).digest() + body)
        except JournalError as trouble:
            log.warning("snapshot_not_kept", aggregate=self._aggregate, reason=str(trouble))
        except Exception:
            log.exception("snapshot_failed", aggregate=self._aggregate)
        finally:
            self._taking = None

    async def _reach(self, seq: int) -> Range:
        """The range up to an event, from the bytes in the journal."""
        reach = self._range
        while reach.size <= seq:
            wanted = min(PAGE, seq + 1 - reach.size)
            stored = await self._journal.read(self._aggregate, reach.size - 1, wanted)
            if not stored:
                raise JournalDamaged(f"{self._aggregate}: event {reach.size} is missing")
            for begin in range(0, len(stored), HASHED):
                reach = reach.extended(stored[begin : begin + HASHED])
                await asyncio.sleep(0)
        return reach

    async def _load(self) -> S | None:
        """The state in the snapshot, None if there is none that can be used."""
        self._range, self._witness, self._held = Range(), Range(), 0
        blob = await self._journal.snapshot(self._aggregate)
        if blob is None:
            return None
        try:
            return self._opened(blob)
        except (msgspec.MsgspecError, LookupError, ValueError) as error:
            log.warning("snapshot_ignored", aggregate=self._aggregate, reason=str(error))
            return None

    async def _pages(self) -> AsyncIterator[list[bytes]]:
        """The log after the loaded state, or all of it; what a snapshot knows of it is compared."""
        last, again = self._held - 1, 1 if self._held else 0
        full = True
        while full:
            stored = await self._journal.read(self._aggregate, last - again, PAGE)
            full = len(stored) == PAGE
            if again and (not stored or leaf_hash(stored[0]) != self._range.tip):
                raise JournalDamaged(f"{self._aggregate}: event {last} is not the one its snapshot ends with")
            del stored[:again]
            again = 0
            self._compare(stored)
            last += len(stored)
            if stored:
                yield stored
        if self._range.size < self._witness.size:
            raise JournalDamaged(
                f"{self._aggregate}: the log ends at event {last}, its snapshot at {self._witness.size - 1}"
            )

    def _opened(self, blob: bytes) -> S:
        """The state in a blob, whose range is a witness of the log even where the state cannot be used.

        Raises:
            ValueError: the state cannot be used.
        """
        digest, body = blob[:_DIGEST], blob[_DIGEST:]
        if sha256(body).digest() != digest:
            raise ValueError("its bytes are not those that were kept")
        kept = msgspec.msgpack.decode(body, type=_Kept)
        self._witness = kept.range
        if kept.schema != self._form.digest:
            raise ValueError("it is of another schema")
        state = self._form.unpack(kept.state)
        reason = self._flaw(state)
        if reason:
            raise ValueError(reason)
        if (state.log, state.seq) != (self._origin, kept.range.size - 1):
            raise ValueError(f"it holds event {state.seq} of {state.log}")
        self._range, self._held = kept.range, kept.range.size
        return state

    def _compare(self, stored: list[bytes]) -> None:
        """Hash what a snapshot that could not be used is a witness of."""
        missing = self._witness.size - self._range.size
        if missing <= 0:
            return
        self._range = self._range.extended(stored[:missing])
        if self._range.size == self._witness.size and self._range != self._witness:
            raise JournalDamaged(
                f"{self._aggregate}: some event up to {self._range.size - 1} is not the one its snapshot saw"
            )
