"""What is refused, and in which order (butifarra 13)."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from dealer.rules.butifarra.bidding import Bidding, Offer
from dealer.rules.frame.commands import Command
from dealer.rules.tricks.commands import Play
from tests.butifarra.positions import Position, word
from tests.matches.positions import with_play

HAND: dict[str, Any] = {
    "contract": {"trump": "O", "mult": 1, "leader": 0, "side": 0},
    "turn": 0,
    "hands": [["9C", "5C"], ["12C", "2C"], ["8O", "2E"], ["7O", "10O"]],
}
Change = Callable[[Position], None]


def _table(**changed: Any) -> Change:
    def change(position: Position) -> None:
        position.table = replace(position.table, **changed)

    return change


def _play(**changed: Any) -> Change:
    def change(position: Position) -> None:
        position.table = with_play(position.table, **changed)

    return change


def _both(*changes: Change) -> Change:
    def change(position: Position) -> None:
        for each in changes:
            each(position)

    return change


NEVER = _both(_play(running=False, match=0), _table(playing=False, phase="preparing"))
OVER = _both(_play(running=False), _table(playing=False, phase="match_over"))
BETWEEN = _table(playing=False, phase="between_rounds")
DEALING = _table(phase="dealing")
BIDDING = _both(_table(phase="bidding"), _play(bidding=Bidding("contest_1", 1, (Offer(1, "C"),)), turn=2))


@pytest.mark.parametrize(
    ("command", "change", "code"),
    [
        (Play(card="13C"), OVER, "no_such_card"),
        (Play(card="2B"), NEVER, "wrong_phase"),
        (Play(card="2B"), OVER, "match_over"),
        (Play(card="2B"), BIDDING, "bidding_open"),
        (Play(card="2B"), BETWEEN, "round_over"),
        (Play(card="2B"), DEALING, "wrong_phase"),
        (Play(card="2B"), None, "not_your_turn"),
        (Play(card="2B"), _play(turn=2), "card_not_owned"),
        (Play(card="9C"), _play(turn=2), "card_not_owned"),
        (word("insist"), NEVER, "wrong_phase"),
        (word("insist"), OVER, "match_over"),
        (word("contest", "C"), BETWEEN, "bidding_closed"),
        (word("contest", "C"), None, "bidding_closed"),
        (word("contest", "C"), DEALING, "bidding_closed"),
        (word("contest", "C"), _both(BIDDING, _play(bidding=Bidding("open", 1))), "not_your_turn"),
        (word("contest", "C"), BIDDING, "bid_same_offer"),
        (word("contro"), BIDDING, "bid_not_allowed"),
        (word("name_trump", "C"), BIDDING, "bid_not_allowed"),
    ],
)
def test_order_of_refusals(command: Command, change: Change | None, code: str) -> None:
    """Section 13: of two reasons the earlier one is told: match, phase, turn, and then card or word."""
    position = Position(HAND)
    if change is not None:
        change(position)
    before = position.table
    assert position.give(2, command) == code
    assert position.table == before


def test_a_card_not_held_is_refused_alike_whoever_holds_it() -> None:
    """Section 13, S-20: one hears the same of a partner's card, of a rival's, of one that has gone."""
    position = Position(HAND)
    assert position.give(1, Play(card="9C")) == ""
    told = {position.give(2, Play(card=card)) for card in ("8O", "10O", "5C", "9C", "1B")}
    assert told == {"card_not_owned"}


@pytest.mark.parametrize(
    ("rules", "card", "code"),
    [
        ("lliure", "5C", ""),
        ("lliure", "2E", "must_follow_suit"),
        ("obligada", "5C", "must_play_lowest"),
        ("obligada", "2C", ""),
    ],
)
def test_the_duty_to_play_low(rules: str, card: str, code: str) -> None:
    """Section 8: in `obligada` who cannot win plays his lowest, and hears so; in `lliure` he is free."""
    hands = [["9C"], ["5C", "2C", "2E"], ["3C"], ["4C"]]
    position = Position({**HAND, "hands": hands, "rules": rules, "values": "standard72"})
    assert position.give(1, Play(card="9C")) == ""
    assert position.give(2, Play(card=card)) == code
