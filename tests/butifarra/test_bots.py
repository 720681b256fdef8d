"""The house's bots: legal always, blind to what they cannot see, and better than others (design 3)."""

import pickle
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.butifarra import cards
from dealer.rules.butifarra.bots import bits
from dealer.rules.butifarra.bots.policies import POLICIES, Sampling
from dealer.rules.butifarra.bots.position import Position, position
from dealer.rules.butifarra.bots.standing import worth
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Option, Policy
from dealer.table.view import recalled
from tests.butifarra.duel import anything, duel, greedy, report
from tests.butifarra.rig import Butifarra, started
from tests.butifarra.test_properties import TABLES

QUICK = POLICIES["quick"]
LITTLE = Sampling(3)


def _asked(rig: Butifarra, policy: Policy) -> Command | None:
    """What a bot does for the seat on turn."""
    return policy(recalled(rig.game, rig.table), rig.hand(rig.turn), rig.options(rig.turn))


def _seen(rig: Butifarra) -> Position:
    return position(recalled(rig.game, rig.table), rig.hand(rig.turn))


def _held(rig: Butifarra, seat: int, values: str) -> int:
    """The cards of a seat, counted from 0, as the bots write them."""
    return sum(1 << bits.bit_of(card["card"], values) for card in rig.hand(seat + 1))


@settings(deadline=None, max_examples=12)
@given(st.sampled_from(TABLES), st.integers(0, 1_000))
def test_they_are_legal_always(chosen: dict[str, Any], luck: int) -> None:
    """Design 3: wherever others have brought a hand, a bot's command is one of its options.

    What it holds impossible of others never is what they hold.
    """
    rig = started(**{**chosen, "luck": luck})
    draw = random.Random(luck)  # noqa: S311 - a script of moves
    while rig.table.playing:
        options = [rig.command(option) for option in rig.choices(rig.turn)]
        for policy in (QUICK, LITTLE):
            found = _asked(rig, policy)
            assert any(found == _bare(option) for option in options)
        seen = _seen(rig)
        values = rig.table.options["card_values"]
        assert not any(_held(rig, seat, values) & bars for seat, bars in enumerate(seen.bars))
        for _ in range(draw.randint(1, 9)):
            if rig.table.playing:
                rig.some(draw)


def _bare(command: Any) -> Command:
    """The command without the decision it is for, which the croupier adds."""
    kind = type(command)
    fields = [name for name in kind.__struct_fields__ if name in {"card", "trump"}]
    bare: Command = kind(**{name: getattr(command, name) for name in fields})
    return bare


def _dealt(rig: Butifarra) -> dict[int, list[int]]:
    """By seat, counted from 0, the places in the shoe that its cards were dealt from."""
    return {seat: [card["pos"] for card in rig.hand(seat + 1)] for seat in range(bits.SEATS)}


def _laid(places: Mapping[int, Sequence[int]], hands: Mapping[int, int], values: str) -> list[str]:
    """The shoe that deals these hands."""
    laid = [""] * cards.DECK.size
    for seat, hand in hands.items():
        for place, card in zip(places[seat], bits.members(hand), strict=True):
            laid[place] = cards.DECK.face(bits.card_of(card, values))
    return laid


@pytest.mark.parametrize("moves", [0, 1, 3, 11, 24])
@pytest.mark.parametrize("profile", ["seed", "competicio-obligada"])
def test_they_do_not_see_hidden_cards(profile: str, moves: int) -> None:
    """Two deals that differ only in cards the bot cannot see give the same choice under the same budget.

    The other deal is one of those in which the bot tries its choice: all that was said and played is legal
    there too.
    """
    one = started(profile, luck=moves)
    values, places = one.table.options["card_values"], _dealt(one)
    draw, script = random.Random(moves), []  # noqa: S311 - a script of moves
    for _ in range(moves):
        option = draw.choice(one.choices(one.turn))
        script.append(option)
        one.play(one.turn, one.command(option))
    seen = _seen(one)
    hidden = seen.worlds().draw(0)
    assert all(_held(one, seat, values) != hand for seat, hand in hidden.items())
    whole = {seat: hidden.get(seat, seen.hand) | seen.gone[seat] for seat in range(bits.SEATS)}
    other = started(profile, laid=_laid(places, whole, values))
    for option in script:
        (same,) = [o for o in other.choices(other.turn) if (o.type, o.fields) == (option.type, option.fields)]
        other.play(other.turn, other.command(same))
    for policy in (QUICK, Sampling(5)):
        assert _asked(one, policy) == _asked(other, policy) == _asked(one, policy)


HANDS = {
    "oros": "9O 1O 12O 11O 5O 4O 3O 2O 12C 12E 2B 3B",
    "weak": "2O 3O 4O 2C 3C 4C 2E 3E 4E 2B 3B 4B",
    "copas": "9C 1C 12C 11C 5C 4C 3C 2C 1E 12B 2B 2O",
    "plain": "9O 1O 12O 9C 1C 12C 9E 1E 12E 9B 1B 12B",
}


@pytest.mark.parametrize(
    ("profile", "before", "held", "said", "policies"),
    [
        ("seed", "", "oros", "name_trump:O", "both"),
        ("seed", "", "weak", "delegate", "quick"),
        ("seed", "", "plain", "name_trump:butifarra", "both"),
        ("seed", "delegate", "oros", "name_trump:O", "quick"),
        ("seed", "name_trump:O", "copas", "contest:C", "quick"),
        ("seed", "name_trump:O", "weak", "pass", "both"),
        ("seed", "name_trump:O pass contest:E", "oros", "insist", "both"),
        ("competicio-lliure", "name_trump:O", "copas", "pass", "both"),
        ("competicio-lliure", "name_trump:C", "copas", "contro", "both"),
        ("competicio-lliure", "name_trump:O contro pass", "oros", "recontro", "both"),
    ],
)
def test_what_they_say(profile: str, before: str, held: str, said: str, policies: str) -> None:
    """They name what they are strong in, leave it to the partner else, and double where they are ahead.

    Where it depends on what the others answer, only counting is sure to say so.
    """
    words = before.split()
    places = _dealt(started(profile))
    seat = {0: 0, 1: 2 if before == "delegate" else 1, 3: 0}[len(words)]
    own = sum(1 << bits.bit_of(cards.DECK.parse(code), "seed40") for code in HANDS[held].split())
    rest = bits.members(bits.PACK & ~own)
    random.Random(1).shuffle(rest)  # noqa: S311 - cards that tell nothing
    hands = {n: sum(1 << rest.pop() for _ in range(12)) for n in range(bits.SEATS) if n != seat}
    rig = started(profile, laid=_laid(places, {**hands, seat: own}, "seed40"))
    rig.say(*words)
    assert rig.turn == seat + 1
    for policy in (QUICK, Sampling(20)) if policies == "both" else (QUICK,):
        found: Any = _asked(rig, policy)
        word = found.__struct_config__.tag
        assert said == (f"{word}:{found.trump}" if hasattr(found, "trump") else word)


def test_they_have_no_move_out_of_turn() -> None:
    """Nobody is asked then but by mistake; they never concede unasked (12.2)."""
    rig = started()
    for policy in (QUICK, LITTLE):
        assert policy(recalled(rig.game, rig.table), [], [Option("concede")]) is None


def test_points_nobody_needs_are_worth_nothing() -> None:
    """Section 11: the last points of a match are worth more than theirs, further ones nothing.

    Where a number of hands is played, every point counts.
    """
    match = {"target": 101, "deals": 0}
    assert worth(match, (90, 0), 11) == worth(match, (90, 0), 40) > 30
    assert worth(match, (0, 90), 10) == 10
    assert worth(match, (0, 90), -40) == worth(match, (0, 90), -11) < -30
    assert worth({"target": 101, "deals": 8}, (90, 0), 40) == 40


def test_they_can_be_sent_elsewhere() -> None:
    """A policy is a value without a state, so any process can think for it."""
    assert pickle.loads(pickle.dumps(POLICIES["steady"])) == POLICIES["steady"]  # noqa: S301 - our own


@pytest.mark.parametrize(("rival", "least"), [(anything(random.Random(1)), 15), (greedy, 15)])  # noqa: S311 - somebody who does anything
def test_they_beat_others(rival: Policy, least: int) -> None:
    """Of twenty deals, each played with both pairs of hands, the bots win most, and by many points."""
    told = report(duel(20, 3, Sampling(4), rival))
    assert told["won"] >= least
    assert told["ahead"] > 5
