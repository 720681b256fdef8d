"""What is true of a cut whatever people do (fairness 1.4, 1.7, 1.8).

The rig replays the log after every command, so each of these is a property of replay as well.
"""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.game import Option
from dealer.rules.frame.refusal import Refusal
from dealer.table.aggregate import handle
from dealer.table.authority import Caller, to_act
from dealer.table.corte import INCIDENT, MOST_ABORTS
from shoe.corte import commitment, contribution_commit
from shoe.shoe import Shoe
from shoe.verify import verify_record
from tests.table.cut import check_seal, secret
from tests.table.rig import LOG, Rig, pid, seeds, stake

pytestmark = pytest.mark.usefixtures("uncounted")

PEOPLE = (1, 2, 11, 1001, 101)
"""The last of them only watches."""
STEPS = st.lists(
    st.tuples(st.integers(0, 20), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)),
    min_size=10,
    max_size=70,
)
OPTIONS = st.sampled_from(
    [
        {},
        {"cut_spectators": True},
        {"corte": "required", "min_contributors": 2, "cut_spectators": True},
        {"corte": "required", "min_contributors": 3},
        {"corte": "off"},
    ]
)


def place(number: int) -> int:
    """Where somebody cuts."""
    return 1 + number % 150


class Walk:
    """A table at which people do anything in any order; each shoe gives one coup."""

    def __init__(self, **chosen: Any) -> None:
        self.rig = Rig(stop_card=155, **chosen)
        for number in PEOPLE[:-1]:
            self.rig.sit(number)
            self.rig.attempt(cmd.SetCutWilling(willing=number != 2), pid(number), "player")
        self.rig.fund()

    def step(self, kind: int, who: int, other: int) -> None:
        """Somebody tries something; some of it is refused."""
        turn = self.awaited(who)
        commands: dict[int, cmd.Command] = {
            0: cmd.SetCutWilling(willing=True),
            1: cmd.SetCutWilling(willing=False),
            2: cmd.CutDecline(),
            3: cmd.Leave(),
            4: cmd.Sit(seat=who) if who < 101 else cmd.Join(),
            5: self.reveal(other, cut=0),
            6: self.reveal(other, cut=place(other) + 1),
            7: self.reveal(other),
            8: self.commit(who),
        }
        if kind in commands:
            self.rig.attempt(commands[kind], pid(who), "player")
        elif kind == 9:
            self.lift()
        elif kind == 10:
            self.time()
        elif kind < 14:
            self.coup()
        else:
            for command in (self.commit(turn), self.reveal(turn)):
                self.rig.attempt(command, pid(turn), "player")

    def awaited(self, who: int) -> int:
        """Somebody the cut waits for, anybody if it waits for nobody."""
        waiting = [n for d in self.rig.due() if d.decision.startswith("cut") for n in d.seats]
        return waiting[who % len(waiting)] if waiting else who

    def commit(self, number: int) -> cmd.CutCommit:
        """A commitment to the open cut, or to none."""
        cut = self.rig.view()["cut"]
        digest = contribution_commit(
            LOG, cut.get("shuffle", 1), cut.get("commitment", ""), number, place(number), secret(number)
        )
        return cmd.CutCommit(commit=digest, seat=number)

    def reveal(self, number: int, cut: int = 0) -> cmd.CutReveal:
        """What opens this number's commitment, or a cut that does not."""
        return cmd.CutReveal(cut=cut or place(number), reveal=secret(number), seat=number)

    def lift(self) -> None:
        """Two hosts lift a pause, or one pauses."""
        if self.rig.table.status == "open":
            self.rig.host(cmd.Pause())
        self.rig.host(cmd.ProposeCorrection(kind="resume"))
        self.rig.send(cmd.ApproveCorrection(), "pid_second_host", "host")

    def time(self) -> None:
        """The clock that runs runs out."""
        if any(d.kind == "timeout" and d.until is not None for d in self.rig.due()):
            self.rig.expire()

    def coup(self) -> None:
        """Somebody stakes on a sealed shoe and the coup is played by the rule, which ends the shoe."""
        if self.rig.table.phase == "betting" and self.rig.table.stack(11):
            self.rig.play(11, stake("left", 1))
            while self.rig.table.playing:
                self.rig.expire()

    def check_offers(self) -> None:
        """Every command of the cut that is offered would be taken."""
        rig = self.rig
        people = {n: seat.pid for n, seat in rig.table.seats.items()} | {0: "pid_new"}
        for number, sender in people.items():
            for option in rig.options(number):
                if "cut" in option.type and option.type != "cash_out":
                    act = to_act(rig.table, Caller(sender, "player", sender), self._command(option), rig.now)
                    assert not isinstance(act, Refusal), option
                    assert not isinstance(handle(rig.game, rig.table, rig.chance, act), Refusal), option

    def _command(self, option: Option) -> cmd.Command:
        if option.type == "set_cut_willing":
            return cmd.SetCutWilling(**option.fields)
        if option.type == "cut_decline":
            return cmd.CutDecline(decision=option.decision)
        seat = option.fields["seat"]
        return self.commit(seat) if option.type == "cut_commit" else self.reveal(seat)


def check_numbers(rig: Rig) -> None:
    """Each shuffle has one end, in order and without a gap; its seed is public only then (1.2, 1.4)."""
    ends = [e.data for e in rig.events if isinstance(e.data, ev.ShoeSealed | ev.CorteAborted)]
    assert [d.shuffle for d in ends] == list(range(1, len(ends) + 1))
    public = {d.shuffle: d.seed for d in (*rig.of(ev.SeedRevealed), *rig.of(ev.CorteAborted))}
    committed = rig.of(ev.SeedsCommitted)[0].commitments
    for number, seed in enumerate(seeds(1, 32), 1):
        shown = sum(stored.count(seed.hex().encode()) for stored in rig.stored)
        assert shown == (1 if number in public else 0)
        assert (rig.secrets[number] is None) == (number in public)
        assert number not in public or public[number] == seed.hex()
        assert commitment(LOG, number, seed) == committed[number - 1]


def check_aborts(rig: Rig) -> None:
    """Each shoe stops the table at its second aborted attempt and at each one after it (1.7)."""
    aborts = 0
    for before, event in zip(rig.events, rig.events[1:], strict=False):
        if isinstance(before.data, ev.CorteAborted):
            aborts += 1
            stopped = isinstance(event.data, ev.TablePaused) and event.data.reason == INCIDENT
            assert stopped == (aborts >= MOST_ABORTS)
            assert before.data.missing
        elif isinstance(before.data, ev.ShoeSealed):
            aborts = 0


def check_shoes(rig: Rig, least: int) -> None:
    """Each shoe has the contributions of its attempt, enough of them; a finished one verifies (1.12)."""
    seals = rig.of(ev.ShoeSealed)
    closed = {d.shuffle: {c.seat: c.commit for c in d.commits} for d in rig.of(ev.CorteClosed)}
    cutters = {d.shuffle: d.cutter for d in rig.of(ev.CorteOpened)}
    for sealed in seals:
        transcript = sealed.transcript
        given = {c.seat: c.commit for c in transcript.contributions}
        assert given == closed.get(sealed.shuffle, {})
        assert transcript.cutter == cutters.get(sealed.shuffle, 0)
        assert sealed.contributors == len(given) >= least
    if seals:
        check_seal(rig, seeds(seals[-1].shuffle, 1)[0])
    for over in rig.of(ev.SeedRevealed):
        sealed = next(s for s in seals if s.shuffle == over.shuffle)
        exposed = [d.pos for d in rig.of(ev.CardExposed) if d.shuffle == over.shuffle]
        record = Shoe(sealed.transcript, bytes.fromhex(over.seed)).record(exposed)
        assert (record["shoe_root"], record["transcript_hash"]) == (sealed.shoe_root, sealed.transcript_hash)
        assert verify_record(record) == []


def check_secrets(rig: Rig) -> None:
    """What a contributor drew is in the log only where it was revealed (1.9)."""
    for number in PEOPLE:
        told = [e.type for e, s in zip(rig.events, rig.stored, strict=True) if secret(number).encode() in s]
        assert set(told) <= {"corte.revealed", "shoe.sealed"}


@settings(max_examples=50, deadline=None)
@given(STEPS, OPTIONS)
@example(
    [(8, 11, 1), (14, 1, 1), (1, 1, 1), (10, 1, 1), (9, 1, 1)],
    {"corte": "required", "min_contributors": 2},
)
def test_whatever_people_do_a_cut_holds(steps: list[tuple[int, int, int]], chosen: dict[str, Any]) -> None:
    """Replay, numbers, secrets, aborts and every shoe's record are right after any script (1.4, 1.7)."""
    walk = Walk(**chosen)
    for step in steps:
        walk.step(*step)
    least = chosen.get("min_contributors", 0)
    check_numbers(walk.rig)
    check_aborts(walk.rig)
    check_shoes(walk.rig, least)
    check_secrets(walk.rig)
    assert chosen.get("corte") != "off" or not walk.rig.of(ev.CorteOpened)


@settings(max_examples=40, deadline=None)
@given(STEPS, OPTIONS)
def test_every_cut_command_offered_is_taken(
    steps: list[tuple[int, int, int]], chosen: dict[str, Any]
) -> None:
    """`options` and the rules of the cut agree on everybody in every state (design 3)."""
    walk = Walk(**chosen)
    for step in steps:
        walk.step(*step)
        walk.check_offers()


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.sampled_from(PEOPLE[:-1]), st.integers(1, 155), min_size=1),
    st.randoms(use_true_random=False),
)
def test_the_order_of_arrival_does_not_matter(cuts: dict[int, int], chance: Any) -> None:
    """Whoever commits and reveals first, the same contributions make the same shoe (1.4, step 6)."""
    roots = set()
    for _ in range(2):
        rig = Rig()
        for number in cuts:
            rig.sit(number)
            rig.play(number, cmd.SetCutWilling(willing=True))
        rig.fund()
        seed = rig.view()["cut"]["commitment"]
        for kind in ("commit", "reveal"):
            people = list(cuts)
            chance.shuffle(people)
            for number in people:
                digest = contribution_commit(LOG, 1, seed, number, cuts[number], secret(number))
                said = cmd.CutCommit(commit=digest)
                shown = cmd.CutReveal(cut=cuts[number], reveal=secret(number))
                rig.play(number, said if kind == "commit" else shown)
        roots.add(rig.of(ev.ShoeSealed)[0].shoe_root)
        check_seal(rig, seeds(1, 1)[0])
    assert len(roots) == 1
