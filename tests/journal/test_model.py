"""The journal against a model of a dozen lines: any history of appends gives what the model gives."""

import asyncio
import itertools
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from dealer.journal import Appended, Conflict, Entry, Extras, Journal, Known, Record, Round
from tests.journal.server import Server

pytestmark = pytest.mark.usefixtures("uncounted")

KEYS = st.tuples(st.sampled_from(["acc_1", "acc_2"]), st.text("abc", min_size=1, max_size=2))
COMMANDS = st.lists(
    st.tuples(KEYS, st.binary(max_size=4), st.lists(st.binary(max_size=40), max_size=4)),
    min_size=1,
    max_size=5,
    unique_by=lambda command: command[0],
)
BLOBS = st.dictionaries(st.sampled_from("xyz"), st.none() | st.binary(max_size=4), max_size=2)
PEOPLE = st.dictionaries(st.sampled_from(["pid_1", "pid_2"]), st.text(max_size=4), max_size=1)


class JournalMachine(RuleBasedStateMachine):
    """Appends at right and wrong versions, with new and known keys, and compares all that can be read."""

    runner: asyncio.Runner
    journal: Journal
    names = itertools.count()

    def __init__(self) -> None:
        super().__init__()
        self.name = f"t/tbl_{next(self.names)}"
        self.log: list[bytes] = []
        self.records: dict[tuple[str, str], Record] = {}
        self.secrets: dict[str, bytes] = {}
        self.people: dict[str, str] = {}
        self.rounds: list[Round] = []
        self.listed = False

    @rule(
        commands=COMMANDS,
        off=st.sampled_from([0, 0, 0, 1, -1]),
        blobs=BLOBS,
        people=PEOPLE,
        listed=st.booleans(),
    )
    def append(
        self,
        commands: list[tuple[tuple[str, str], bytes, list[bytes]]],
        off: int,
        blobs: dict[str, bytes | None],
        people: dict[str, str],
        listed: bool,
    ) -> None:
        """Append what the model then appends too, or is told why not."""
        last = len(self.log) - 1
        expected = max(-1, last + off)
        events = [event for _, _, made in commands for event in made]
        rounds = {len(self.rounds) + 1: expected + 1} if events else {}
        extras = Extras(secrets=blobs, people=people, rounds=rounds, listed=listed)
        entries = [Entry(*key, f"hash {key}", outcome, tuple(made)) for key, outcome, made in commands]
        answer = self.run(self._append(expected, entries, extras))

        known = {i: self.records[key] for i, (key, _, _) in enumerate(commands) if key in self.records}
        if known:
            assert answer == Known(known, last)
            return
        if expected != last:
            assert answer == Conflict(last)
            return
        for key, outcome, made in commands:
            first = len(self.log)
            self.log += made
            self.records[key] = Record(f"hash {key}", outcome, first, len(self.log) - 1)
        assert answer == Appended(expected + 1, len(self.log) - 1)
        self.secrets = {name: blob for name, blob in (self.secrets | blobs).items() if blob is not None}
        self.people |= people
        self.rounds += [Round(number, first) for number, first in rounds.items()]
        self.listed |= listed

    @rule(after=st.integers(-1, 30), limit=st.none() | st.integers(0, 30))
    def read(self, after: int, limit: int | None) -> None:
        """Any part of the log is that part of the model's."""
        expected = self.log[after + 1 :][:limit]
        assert self.run(self.journal.read(self.name, after, limit)) == expected

    @rule(key=KEYS)
    def known(self, key: tuple[str, str]) -> None:
        """A key answers what the model has for it."""
        assert self.run(self.journal.known(self.name, *key)) == self.records.get(key)

    @invariant()
    def all_else_agrees(self) -> None:
        """Log, secrets, people, rounds and list are the model's at every moment."""
        assert self.run(self.journal.read(self.name)) == self.log
        assert self.run(self.journal.last(self.name)) == len(self.log) - 1
        assert self.run(self.journal.secrets(self.name)) == self.secrets
        assert self.run(self.journal.people(self.name)) == self.people
        assert self.run(self.journal.rounds(self.name)) == self.rounds
        assert (self.name in self.run(self.journal.aggregates("t/"))) is self.listed

    async def _append(self, *given: Any) -> Any:
        return await self.journal.append(self.name, *given)

    def run(self, work: Any) -> Any:
        """Let the machine's loop do it."""
        return self.runner.run(work)


def test_any_history_of_appends_is_the_models(server: Server) -> None:
    """Known before conflict before append, all or nothing, for arbitrary batches and extras."""
    with asyncio.Runner() as runner:
        client = server.client()
        JournalMachine.runner, JournalMachine.journal = runner, Journal(client)
        runner.run(JournalMachine.journal.open())
        try:
            run_state_machine_as_test(
                JournalMachine,
                settings=settings(
                    max_examples=20,
                    stateful_step_count=20,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(JournalMachine.journal.close())
            runner.run(client.aclose())
