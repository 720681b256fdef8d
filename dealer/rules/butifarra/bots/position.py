"""What a bot knows on its turn: its cards, every card played and by whom, every word said."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from dealer.rules.butifarra.bots.bits import (
    NO_TRUMP,
    PACK,
    RANKS,
    SEATS,
    Rules,
    Trick,
    added,
    bit_of,
    rules_of,
)
from dealer.rules.butifarra.bots.counting import number_of
from dealer.rules.butifarra.bots.talk import Talk, begun
from dealer.rules.butifarra.bots.worlds import Worlds, barred
from dealer.rules.butifarra.cards import DECK
from shoe.canonical import encode


class Position(NamedTuple):
    """A bot's turn; seats are counted from 0.

    Attributes:
        rules: of the play.
        seat: the bot's.
        hand: its cards.
        gone: what each seat has played.
        bars: what each seat cannot hold any more.
        trump: as in `bits`; `NO_TRUMP` also while nothing is fixed.
        trick: what lies there, None to lead.
        raw: points of the complete tricks by side.
        talk: the bidding.
        scores: of the match, by side.
    """

    rules: Rules
    seat: int
    hand: int
    gone: tuple[int, ...]
    bars: tuple[int, ...]
    trump: int
    trick: Trick | None
    raw: tuple[int, ...]
    talk: Talk
    scores: tuple[int, ...]

    @property
    def unseen(self) -> int:
        """The cards that the others hold."""
        return PACK & ~(self.hand | sum(self.gone))

    def worlds(self) -> Worlds:
        """The hands that the others may hold; what is drawn follows from what the bot knows alone."""
        others = [seat for seat in range(SEATS) if seat != self.seat]
        known = [
            [*self.rules.points, self.rules.half, self.rules.undertrump, self.rules.lowest],
            [self.seat, self.hand, self.trump, list(self.trick or ()), list(self.scores)],
            [[gone, bars] for gone, bars in zip(self.gone, self.bars, strict=True)],
            [self.talk.dealer, *map(list, self.talk.said)],
        ]
        return Worlds(
            self.unseen,
            {seat: RANKS - self.gone[seat].bit_count() for seat in others},
            {seat: self.bars[seat] for seat in others},
            sha256(encode(known)).digest(),
        )


def position(view: Mapping[str, Any], hand: Sequence[Mapping[str, Any]]) -> Position:
    """The position of the seat on turn.

    Args:
        view: what everybody sees, with what is recalled of the hand besides.
        hand: the cards of the seat on turn.
    """
    options = view["options"]
    rules = rules_of(options)
    trump = number_of(view["trump"]) if view["trump"] else NO_TRUMP
    gone, bars = [0] * SEATS, [0] * SEATS
    trick: Trick | None = None
    open_trick = {"leader": view["leader"], "cards": view["hands"].get("trick", ())}
    for lying in (*view["played"], open_trick):
        trick, seat = None, lying["leader"] - 1
        for code in lying["cards"]:
            card = bit_of(DECK.parse(code), rules.values)
            bars[seat] |= barred(rules, trump, trick, seat, card)
            gone[seat] |= 1 << card
            trick = added(rules, trump, trick, seat, card)
            seat = (seat + 1) % SEATS
    talk = begun(options, view["dealer"])
    for each in view["bids"]:
        talk = talk.after(each["word"], each.get("trump", ""))
    return Position(
        rules=rules,
        seat=view["turn"] - 1,
        hand=sum(1 << bit_of(card["card"], rules.values) for card in hand),
        gone=tuple(gone),
        bars=tuple(bars),
        trump=trump,
        trick=trick,
        raw=tuple(view["raw"]),
        talk=talk,
        scores=tuple(view["scores"]),
    )
