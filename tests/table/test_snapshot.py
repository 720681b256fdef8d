"""A table written down and read back is the same table, and one that cannot be is not taken (design 5)."""

import os
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dealer.rules.bacara.state import Seeking
from dealer.rules.frame.commands import Pause
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.form import Form
from dealer.rules.frame.state import Aborts, Claim, Contributor, Proposal, Seat, Table
from dealer.table.snapshot import flaw, form
from shoe.shoe import Shoe
from tests.bacara.banks import peopled
from tests.table import cut as cuts
from tests.table.rig import Rig, by_hand, opened, pid, seeds
from tests.table.walk import KINDS, Walk

STEPS = st.lists(
    st.tuples(st.integers(0, KINDS), st.integers(0, 4), st.integers(1, 80)), min_size=20, max_size=60
)


def _copy(rig: Rig) -> Table:
    """The table of a rig as a snapshot gives it back."""
    kept = form(rig.game)
    packed = kept.pack(rig.table)
    read = kept.unpack(packed)
    assert kept.pack(read) == packed
    return read


@settings(deadline=None, max_examples=15)
@given(STEPS, st.integers(0, 5))
def test_whatever_people_do_a_snapshot_is_the_state(steps: list[tuple[int, int, int]], luck: int) -> None:
    """After every command: equal when read back, and nothing about it is taken for impossible."""
    walk = Walk(luck)
    for step in steps:
        walk.step(step)
        assert flaw(walk.rig.game, walk.rig.table) == ""
        assert _copy(walk.rig) == walk.rig.table


@settings(deadline=None, max_examples=15)
@given(STEPS, st.integers(0, 5))
def test_a_table_from_snapshots_writes_the_same_log(steps: list[tuple[int, int, int]], luck: int) -> None:
    """Byte for byte, if it is loaded anew before every step: the order of moves is in it too."""
    plain, loaded = Walk(luck), Walk(luck)
    for step in steps:
        plain.step(step)
        loaded.rig.table = _copy(loaded.rig)
        loaded.step(step)
    assert loaded.rig.stored == plain.rig.stored


@settings(deadline=None, max_examples=15)
@given(STEPS, st.integers(0, 5))
def test_nothing_hidden_is_in_it(steps: list[tuple[int, int, int]], luck: int) -> None:
    """No seed, no nonce, and no face but of this round's open cards (S-20 b, design 2)."""
    walk = Walk(luck)
    for step in steps:
        walk.step(step)
    rig, table = walk.rig, walk.rig.table
    packed = form(rig.game).pack(table)
    secret = list(seeds(1, table.shuffles + 40, luck))
    if table.shoe is not None:
        shoe = Shoe(table.shoe.transcript, seeds(table.shoe.shuffle, 1, luck)[0])
        secret += [bytes.fromhex(shoe.nonce(pos)) for pos in range(table.shoe.size)]
    assert not [one for one in secret if one in packed or one.hex().encode() in packed]
    turned = {d.pos: d.card for d in rig.of(CardExposed)}
    assert table.faces.items() <= turned.items()
    unturned = {pos for hand in table.hands.values() for pos in hand} - table.faces.keys()
    assert not unturned & {
        e.data.pos for e in rig.events if e.type == "card.exposed" and e.round == table.round
    }


def test_an_open_cut_is_kept() -> None:
    """Commitments, what is open of them, and who let it pass."""
    rig = cuts.asked((1, 2, 11))
    cuts.commit(rig, 1)
    cuts.commit(rig, 2)
    rig.expire()
    cuts.reveal(rig, 1)
    assert rig.table.cut is not None
    assert _copy(rig) == rig.table
    assert flaw(rig.game, rig.table) == ""


def test_a_search_for_a_banker_is_kept() -> None:
    """Candidates, consents, and the sets of who is asked."""
    rig = peopled({1: 500, 2: 500, 11: 500}, bank_modes=["volunteer"])
    assert rig.table.play.seeking.step == "offers"
    assert _copy(rig) == rig.table


_PRINT = """
from dealer.table.snapshot import form
from tests.table.cut import asked
rig = asked((1, 2, 11, 12))
rig.table = rig.replay(rig.stored)
print(form(rig.game).digest, form(rig.game).pack(rig.table).hex())
"""


def test_the_bytes_are_the_same_in_every_process() -> None:
    """Neither digest nor state depend on how a process happens to order its sets."""
    told = {
        subprocess.run(
            [sys.executable, "-c", _PRINT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


class _Inner(msgspec.Struct, frozen=True):
    n: int


class _Outer(msgspec.Struct, frozen=True):
    inner: dict[str, _Inner]
    play: Any = None
    tags: frozenset[str] = frozenset()


def _renamed(name: str, *fields: tuple[str, Any]) -> type[msgspec.Struct]:
    """A struct type under the full name of the one above, with these fields."""
    return msgspec.defstruct(name, fields, module=__name__, frozen=True)


_REST = (("play", Any), ("tags", frozenset[str]))


@pytest.mark.parametrize(
    "other",
    [
        _renamed("_Outer", ("inner", dict[str, _Inner]), ("play", Any)),
        _renamed("_Outer", ("inner", dict[str, _Inner]), ("play", Any), ("marks", frozenset[str])),
        _renamed("_Outer", ("inner", dict[int, _Inner]), *_REST),
        _renamed(
            "_Outer", ("inner", types.GenericAlias(dict, (str, _renamed("_Inner", ("n", str))))), *_REST
        ),
    ],
)
def test_another_shape_has_another_digest(other: type[msgspec.Struct]) -> None:
    """A field more or less, another name or type, at any depth."""
    same = _renamed("_Outer", ("inner", dict[str, _Inner]), *_REST)
    assert Form(same).digest == Form(_Outer).digest
    assert Form(other).digest != Form(_Outer).digest


def test_the_shape_of_a_part_counts() -> None:
    """The game's own state is part of the schema, though the frame does not know its type."""
    assert Form(_Outer, {"play": _Inner}).digest != Form(_Outer).digest
    whole = _Outer({"b": _Inner(1), "a": _Inner(2)}, _Inner(3), frozenset({"y", "x"}))
    kept = Form(_Outer, {"play": _Inner})
    read = kept.unpack(kept.pack(whole))
    assert read == whole
    assert list(read.inner) == ["b", "a"]


@pytest.mark.parametrize("packed", [b"", b"\x80", b"\xc1", msgspec.msgpack.encode({"log": 1})])
def test_bytes_that_are_no_state_are_refused(packed: bytes) -> None:
    """They give an error, never half a table."""
    with pytest.raises(msgspec.DecodeError):
        form(Rig().game).unpack(packed)


Broken = Callable[[Table], Table]


def _play(**change: Any) -> Broken:
    return lambda t: replace(t, play=replace(t.play, **change))


def _shoe(**change: Any) -> Broken:
    return lambda t: replace(t, shoe=replace(t.shoe, **change) if t.shoe else None)


def _with(**change: Any) -> Broken:
    return lambda t: replace(t, **change)


def _chips(chips: dict[str, int]) -> Broken:
    return lambda t: replace(t, chips={**t.chips, **chips})


def _renamed_stakes(table: Table) -> Table:
    stakes = {f"x{key}": stake for key, stake in table.play.stakes.items()}
    return replace(table, play=replace(table.play, stakes=stakes))


IMPOSSIBLE: dict[str, tuple[Broken, str]] = {
    "another game": (_with(game="butifarra"), "is not played here"),
    "no such status": (_with(status="ajar"), "no status ajar"),
    "a phase from the future": (_with(opened=10_000), "was opened by event 10000"),
    "paused, but not since": (_with(status="paused"), "stand, or run"),
    "two pauses at once": (_with(pauses=((3, 9), (7, 12)), paused_at=20, resumed_at=30), "a pause began"),
    "closed with chips": (_with(status="closed"), "a closed table"),
    "a round without number": (_with(round=0), "without a number"),
    "a proposal to come": (_with(proposal=Proposal(1, "pid_9", "void_round", 99)), "a proposal"),
    "a hold to come": (_with(claims={"x_1_1": Claim(10**14, True)}), "a hold of the cage"),
    "a seat there is not": (lambda t: replace(t, seats={**t.seats, 9: Seat("pid_9", "", 0)}), "the number 9"),
    "one person twice": (lambda t: replace(t, seats={**t.seats, 3: Seat(pid(1), "", 0)}), "twice"),
    "absent without a place": (_with(absent=frozenset({5})), "is absent"),
    "a chip too many": (_chips({"stack:1": 91}), "chips stand at a table"),
    "chips of nobody": (_chips({"stack:5": 5, "cage": -100_205}), "a stack stands at 5"),
    "chips owed": (_chips({"bank": -5, "stack:1": 100_095}), "-5 chips stand"),
    "a seed left out": (lambda t: replace(t, commitments={**t.commitments, 99: "00"}), "one after the other"),
    "barred without an abort": (_with(aborts=Aborts(0, frozenset({"pid_1"}))), "barred"),
    "more cards out than in": (_shoe(pos=157), "157 of 156"),
    "a shoe not shuffled yet": (_shoe(shuffle=2), "shuffle 2"),
    "a card dealt twice": (lambda t: replace(t, hands={**t.hands, "right": (0, 0)}), "dealt twice"),
    "a card before its time": (lambda t: replace(t, hands={**t.hands, "right": (0, 150)}), "before it left"),
    "an open card not dealt": (_with(faces={150: 1}), "open that was not dealt"),
    "one card open twice": (_with(faces={0: 1, 1: 1}), "open twice"),
    "a card of no deck": (_with(faces={0: 156}), "not of this deck"),
    "a round without a shoe": (_with(shoe=None), "without a shoe"),
    "no such phase": (_with(phase="siesta"), "no phase siesta"),
    "a phase outside the round": (_with(phase="between_rounds"), "is played in phase between_rounds"),
    "a round outside the phase": (_with(playing=False), "is not played in phase speak_right"),
    "a bank of nobody": (_play(bank_mode=""), "got by nothing"),
    "a house that sits": (_play(banker=1), "seat 1 banks"),
    "a bank by theft": (_play(bank_mode="theft", banker=1), "not got by theft"),
    "a banker who is not here": (_play(bank_mode="lot", banker=4), "does not sit at 4"),
    "a mano on the wrong side": (_play(pointers={"right": 11}), "mano of right stands at 11"),
    "a stake without chips": (_play(stakes={}), "not the chips on the cloth"),
    "a stake under another name": (_renamed_stakes, "a stake lies at x"),
    "a holder from nowhere": (_play(holders={"right": 7, "left": 11}), "7 holds the hand of right"),
    "a hand too many": (_play(said={"middle": "drew"}), "not in the coup"),
    "uncovered stakes in play": (_play(covered=()), "not the covered ones"),
    "spoken out of turn": (_play(said={"right": "stood"}), "have spoken in phase speak_right"),
    "a card too few": (lambda t: replace(t, hands={**t.hands, "left": (1,)}), "as many cards"),
    "a search beside a bank": (_play(seeking=Seeking(mode="lot", step="lot")), "a banker is looked for"),
    "an unknown step": (_play(seeking=Seeking(step="duel")), "a banker is looked for"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_fields_that_do_not_fit_together_are_named(name: str) -> None:
    """Each field has a value it may have; together no log leads to them (models 1.7)."""
    change, word = IMPOSSIBLE[name]
    rig = by_hand("speak_right", house_bank=100_000)
    assert flaw(rig.game, rig.table) == ""
    assert word in flaw(rig.game, change(rig.table))


def _contributor(**change: Any) -> Broken:
    def changed(t: Table) -> Table:
        assert t.cut is not None
        return replace(t, cut=replace(t.cut, contributors={1: replace(t.cut.contributors[1], **change)}))

    return changed


def _cut(**change: Any) -> Broken:
    return lambda t: replace(t, cut=replace(t.cut, **change) if t.cut else None)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (_cut(shuffle=7), "shuffle 7 is being cut"),
        (_cut(contributors={55: Contributor("pid_55", "00")}), "the number 55 cuts"),
        (_contributor(cut=10, reveal="00"), "open too early"),
        (_contributor(cut=10), "by half"),
    ],
)
def test_a_cut_that_cannot_be_is_named(change: Broken, word: str) -> None:
    """Nothing is open while commitments are taken, and the shuffle is one that was committed to."""
    rig = cuts.asked((1, 2))
    cuts.commit(rig, 1)
    assert flaw(rig.game, rig.table) == ""
    assert word in flaw(rig.game, change(rig.table))


@pytest.mark.parametrize(
    ("seeking", "word"),
    [
        (Seeking(mode="duel", step="offers"), "of mode duel"),
        (Seeking(mode="volunteer", step="duel"), "step duel"),
        (Seeking(mode="volunteer", step="consent", candidate=8), "who is not here"),
        (Seeking(mode="volunteer", step="consent"), "for nobody"),
        (
            Seeking("volunteer", "consent", 1, 5, awaited=frozenset({2}), consented=frozenset({2})),
            "there and awaited",
        ),
    ],
)
def test_a_search_that_cannot_be_is_named(seeking: Seeking, word: str) -> None:
    """Only who sits here is asked, once, and about somebody (R-51)."""
    rig = peopled({1: 500, 2: 500}, bank_modes=["volunteer"])
    assert flaw(rig.game, rig.table) == ""
    assert word in flaw(rig.game, _play(seeking=seeking)(rig.table))


def test_a_clock_without_a_stake_is_named() -> None:
    """The betting clock starts with the first stake and stands again without one (section 12)."""
    rig = opened({1: 100})
    assert "betting clock" in flaw(rig.game, _play(first_stake=5)(rig.table))


def test_hands_before_the_cards_are_named() -> None:
    """While stakes are taken nobody holds a hand (R-19)."""
    rig = opened({1: 100})
    assert "hands are out" in flaw(rig.game, _play(holders={"right": 1})(rig.table))


def test_chips_in_a_bank_of_nobody_are_named() -> None:
    """Whoever ends a bank takes it (R-57)."""
    rig = peopled({1: 500}, bank_modes=["volunteer"])
    chips = {**rig.table.chips, "bank": 5, "cage": rig.table.chips["cage"] - 5}
    assert "nobody's" in flaw(rig.game, replace(rig.table, chips=chips))


def test_a_shoe_of_another_table_is_named() -> None:
    """A transcript names its table."""
    rig = opened({1: 100})
    assert rig.table.shoe is not None
    strange = replace(rig.table.shoe.transcript, table="test/t/tbl_2")
    assert "another table's" in flaw(rig.game, _shoe(transcript=strange)(rig.table))


def test_chips_on_a_way_that_has_not_begun_are_named() -> None:
    """A place in transit has the number of the event that sent the chips there (design 7)."""
    rig = peopled({1: 500}, bank_modes=["volunteer"])
    chips = {"transit:pid_1:999": 500, "cage": -500}
    assert "chips wait at" in flaw(rig.game, replace(rig.table, chips=chips))


def test_a_paused_table_is_possible() -> None:
    """Whatever was open when the clocks stopped."""
    rig = by_hand("speak_right")
    rig.host(Pause())
    assert (rig.table.status, flaw(rig.game, rig.table)) == ("paused", "")
    assert _copy(rig) == rig.table
