"""A match of tricks in words: the deal, the tricks, what is declared, who wins."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dealer.rules.baciga import events as ev
from dealer.rules.frame import events as frame
from dealer.rules.frame.event import Event
from dealer.rules.tricks import events as tricks
from ops.terminal import bids
from ops.terminal.pieces import DOT, INDENT, Pieces
from shoe.cards import Deck

_FACES = Deck("fr32", 16)
"""What is played with as long as no seal was seen: faces do not depend on how many packs are in play."""


class Match:
    """Tells the matches of one table.

    Attributes:
        tell: the events it has words for, each with what makes lines of it.
    """

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._words = pieces.words
        self._paint = pieces.paint
        self._deck = _FACES
        self._trick: list[str] = []
        self._open: dict[int, int] = {}
        self.tell: Mapping[type, Callable[[Event, Any], list[str]]] = {
            tricks.MatchStarted: self._started,
            tricks.PairsMade: self._pairs,
            tricks.TrumpTurned: self._trump,
            tricks.CardPlayed: self._played,
            tricks.TrickWon: self._won_trick,
            tricks.ConcessionOffered: self._gives_up("concession_offered"),
            tricks.MatchConceded: self._gives_up("match_conceded"),
            tricks.MatchWon: self._won,
            ev.MeldDeclared: self._declared,
            ev.SevenExchanged: self._seven,
            ev.SevenShown: self._seven,
            ev.TableCardsReturned: self._stock_empty,
            ev.LastTrickScored: self._last_trick,
            ev.BriscasCounted: self._briscas,
            **bids.tellers(pieces),
        }

    def expose(self, data: frame.CardExposed) -> None:
        """Remember a card that is face up."""
        self._open[data.pos] = data.card

    def seal(self, deck: Deck) -> None:
        """Cards are of this deck from now on."""
        self._deck = deck

    def begin(self) -> None:
        """A hand begins with nothing on the table."""
        self._trick = []
        self._open = {}

    def _started(self, event: Event, data: tricks.MatchStarted) -> list[str]:
        said = self._words.line("match_started", match=str(data.match), seat=self._pieces.seat(data.dealer))
        return ["", self._paint("strong", said)]

    def _pairs(self, event: Event, data: tricks.PairsMade) -> list[str]:
        moved = (
            f"{self._pieces.seat(old)} → {self._pieces.seat(new)}" for new, old in enumerate(data.seats, 1)
        )
        return [self._words.line("pairs_made", seats=DOT.join(moved))]

    def _trump(self, event: Event, data: tricks.TrumpTurned) -> list[str]:
        card = self._open.get(data.pos)
        shown = self._card(card) if card is not None else ""
        suit = self._words.suit(data.trump)
        return [INDENT + self._words.line("trump_turned", suit=suit, card=shown)]

    def _played(self, event: Event, data: tricks.CardPlayed) -> list[str]:
        late = self._pieces.late(data.source)
        self._trick.append(f"{self._pieces.seat(data.seat)} {self._card(data.card)}{late}")
        return []

    def _won_trick(self, event: Event, data: tricks.TrickWon) -> list[str]:
        cards, self._trick = "  ".join(self._trick), []
        seat = self._paint("strong", self._pieces.seat(data.seat))
        return [INDENT + self._words.line("trick_won", cards=cards, seat=seat)]

    def _declared(self, event: Event, data: ev.MeldDeclared) -> list[str]:
        said = self._words.line(
            "meld_declared",
            seat=self._pieces.seat(data.seat),
            meld=self._paint("strong", self._words.meld(data.meld)),
            cards=self._cards(data.cards),
            points=self._words.number(data.points),
        )
        return [INDENT + said]

    def _seven(self, event: Event, data: ev.SevenShown | ev.SevenExchanged) -> list[str]:
        how = data.how if isinstance(data, ev.SevenShown) else "exchanged"
        seat, points = self._pieces.seat(data.seat), self._words.number(data.points)
        return [
            INDENT + self._words.line(f"seven_{how}", seat=seat, card=self._card(data.card), points=points)
        ]

    def _stock_empty(self, event: Event, data: ev.TableCardsReturned) -> list[str]:
        return [INDENT + self._paint("dim", self._words.line("stock_empty"))]

    def _last_trick(self, event: Event, data: ev.LastTrickScored) -> list[str]:
        points = self._words.number(data.points)
        return [INDENT + self._words.line("last_trick", seat=self._pieces.seat(data.seat), points=points)]

    def _briscas(self, event: Event, data: ev.BriscasCounted) -> list[str]:
        return [INDENT + self._words.line("briscas", points=self._by_side(data.points))]

    def _gives_up(self, key: str) -> Callable[[Event, Any], list[str]]:
        def said(event: Event, data: Any) -> list[str]:
            return [self._words.line(key, seat=self._pieces.seat(data.seat))]

        return said

    def _won(self, event: Event, data: tricks.MatchWon) -> list[str]:
        said = self._words.line("match_won", side=str(data.side), scores=self._by_side(data.scores))
        return ["", self._paint("strong", said)]

    def _by_side(self, points: Iterable[int]) -> str:
        return " : ".join(map(self._words.number, points))

    def _cards(self, cards: Iterable[int]) -> str:
        return " ".join(map(self._card, cards))

    def _card(self, card: int) -> str:
        return self._pieces.card(self._deck.face(card), self._deck.kind)
