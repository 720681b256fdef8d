"""The ends of every option: a table that opens either plays or shows what it waits for (A-02, R-08, R-25)."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.cage.ledger import HOUSE, Cage, Hold, handle
from dealer.rules.bacara.bots import POLICIES
from dealer.rules.bacara.events import BankRefused
from dealer.rules.bacara.game import BACARA
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import RoundEnded
from dealer.rules.frame.game import Due
from dealer.rules.frame.profile import Setting, resolve
from dealer.rules.frame.refusal import Refusal
from tests.bacara.banks import word
from tests.bacara.profiles import SEED
from tests.table.rig import Rig, seeds

SETTINGS = SEED.modes["dos-panos"].options
BOTS = (1, 12)
PERSON = 11
"""Somebody who banks whenever he may, and does nothing else."""
PURSE = 5 * 10**12
STEPS = 120
REFUSALS = 5


def _ends(setting: Setting) -> Iterator[Any]:
    """Every value of a few, both ends of a range, some lists of what a list may hold."""
    yield from setting.allowed
    yield from (end for end in (setting.min, setting.max) if end is not None)
    yield from ([item] for item in setting.items)
    yield from map(list, list(permutations(setting.items))[1::7] if setting.items else ())


ENDS = {name: list(_ends(setting)) for name, setting in SETTINGS.items()}
AUTOMATIONS = [[], *([each] for each in SEED.automations)]


class Party:
    """Two bots and a person at a table, and the house that keeps time."""

    def __init__(self, chosen: dict[str, Any]) -> None:
        self.rig = Rig(**chosen)
        for seat in BOTS:
            if seat in self.rig.game.seat_numbers(self.rig.table):
                self.rig.host(cmd.SeatBot(seat=seat, policy="steady"), f"pid_bot_{seat}")
                self.rig.buy_in(seat, PURSE)
        self.rig.sit(PERSON, PURSE)

    def play(self) -> None:
        """Go on until a coup is over, or nothing happens any more by itself."""
        for _ in range(STEPS):
            if self.rig.of(RoundEnded) or not (self._banks() or self._next()):
                return
        pytest.fail(f"it goes round and round in {self.rig.table.phase}")

    def _banks(self) -> bool:
        """The person takes part in whatever leads to a bank, with the most he may, until nobody wants him."""
        if self._unwanted():
            return False
        for option in self.rig.options(PERSON):
            if option.type in {"offer_bank", "bid_bank", "enter_lot", "accept_bank", "consent"}:
                queue = self.rig.view()["seeking"]["queue"]
                if option.type == "bid_bank" and queue:
                    continue
                amount = {} if option.max is None else {"amount": option.max}
                self.rig.play(PERSON, word(option.type, **option.fields, **amount))
                return True
        return False

    def _next(self) -> bool:
        """Whatever is due first happens."""
        timed = sorted((d for d in self.rig.due() if d.until is not None), key=lambda d: d.until or 0)
        if not timed:
            return False
        self.rig.now = max(self.rig.now, timed[0].until or 0)
        self._happen(timed[0])
        return True

    def _happen(self, due: Due) -> None:
        rig = self.rig
        if due.kind == "timeout":
            rig.send(cmd.Expire(decision=due.decision))
        elif due.kind == "bot":
            (seat,) = due.seats
            command = POLICIES["steady"](rig.view(), rig.hand(seat), rig.options(seat))
            assert command is not None
            rig.send(command, rig.table.seats[seat].pid, "bot")
        elif due.decision.startswith("house:"):
            rig.fund()
        elif due.decision.startswith("seeds:"):
            first = int(due.decision.removeprefix("seeds:"))
            rig.send(cmd.CommitSeeds(due.decision, seeds(first, 32)))
        else:
            rig.send(cmd.CashedOut(due.decision))

    def waits(self) -> bool:
        """Whether the view says whom or what the table waits for; in `no_bank` it is a banker."""
        view = self.rig.view()
        return bool(view["due"]) or view["cut"].get("step") == "waiting" or self._unwanted()

    def _unwanted(self) -> bool:
        """Bots that think longer than they are given to consent have refused him again and again."""
        return self.rig.table.phase == "no_bank" and len(self.rig.of(BankRefused)) > REFUSALS


def _check(chosen: dict[str, Any]) -> None:
    """Whoever chooses this is told that it cannot be, or has a table that plays or says what it waits for."""
    options = resolve(SEED, "dos-panos", {name: value for name, value in chosen.items() if name in SETTINGS})
    assert not isinstance(options, Refusal), options
    refused = BACARA.check_options(options)
    if refused is not None:
        assert refused.code == "options_conflict"
        assert set(refused.params["options"]) & chosen.keys()
        return
    party = Party(chosen)
    party.play()
    assert party.rig.of(RoundEnded) or party.waits(), party.rig.view()


@pytest.mark.parametrize("name", SETTINGS)
def test_no_option_silences_a_table(name: str) -> None:
    """Each end of each option alone, the others as the profile has them (section 13)."""
    for value in ENDS[name]:
        _check({name: value})


@pytest.mark.usefixtures("uncounted")
@settings(max_examples=100, deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            **{name: st.sampled_from(ends) for name, ends in ENDS.items()},
            "automations": st.sampled_from(AUTOMATIONS),
        },
    )
)
def test_nor_do_several_together(chosen: dict[str, Any]) -> None:
    """Whatever ends are chosen at once, also with chores left to a host (design 3, Automations)."""
    _check(chosen)


def test_the_largest_bank_can_be_issued() -> None:
    """The book has chips for the largest of all banks, at a thousand tables at once (R-50, design 7)."""
    largest = SETTINGS["house_bank"].max
    assert largest is not None
    cage = Cage(log="casa/c/main")
    for number in range(1_000):
        held = handle(cage, Hold(largest, HOUSE, f"t/{number}", f"x_{number}"), "croupier", 1)
        assert not isinstance(held, Refusal)
        cage = held[1]
