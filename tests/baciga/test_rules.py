"""The rules as pure functions against the worked examples of the sheet (baciga 18)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.rules.baciga import cards, hands, melds, state
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import TRICK
from dealer.rules.tricks import trick
from dealer.rules.tricks.trick import Duties
from tests.baciga.examples import MELDS, code, load, options


def _id(example: dict[str, Any]) -> str:
    name: str = example["id"]
    return name


def test_all_examples_are_there() -> None:
    """The 58 records of the sheet, each once, each of a kind that some test reads."""
    kinds = ("bc_sizes", "bc_trick", "bc_legal", "bc_melds", "bc_timeout", "bc_run")
    found = [example["id"] for kind in kinds for example in load(kind)]
    assert len(found) == len(set(found)) == 58


@pytest.mark.parametrize("example", load("bc_sizes"), ids=_id)
def test_sizes(example: dict[str, Any]) -> None:
    """BC-01 to BC-04, A-19: packs, hands, stock, tricks and briscas (4.1, 4.3, section 11)."""
    chosen = options(example)
    packs, dealt, players = cards.packs(chosen), chosen["hand_size"], chosen["players"]
    stock = cards.stock_size(chosen)
    of_stock = stock // players
    briscas = cards.BRISCA * cards.briscas(range(packs * cards.PACK))
    assert stock % players == 0
    found = [packs, packs * cards.PACK, dealt, stock, of_stock, of_stock + dealt, briscas]
    assert found == example["sizes"]


@pytest.mark.parametrize("example", load("bc_trick"), ids=_id)
def test_who_wins_a_trick(example: dict[str, Any]) -> None:
    """BC-05 to BC-11, A-02, A-03: trump, else the suit led; of two alike the first (5.1, 5.2)."""
    plays = example["plays"]
    lying = [cards.played(cards.ANY.parse(card)) for _, card in plays]
    assert plays[trick.winner(lying, example["trump"])][0] == example["winner"]


def _position(example: dict[str, Any]) -> tuple[Table, list[int]]:
    """A table with an open trick, and the cards of whoever is on turn."""
    lying = tuple(cards.ANY.parse(card) for _, card in example["trick"])
    table = Table(
        log="",
        options=options(example),
        phase="stock" if example["stock_left"] else "last_tricks",
        hands={TRICK: tuple(range(len(lying)))},
        faces=dict(enumerate(lying)),
        play=state.Play(trump=example["trump"]),
    )
    return table, [cards.ANY.parse(card) for card in [*example["hand"], *example.get("table", ())]]


@pytest.mark.parametrize("example", load("bc_legal"), ids=_id)
def test_what_may_be_played(example: dict[str, Any]) -> None:
    """BC-12 to BC-21, A-10, A-11: anything while there is a stock, then the duties of 6.1 and 7.2."""
    table, held = _position(example)
    assert [cards.ANY.code(card) for card in hands.legal(table, held)] == example["legal"]


@pytest.mark.parametrize("example", load("bc_timeout"), ids=_id)
def test_what_is_played_when_time_runs_out(example: dict[str, Any]) -> None:
    """BC-49: the lowest legal card, non-trumps first, hand and table alike (13.1)."""
    table, held = _position(example)
    card = cards.lowest(hands.legal(table, held), example["trump"])
    assert cards.ANY.code(card) == example["card"]


@pytest.mark.parametrize("example", load("bc_melds"), ids=_id)
def test_what_may_be_declared(example: dict[str, Any]) -> None:
    """BC-23 ff.: rules R, RC, classes, the triple (8.1, 8.2, 8.3, 8.4, 12.6; A-07, A-09, A-17, A-20)."""
    chosen = options(example)
    parse, trump = cards.ANY.parse, example["trump"]
    hand: list[int] = [parse(card) for card in example["hand"]]
    laid: list[int] = []
    scored: list[melds.Scored] = []
    total = 0
    for step in example["steps"]:
        own = melds.Owned(hand, laid, scored)
        if "play" in step:
            (hand if parse(step["play"]) in hand else laid).remove(parse(step["play"]))
        elif "draw" in step:
            hand.append(parse(step["draw"]))
        else:
            meld = melds.offered(chosen).get(MELDS[step["meld"]])
            named = tuple(parse(card) for card in step["cards"])
            refused = melds.refusal(chosen, meld, named, own, trump) if meld else "meld_not_available"
            assert refused == code(step.get("error", "")), step
            legal = {(each.name, frozenset(found)) for each, found in melds.declarable(chosen, own, trump)}
            assert ((MELDS[step["meld"]], frozenset(named)) in legal) == (not refused)
            if meld and not refused:
                assert meld.points == step["points"]
                total += meld.points
                scored.append(melds.Scored(named, meld.name, 1))
                laid += [card for card in named if card in hand]
                hand = [card for card in hand if card not in named]
    assert total == example["total"]


CARDS = st.lists(
    st.sampled_from([c for c in range(96) if cards.face(c)[0] in "AKQJT"]), unique=True, max_size=12
)


@given(CARDS, st.sampled_from("CDHS"), st.randoms(use_true_random=False))
def test_order_does_not_matter_to_rule_r(held: list[int], trump: str, order: Any) -> None:
    """8.3, A-08: what was legal in one order is legal, with the same points, in every order."""
    chosen = options({"players": 3})

    def without_triple(own: melds.Owned) -> list[tuple[melds.Meld, tuple[int, ...]]]:
        return [each for each in melds.declarable(chosen, own, trump) if each[0].name != melds.TRIPLE]

    said: list[tuple[melds.Meld, tuple[int, ...]]] = []
    own = melds.Owned(held, (), ())
    while found := without_triple(own):
        meld, named = order.choice(found)
        said.append((meld, named))
        scored = melds.Scored(named, meld.name, 1)
        own = melds.Owned(
            [card for card in own.hand if card not in named],
            {*own.laid, *named},
            [*own.scored, scored],
        )
    order.shuffle(said)
    own = melds.Owned(held, (), ())
    for meld, named in said:
        assert melds.refusal(chosen, meld, named, own, trump) == ""
        own = melds.Owned(own.hand, own.laid, [*own.scored, melds.Scored(named, meld.name, 1)])


@given(
    CARDS.filter(bool),
    st.lists(st.integers(0, 95), unique=True, max_size=3),
    st.sampled_from("CDHS"),
    st.sampled_from([Duties(beat=False, undertrump=True), Duties(beat=True, undertrump=False)]),
)
def test_something_may_always_be_played(held: list[int], lying: list[int], trump: str, must: Duties) -> None:
    """Section 15: a legal set is never empty, and what is not in it has the refusal that fits."""
    hand, table = [cards.played(card) for card in held], [cards.played(card) for card in lying]
    legal = trick.playable(hand, table, trump, must)
    assert legal
    for place, card in enumerate(hand):
        if place not in legal:
            told = trick.refusal(card, hand, table, trump)
            follows = any(each.suit == table[0].suit for each in hand)
            assert (told in {"must_follow_suit", "must_beat"}) == follows


@given(CARDS.filter(bool), st.sampled_from("CDHS"), st.randoms(use_true_random=False))
def test_a_timeout_plays_the_same_card_in_the_same_position(held: list[int], trump: str, order: Any) -> None:
    """Section 15: the card of 13.1 does not depend on how the cards are held."""
    card = cards.lowest(held, trump)
    order.shuffle(held)
    assert cards.lowest(held, trump) == card
