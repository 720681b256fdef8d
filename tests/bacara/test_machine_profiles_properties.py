"""What is true at a table of any profile whatever people do (rules/baccarat.md, section 15.4)."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.bacara.events import BankConstituted, BankEnded, StakesCovered
from dealer.rules.bacara.modes import HOUSE
from dealer.rules.bacara.state import funds
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.game import Option
from dealer.rules.frame.refusal import Refusal
from dealer.table import snapshot
from dealer.table.aggregate import handle
from dealer.table.authority import Caller, to_act
from tests.table.rig import HOST, OTHER_HOST, Rig, seeds

pytestmark = pytest.mark.usefixtures("uncounted")

TABLES: dict[str, dict[str, Any]] = {
    "tournant": {"profile": "seed", "mode": "tournant", "seats": 5, "stop_card": 140},
    "tournant after": {"profile": "seed", "mode": "tournant", "coverage": "after", "seats": 4},
    "chemin-de-fer": {"profile": "chemin-de-fer", "mode": "", "seats": 7, "stop_card": 290},
    "reglamento-1979": {"profile": "reglamento-1979", "mode": "", "stop_card": 295, "half_stakes": True},
    "reglamento-1979 open": {
        "profile": "reglamento-1979",
        "mode": "",
        "liability": "open",
        "follow_on": True,
    },
    "arrete-2007 limited": {
        "profile": "arrete-2007",
        "mode": "limited",
        "coverage": "after",
        "follow_on": True,
    },
    "arrete-2007 open": {"profile": "arrete-2007", "mode": "open", "stop_card": 300},
    "punto-y-banca": {
        "profile": "punto-y-banca",
        "mode": "",
        "pair_bets": True,
        "burn": "first_card",
        "house_bank": 200,
        "packs": 6,
        "stop_card": 270,
    },
    "punto-y-banca six": {
        "profile": "punto-y-banca",
        "mode": "",
        "commission_bp": 0,
        "six_pays_half": True,
        "house_bank": 90,
    },
}
STEPS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 99), st.integers(0, 99)), min_size=20, max_size=90
)


def _opened(chosen: dict[str, Any], luck: int) -> Rig:
    rig = Rig(luck=luck, **chosen)
    two = rig.table.options["panos"] == 2
    for seat in (1, 2, 11, 12, 1001) if two else (1, 2, 3, 4, 1001):
        rig.sit(seat, 60 + 20 * (seat % 3))
    if rig.table.options["panos"] == 2 or rig.table.options["seats"] > 4:
        rig.host(cmd.SeatBot(seat=13 if two else 5, policy="steady"), "pid_bot")
    return rig


def _chores(rig: Rig, luck: int) -> None:
    for chore in [each for each in rig.due() if each.kind == "chore"]:
        if chore.decision.startswith("house:"):
            rig.fund()
        elif chore.decision.startswith("seeds:"):
            first = int(chore.decision.removeprefix("seeds:"))
            rig.send(cmd.CommitSeeds(chore.decision, seeds(first, 32, luck)))
        else:
            rig.send(cmd.CashedOut(chore.decision))


def _command(rig: Rig, option: Option, amount: int) -> cmd.Command:
    document = {"type": option.type, **option.fields}
    if option.decision:
        document["decision"] = option.decision
    if option.min is not None and option.max is not None:
        document["amount"] = option.min + amount % (option.max - option.min + 1)
    kinds = {k.__struct_config__.tag: k for k in (*cmd.PUBLIC, *rig.game.commands)}
    command: cmd.Command = msgspec.convert(document, kinds[option.type])
    return command


def _offered(rig: Rig, seat: int) -> list[Option]:
    """What a seat may say of the game; coming and going is rare, so that walks get far."""
    rarely = {"buy_in", "set_cut_willing", "leave", "cash_out"}
    return [option for option in rig.options(seat) if option.type not in rarely]


def _step(rig: Rig, step: tuple[int, int, int], luck: int) -> None:
    kind, who, amount = step
    people = [n for n, seat in sorted(rig.table.seats.items()) if not seat.bot]
    if kind < 6 and people:
        seat = people[who % len(people)]
        found = _offered(rig, seat)
        if found:
            chosen = found[amount % len(found)]
            rig.send(_command(rig, chosen, amount), rig.table.seats[seat].pid, "player")
    elif kind == 6 and people and amount > 90:
        rig.attempt(cmd.Leave(), rig.table.seats[people[who % len(people)]].pid, "player")
    elif kind == 7 and amount > 80 and rig.table.playing:
        rig.attempt(cmd.ProposeCorrection(kind="void_round"), HOST, "host")
        rig.attempt(cmd.ApproveCorrection(), OTHER_HOST, "host")
    elif [each for each in rig.due() if each.kind == "timeout" and each.until is not None]:
        rig.expire()
    _chores(rig, luck)


def _check(rig: Rig, pick: int) -> None:
    """The state can be, and whatever is offered is taken."""
    assert snapshot.flaw(rig.game, rig.table) == ""
    form = snapshot.form(rig.game)
    assert form.unpack(form.pack(rig.table)) == rig.table
    _check_hidden(rig)
    for seat, held in rig.table.seats.items():
        for option in _offered(rig, seat):
            for amount in (0, pick, -1):
                command = _command(rig, option, amount)
                act = to_act(rig.table, Caller(held.pid, "player", held.pid), command, rig.now)
                assert not isinstance(act, Refusal)
                assert not isinstance(handle(rig.game, rig.table, rig.chance, act), Refusal), (option, amount)


def _check_hidden(rig: Rig) -> None:
    """The view shows open cards alone, and a hand only its holder (15.4 property 9)."""
    table, seen = rig.table, rig.view()
    hidden = [pos for hand in table.hands.values() for pos in hand if pos not in table.faces]
    assert [face for hand in seen["hands"].values() for face in hand].count("") == len(hidden)
    for seat in (0, *table.seats):
        held = [hand for hand, holder in table.play.holders.items() if holder == seat and seat]
        held += ["bank"] if seat and seat == table.play.banker else []
        own = [pos for hand in held for pos in table.hands.get(hand, ())] if table.playing else []
        assert sorted(card["pos"] for card in rig.hand(seat)) == sorted(own)


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=8, deadline=None)
@given(STEPS, st.integers(0, 10**6), st.integers(0, 99))
def test_whatever_people_do_the_table_holds(
    name: str, steps: list[tuple[int, int, int]], luck: int, pick: int
) -> None:
    """Chips add up, every state can be, what is offered is taken, no bank owes more than it has.

    15.4 properties 1, 2, 7, 10 and 12; R-00, R-28, R-29, R-96.
    """
    rig = _opened(TABLES[name], luck)
    _chores(rig, luck)
    for number, step in enumerate(steps):
        _step(rig, step, luck)
        if number % 4 == 0:
            _check(rig, pick)
    assert funds(rig.table) >= 0
    for covered in rig.of(StakesCovered):
        if rig.table.options["liability"] == "limited" and rig.table.options["coverage"] == "before":
            limit = covered.bank if "tie_pays" not in rig.table.options else 10**9
            assert sum(each.covered for each in covered.stakes) <= limit
    if rig.table.options["bank_modes"] == ["turn"]:
        reasons = {ended.reason for ended in rig.of(BankEnded)}
        assert reasons <= {"loss", "passed", "absent", "banco"}
    assert all((each.mode == HOUSE) == (each.banker == 0) for each in rig.of(BankConstituted))
