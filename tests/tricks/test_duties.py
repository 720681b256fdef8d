"""Duties that another game of tricks asks for, with the same function (butifarra 7)."""

import pytest

from dealer.rules.tricks.trick import Card, Duties, playable, refusal

DUTIES = Duties(beat=True, undertrump=True)


@pytest.mark.parametrize(
    ("hand", "trick", "mate", "legal"),
    [
        ("O9 O1 C5", "O5", False, "O9"),
        ("O4 O1 C5", "O5", False, "O4 O1"),
        ("O9 O1 C5", "O5", True, "O9 O1"),
        ("O9 O1 C5", "O5 T1", False, "O9 O1"),
        ("T3 C9", "O5", False, "T3"),
        ("T3 T9 C9", "O5 T4", False, "T9"),
        ("T3 C9", "O5 T4", False, "T3"),
        ("T3 C9", "O5 T4", True, "T3 C9"),
        ("C9 E1", "O5 T4", False, "C9 E1"),
    ],
)
def test_tute_duties(hand: str, trick: str, mate: bool, legal: str) -> None:
    """Follow and beat, else trump and overtrump, undertrump if one must; behind a partner only follow."""

    def read(text: str) -> list[Card]:
        return [Card(each[0], int(each[1:])) for each in text.split()]

    held = read(hand)
    found = [held[place] for place in playable(held, read(trick), "T", DUTIES, mate)]
    assert found == read(legal)


def test_why_a_card_is_refused() -> None:
    """Glossary 6: void and a trump too low is always `must_overtrump`."""
    trick = [Card("O", 5), Card("T", 4)]
    assert refusal(Card("C", 9), [Card("C", 9), Card("O", 1)], trick, "T") == "must_follow_suit"
    assert refusal(Card("O", 1), [Card("O", 9), Card("O", 1)], [Card("O", 5)], "T") == "must_beat"
    assert refusal(Card("C", 9), [Card("C", 9), Card("T", 5)], trick, "T") == "must_trump"
    assert refusal(Card("T", 3), [Card("T", 3), Card("T", 5)], trick, "T") == "must_overtrump"
