"""What would be right after an incident at a physical table (R-80 to R-92, rules section 12).

A virtual shoe has no stuck or dropped cards, and nobody may move the cards of a sealed one: no command leads
here. Cards are written by rank, as in `points`; a hand is `right`, `left`, `single` or `bank`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from dealer.rules.bacara.coup import BANK
from dealer.rules.bacara.points import is_natural, total, value
from dealer.rules.bacara.settlement import result
from dealer.rules.bacara.tableau import DRAW, STAND, banker_default, banker_may, punter_may

IN_PLACE = "in_place"
"""Where a card goes that is played as if nothing had happened: where its turn in the shoe takes it."""
OUT = "out"
"""Where a card goes that nobody may use: burnt, removed or discarded."""


class Score(msgspec.Struct, frozen=True, gc=False):
    """What a hand counts in the end.

    Attributes:
        points: 0 to 9.
        natural: whether it is 8 or 9 in two cards (R-03).
    """

    points: int
    natural: bool = False


class Fate(msgspec.Struct, frozen=True, gc=False):
    """What happens to one card.

    Attributes:
        card: its rank.
        to: the hand that gets it, `in_place` or `out`.
    """

    card: str
    to: str


class Ruling(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is to be done; what is left at its default goes on as if nothing had happened.

    Attributes:
        bars_holder: whoever held the cards may be kept from holding any again; no chips are taken from him.
        bound: hands that choose nothing any more in this coup: each does what the croupier would do for it
            (`tableau.punter_default`, `tableau.banker_default`).
        cards: what happens to the cards of the incident, in the order in which they left the shoe.
        ends_shoe: no further coup is given from this shoe.
        fixes_stakes: stakes may no longer be lowered or withdrawn.
        obliges: the coup must be given.
        scores: final scores of the hands that the ruling settles.
        void: the coup is void: all its stakes return, and no mano moves. Settled coups stand.
    """

    bars_holder: bool = False
    bound: tuple[str, ...] = ()
    cards: tuple[Fate, ...] = ()
    ends_shoe: bool = False
    fixes_stakes: bool = False
    obliges: bool = False
    scores: dict[str, Score] = {}
    void: bool = False


def results(ruling: Ruling, panos: Iterable[str], scores: Mapping[str, Score]) -> dict[str, str]:
    """Return the result of each paño under a ruling (R-44); in a void coup nothing moves, as in a `push`.

    Args:
        ruling: the ruling.
        panos: the paños that were to be dealt cards.
        scores: what the hands would count without the ruling; of a void coup none is needed.
    """
    if ruling.void:
        return dict.fromkeys(panos, "push")
    final = {**scores, **ruling.scores}
    bank = final[BANK]
    return {
        pano: result(final[pano].points, final[pano].natural, bank.points, bank.natural) for pano in panos
    }


def card_before_close(card: str, burn: bool = False) -> Ruling:
    """A card was taken from the shoe before «no va más» (R-80): it never goes back, the coup must be given.

    Args:
        card: the card.
        burn: the supervisor burns it, as he may exceptionally; then nobody may use it.
    """
    return Ruling(cards=(Fate(card, OUT if burn else IN_PLACE),), obliges=True)


def card_face_up(card: str) -> Ruling:
    """A card came out of the shoe face up (R-81): it is removed, and the next one takes its place."""
    return Ruling(cards=(Fate(card, OUT),), fixes_stakes=True)


def cards_stuck(out: Iterable[str]) -> Ruling:
    """Two or more cards stuck together while dealing (R-82): the coup is void.

    Args:
        out: all cards of the coup that have left the shoe, those that stuck among them.
    """
    return Ruling(cards=_discarded(out), void=True)


def card_on_floor(card: str) -> Ruling:
    """A card fell to the floor (R-83): an employee, and nobody else, picks it up; it counts as it is."""
    return Ruling(cards=(Fate(card, IN_PLACE),))


def card_exposed_in_deal(hands: Collection[str]) -> Ruling:
    """The crupier showed a card of a hand while distributing (R-84): play on, everybody bound.

    Args:
        hands: the hands that are dealt cards in this coup.
    """
    return Ruling(bound=tuple(hands))


def hand_exposed() -> Ruling:
    """Both cards of a paño were seen (R-85): the banker is bound, and draws where he could choose."""
    return Ruling(bound=(BANK,))


def card_served_after_no(own: int, served: Sequence[str], banker_rule: str) -> Ruling:
    """A card was served although the paño said no (R-86): the banker takes it if his two cards ask for one.

    They do as R-41 has it in its `table` against a paño that stood, 0 to 5; under `same` 0 to 4.

    Args:
        own: score of the banker's two cards, 0 to 7.
        served: the cards that came out, at least one; he can use the first.
        banker_rule: the option `banker_rule`.
    """
    rule = "same" if banker_rule == "same" else "table"
    if banker_default(rule, own, (None,)) == DRAW:
        third, *rest = served
        cards = (Fate(third, BANK), *_discarded(rest))
        return Ruling(cards=cards, scores={BANK: _with_third(own, third)})
    return Ruling(cards=_discarded(served), scores={BANK: _two_cards(own)})


def other_fault(harmless: bool) -> Ruling:
    """Any other dealing fault (R-87): the coup is void unless that can be mended.

    Args:
        harmless: it can be put right without harm to the banker and to the puntos.
    """
    return Ruling(void=not harmless)


def punter_broke_tableau(pano: str, own: int, act: str, card: str, five: str = "stand") -> Ruling:
    """A punto drew against the tableau, or stood when he must draw (R-88): it is put right by the rule.

    Args:
        pano: the paño he holds.
        own: score of his two cards, 0 to 9.
        act: what he did: `draw` or `stand`.
        card: the card he drew, or the one that he must be served.
        five: the option `five`.

    Raises:
        ValueError: he did what the tableau allows.
    """
    fate, score = _put_right(pano, own, act, card, punter_may(own, five))
    return Ruling(bars_holder=True, cards=(fate,), scores={pano: score})


def banker_broke_rule(
    own: int, act: str, card: str, banker_rule: str, third_cards: Sequence[int | None] = ()
) -> Ruling:
    """The banker drew or stood against his rule (R-89): a surplus card is discarded, a missing one drawn.

    Args:
        own: score of his two cards, 0 to 9.
        act: what he did: `draw` or `stand`.
        card: the card he drew, or the one that he must draw.
        banker_rule: the option `banker_rule`.
        third_cards: as for `tableau.banker_may`.

    Raises:
        ValueError: he did what his rule allows.
    """
    fate, score = _put_right(BANK, own, act, card, banker_may(banker_rule, own, third_cards))
    return Ruling(cards=(fate,), scores={BANK: score})


def wrong_announcement(hands: Mapping[str, Collection[str]]) -> Ruling:
    """A score was announced wrongly, or an 8 or 9 not laid down (R-90): the cards speak.

    Args:
        hands: the cards of each hand in question.
    """
    return Ruling(scores={hand: Score(total(cards), is_natural(cards)) for hand, cards in hands.items()})


def shoe_incomplete() -> Ruling:
    """The shoe lacks a card, or has one too many (R-91): the current coup is void, and a new shoe comes."""
    return Ruling(ends_shoe=True, void=True)


def shoe_ran_out() -> Ruling:
    """The cards ran out inside a coup (R-92): it is void, and the shoe ends."""
    return Ruling(ends_shoe=True, void=True)


def _discarded(cards: Iterable[str]) -> tuple[Fate, ...]:
    return tuple(Fate(card, OUT) for card in cards)


def _two_cards(own: int) -> Score:
    return Score(own, natural=own >= 8)


def _with_third(own: int, card: str) -> Score:
    return Score((own + value(card)) % 10)


def _put_right(hand: str, own: int, act: str, card: str, legal: frozenset[str]) -> tuple[Fate, Score]:
    if act == DRAW and DRAW not in legal:
        return Fate(card, OUT), _two_cards(own)
    if act == STAND and legal == {DRAW}:
        return Fate(card, hand), _with_third(own, card)
    raise ValueError(f"{hand} may {act} on {own}")
