"""Thinking by samples: each choice is tried in many hands that may be, and somebody quick plays them out."""

from collections.abc import Sequence

from dealer.rules.butifarra.bidding import Contract
from dealer.rules.butifarra.bots.bits import SEATS, SUIT_OF, Trick, added, legal, members
from dealer.rules.butifarra.bots.counting import Choices, number_of
from dealer.rules.butifarra.bots.playout import finish
from dealer.rules.butifarra.bots.position import Position
from dealer.rules.butifarra.bots.standing import worth
from dealer.rules.butifarra.bots.talk import begun

_DRAWN = 3
"""So many hands are drawn for one that is used: those that go best with what was said."""
Hands = Sequence[int]


def card(seen: Position, samples: int) -> int:
    """The card that brings most on average."""
    found = _different(seen)
    if len(found) == 1:
        return found[0]
    multiplier = seen.talk.contract().multiplier
    totals = dict.fromkeys(found, 0.0)
    for hands in _drawn(seen, samples):
        for each in found:
            totals[each] += _worth(seen, multiplier, seen.raw[0] + _after(seen, hands, each))
    return max(found, key=lambda each: totals[each])


def word(seen: Position, samples: int) -> tuple[str, str]:
    """The word that brings most on average, with its trump, if everybody bids by counting after it."""
    choices = Choices(seen.talk)
    found = seen.talk.sayable()
    totals = dict.fromkeys(found, 0.0)
    for hands in _drawn(seen, samples):
        made: dict[tuple[str, int], int] = {}
        for each in found:
            fixed = _fixed(choices.after(each), hands)
            played = fixed.trump, fixed.leader
            if played not in made:
                trump = number_of(fixed.trump)
                made[played] = finish(seen.rules, trump, hands, None, fixed.leader - 1)
            totals[each] += _worth(seen, fixed.multiplier, made[played])
    return max(found, key=lambda each: totals[each])


def _fixed(choices: Choices, hands: Hands) -> Contract:
    """What the bidding comes to if everybody goes on by counting."""
    while choices.turn:
        choices = choices.after(choices.word(hands[choices.turn - 1]))
    return choices.contract


def _drawn(seen: Position, samples: int) -> Sequence[Hands]:
    """So many ways in which all hands may lie: of those drawn, the ones that go best with the words."""
    worlds = seen.worlds()
    said = _said(seen)
    drawn = []
    for number in range(samples * (_DRAWN if said else 1)):
        hidden = worlds.draw(number)
        drawn.append([hidden.get(seat, seen.hand) for seat in range(SEATS)])
    return sorted(drawn, key=lambda hands: _strangeness(seen, said, hands))[:samples]


def _said(seen: Position) -> Sequence[tuple[Choices, int, tuple[str, str]]]:
    """What the others have said: among what choices, the seat, counted from 0, and the word."""
    found = []
    choices = Choices(begun(seen.talk.options, seen.talk.dealer))
    for each in seen.talk.said:
        spoken = each.word, each.trump
        if each.seat - 1 != seen.seat:
            found.append((choices, each.seat - 1, spoken))
        choices = choices.after(spoken)
    return found


def _strangeness(seen: Position, said: Sequence[tuple[Choices, int, tuple[str, str]]], hands: Hands) -> int:
    """By how much the others would have promised themselves more of other words than they said."""
    return sum(choices.regret(hands[seat] | seen.gone[seat], spoken) for choices, seat, spoken in said)


def _different(seen: Position) -> list[int]:
    """The cards that may be played; of those that are worth the same, the lowest.

    Two cards of a suit are, if they count alike and nobody else holds one between them.
    """
    rules, away = seen.rules, seen.hand | sum(seen.gone)
    found: list[int] = []
    below = -1
    for each in members(legal(rules, seen.trump, seen.hand, seen.trick, seen.seat)):
        alike = below >= 0 and SUIT_OF[below] == SUIT_OF[each] and rules.points[below] == rules.points[each]
        if not alike or ((1 << each) - (2 << below)) & ~away:
            found.append(each)
        below = each
    return found


def _after(seen: Position, hands: Hands, played: int) -> int:
    """What side 1 makes of the rest of the hand if the bot plays this card."""
    held = list(hands)
    held[seen.seat] ^= 1 << played
    trick: Trick | None = added(seen.rules, seen.trump, seen.trick, seen.seat, played)
    following, made = (seen.seat + 1) % SEATS, 0
    if trick and trick.lying == SEATS:
        following, made = trick.ahead, 0 if trick.ahead % 2 else trick.points + 1
        trick = None
    return made + finish(seen.rules, seen.trump, held, trick, following)


def _worth(seen: Position, multiplier: int, raw: int) -> float:
    """What it is worth to the bot that side 1 makes so many raw points."""
    value = worth(seen.talk.options, seen.scores, multiplier * (raw - seen.rules.half))
    return -value if seen.seat % 2 else value
