"""What is true at a table where players bank, whatever people do (rules/baccarat.md, section 15.4)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.commands import (
    AcceptBank,
    BidBank,
    Consent,
    DeclineBank,
    EndBank,
    EnterLot,
    OfferBank,
)
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import LotDrawn, SeedRevealed
from shoe.shoe import Shoe
from shoe.verify import verify_record
from tests.bacara.banks import word
from tests.table.chores import do_chores
from tests.table.rig import pid
from tests.table.walk import KINDS, PEOPLE, Step, Walk

pytestmark = pytest.mark.usefixtures("uncounted")

MODES = ("volunteer", "auction", "lot", "house")
WORDS = 16
"""Kinds of steps that are about the bank; they follow those of every walk."""
STEPS = st.lists(
    st.tuples(st.integers(0, KINDS + WORDS), st.integers(0, 4), st.integers(1, 70)),
    min_size=10,
    max_size=60,
)
OPTIONS = st.fixed_dictionaries(
    {"bank_modes": st.lists(st.sampled_from(MODES), min_size=1, unique=True)},
    optional={
        "min_bank": st.just(10),
        "max_bank": st.just(40),
        "coverage": st.just("after"),
        "stop_card": st.just(150),
        "consent_ms": st.just(0),
        "banker_away_ms": st.sampled_from([0, 1_000]),
        "automations": st.just([]),
        "house_bank": st.just(30),
    },
)


class BankWalk(Walk):
    """A walk in which people also say what there is to say about the bank."""

    def step(self, step: Step) -> None:
        """One word about the bank, fitting or not, or a step of any walk."""
        kind, who, amount = step
        if kind <= KINDS:
            super().step(step)
            return
        seat = PEOPLE[who % len(PEOPLE)]
        words: list[cmd.Command] = [
            OfferBank(amount=amount),
            BidBank(amount=amount),
            EnterLot(),
            AcceptBank(amount=amount),
            DeclineBank(),
            EndBank(),
            Consent(yes=amount > 1),
        ]
        number = kind - KINDS - 1
        if number < len(words):
            self.rig.attempt(words[number], pid(seat), "player")
        elif number < len(words) + 2:
            self._all_agree()
        else:
            self._offered(seat, amount)
        do_chores(self.rig, self._luck)

    def _all_agree(self) -> None:
        """Everybody who is asked says yes."""
        for seat in sorted(self.rig.table.play.seeking.awaited):
            self.rig.attempt(Consent(yes=True), self.rig.table.seats[seat].pid, "player")

    def _offered(self, seat: int, pick: int) -> None:
        """One of the things that are offered to somebody about the bank."""
        mine = self.rig.table.seat_of(pid(seat))
        about = ("offer_bank", "bid_bank", "enter_lot", "accept_bank", "consent")
        found = [o for o in self.rig.options(mine) if o.type in about] if mine else []
        for option in found[pick % max(1, len(found)) :][:1]:
            fields = dict(option.fields)
            if option.min is not None and option.max is not None:
                fields["amount"] = option.min + pick % (option.max - option.min + 1)
            if option.type == "consent":
                fields["yes"] = True
            self.rig.play(mine, word(option.type, **fields))

    def check_bank(self) -> None:
        """The banker sits, has staked nothing and is no mano; without a bank nothing stands in its place."""
        table, play = self.rig.table, self.rig.table.play
        if table.status == "closed":
            return
        if play.banker:
            assert play.banker in table.seats
            assert all(s.seat != play.banker for s in play.stakes.values())
            assert play.banker not in play.holders.values()
            assert play.seeking == type(play.seeking)()
        if not play.bank_mode:
            assert "bank" not in table.chips
            assert table.phase == "no_bank"
        seeking = play.seeking
        known = {*seeking.awaited, *seeking.consented, *(c.seat for c in seeking.queue), seeking.candidate}
        assert known - {0} <= table.seats.keys()
        waiting = [d for d in self.rig.due() if d.kind == "timeout"]
        if table.status == "open" and table.phase == "no_bank":
            assert len(waiting) == bool(seeking.mode and seeking.step)

    def check_lots(self) -> None:
        """Each lot of the walk verifies from the log alone."""
        opened = {d.shuffle: d.seed for d in self.rig.of(SeedRevealed)}
        for drawn in self.rig.of(LotDrawn):
            shoe = Shoe(drawn.transcript, bytes.fromhex(opened[drawn.shuffle]))
            assert verify_record(shoe.record(range(len(drawn.cards)))) == []
            assert [shoe.opening(n) for n in range(len(drawn.cards))] == list(drawn.cards)
            assert self.rig.secrets[drawn.shuffle] is None


@settings(max_examples=80, deadline=None)
@given(STEPS, OPTIONS, st.integers(0, 10**6))
def test_whoever_banks_the_table_holds(steps: list[Step], chosen: dict[str, Any], luck: int) -> None:
    """Chips add up and the log replays at every step, whatever way the bank is got (R-00, R-15, R-54)."""
    walk = BankWalk(luck, **chosen)
    for step in steps:
        walk.step(step)
        walk.check_shown()
        walk.check_bank()
    walk.check_log()
    walk.check_coups()
    walk.check_lots()


@settings(max_examples=40, deadline=None)
@given(STEPS, OPTIONS, st.integers(0, 10**6), st.integers(0, 99))
def test_what_is_offered_about_the_bank_is_taken(
    steps: list[Step], chosen: dict[str, Any], luck: int, pick: int
) -> None:
    """`options` and the rules agree on every seat in every state (R-51 to R-53, R-56, R-57)."""
    walk = BankWalk(luck, **chosen)
    for number, step in enumerate(steps):
        walk.step(step)
        if number % 3 == 0:
            walk.check_options(pick)


@settings(max_examples=30, deadline=None)
@given(STEPS, st.integers(0, 10**6))
def test_a_bot_always_has_a_word_when_it_is_its_turn(steps: list[Step], luck: int) -> None:
    """Asked for its consent too (design 3, Bots)."""
    walk = BankWalk(luck, bank_modes=["volunteer", "auction", "lot"])
    for step in steps:
        walk.step(step)
        rig = walk.rig
        for turn in [d for d in rig.due() if d.kind == "bot"]:
            (seat,) = turn.seats
            assert POLICIES["steady"](rig.view(), rig.hand(seat), rig.options(seat)) is not None
