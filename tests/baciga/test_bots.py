"""The house's bots are company worth having (baciga 13.2, design 3)."""

from typing import Any

import pytest

from dealer.rules.baciga.commands import Declare, DrawStock, ExchangeSeven, ShowSeven
from dealer.rules.baciga.simulate import simulate
from dealer.rules.frame.game import Option
from dealer.rules.registry import GAMES, SIMULATIONS
from dealer.rules.tricks.commands import Play
from dealer.table.practice import Practice
from dealer.table.view import hand, options, view
from tests.baciga.duel import duel, report
from tests.baciga.examples import GAME
from tests.baciga.positions import Position
from tests.baciga.rig import POLICY

pytestmark = pytest.mark.usefixtures("uncounted")

RUN: dict[str, Any] = {
    "players": 2,
    "trump": "H",
    "tricks": [1, 1],
    "turn": 0,
    "hands": [["9C1"], ["8C1"]],
    "stock": [f"{rank}{suit}2" for suit in "CD" for rank in "789"] + ["7S1", "7H1"],
}


def _choice(**changed: Any) -> Any:
    """What the bot does that is on turn in a position."""
    position = Position({**RUN, **changed})
    table, seat = position.table, position.table.play.turn
    shown = view(GAME, table)
    return POLICY(
        shown, hand(GAME, table, position.chance, seat), options(GAME, table, position.chance, seat)
    )


def _practice(game: str, profile: str, mode: str, chosen: Any, seed: int) -> Practice:
    return Practice(GAMES[game], profile, mode, chosen, seed)


def test_it_declares_the_dearest_first() -> None:
    """8.3: whatever may be declared is, before the card is played."""
    assert _choice(hands=[["KH1", "QH1", "JH1", "TH2", "AH1"], ["8C1"]]) == Declare(
        meld="trump_sequence", cards=("AH1", "TH2", "KH1", "QH1", "JH1")
    )


def test_it_declares_the_smaller_one_where_the_larger_would_bar_it() -> None:
    """12.6: marriage, then sequence, as long as there is time for both."""
    found = [
        Option(
            "declare",
            "",
            {"meld": "trump_sequence", "cards": ["AH1", "TH2", "KH1", "QH1", "JH1"]},
            points=250,
        ),
        Option("declare", "", {"meld": "trump_marriage", "cards": ["KH1", "QH1"]}, points=40),
    ]
    seen = {"options": {"reuse": "by_class", "players": 2}, "stock": 20}
    assert POLICY(seen, [], found) == Declare(meld="trump_marriage", cards=("KH1", "QH1"))
    late = {**seen, "stock": 4}
    assert POLICY(late, [], found) == Declare(
        meld="trump_sequence", cards=("AH1", "TH2", "KH1", "QH1", "JH1")
    )


def test_it_uses_its_sevens() -> None:
    """12.3, 12.4: a seven is exchanged, or shown, before anything else; then the bot draws."""
    sevens = [Option("show_seven", "d", {"card": "7H1"}, points=10), Option("draw_stock", "d")]
    assert POLICY({}, [], [Option("exchange_seven", "d", points=10), *sevens]) == ExchangeSeven()
    assert POLICY({}, [], sevens) == ShowSeven(card="7H1")
    assert POLICY({}, [], sevens[1:]) == DrawStock()
    assert POLICY({}, [], [Option("concede")]) is None


def test_it_keeps_what_may_become_a_combination() -> None:
    """A lone eight goes, not a queen of spades, a king with its queen, or the third of four aces."""
    held = ["QS1", "8D1", "AS1", "AC1", "AD1", "KC1", "KD2"]
    assert _choice(hands=[held, ["8C1"]]) == Play(card="8D1")


def test_it_takes_an_ace_with_the_cheapest_card_that_does() -> None:
    """Briscas are worth a trump that is good for nothing else."""
    led = {"hands": [["TC1", "9C1"], ["8H1", "AH1", "7D1"]]}
    position = Position({**RUN, **led})
    assert position.give(1, Play(card="TC1")) == ""
    table = position.table
    chosen = POLICY(
        view(GAME, table), hand(GAME, table, position.chance, 2), options(GAME, table, position.chance, 2)
    )
    assert chosen == Play(card="8H1")


def test_it_counts_trumps_at_the_end() -> None:
    """Once nobody else has a trump, an ace of another suit is as good as taken; before that it waits."""
    held = {"stock": [], "hands": [["AC1", "8D1"], ["7C1", "8C1"]]}
    position = Position({**RUN, **held})
    shown = {**view(GAME, position.table), "trumps_played": 16}
    cards, found = (
        hand(GAME, position.table, position.chance, 1),
        options(GAME, position.table, position.chance, 1),
    )
    assert POLICY(shown, cards, found) == Play(card="AC1")
    assert POLICY({**shown, "trumps_played": 8}, cards, found) == Play(card="8D1")


@pytest.mark.parametrize("profile", ["seed", "standard"])
def test_it_beats_somebody_who_does_anything(profile: str) -> None:
    """Of ten hands it wins nine at least, and by many points."""
    told = report(duel(10, 3, profile))
    assert told["won"] >= 9
    assert told["ahead"] > 100


def test_simulated_matches() -> None:
    """The same arguments give the same counts; matches are whole and all figures go together."""
    told = SIMULATIONS["baciga"](4, 2, _practice, players=2)
    assert told == simulate(4, 2, _practice)
    assert told["rounds"] >= 4
    assert sum(told["won"].values()) == told["matches"]
    assert told["rounds_per_match"]["mean"] == pytest.approx(told["rounds"] / told["matches"], abs=0.001)
    assert told["winner"]["least"] >= 1_500
    assert told["others"]["most"] < told["winner"]["most"]
    declared = sum(meld["declared"] for meld in told["melds"].values())
    assert declared > told["rounds"]
    assert told != simulate(1, 3, _practice)


def test_a_simulation_that_cannot_be() -> None:
    """A table that cannot be opened is the caller's mistake."""
    with pytest.raises(ValueError, match="option_not_allowed"):
        simulate(1, 1, _practice, players=5)
