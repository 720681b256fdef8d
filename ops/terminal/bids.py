"""A bidding in words, what it came to, and what the hand brought (butifarra 5, 6, 10, 11)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.bidding import BUTIFARRA, LADDER
from dealer.rules.butifarra.cards import KIND
from dealer.rules.frame.event import Event
from ops.terminal.pieces import INDENT, Pieces

_SAID: Mapping[type, str] = {
    ev.TrumpNamed: "trump_named",
    ev.TrumpDelegated: "trump_delegated",
    ev.TrumpContested: "trump_contested",
    ev.TrumpInsisted: "trump_insisted",
    ev.BidPassed: "bid_passed",
    ev.ControSaid: "contro_said",
}
"""The line for each word."""


def tellers(pieces: Pieces) -> Mapping[type, Callable[[Event, Any], list[str]]]:
    """By event, what makes lines of it."""
    words = pieces.words

    def trump(offer: str) -> str:
        return words.bid(offer) if offer == BUTIFARRA else words.suit(offer, KIND)

    def by_side(points: Iterable[int]) -> str:
        return " : ".join(map(words.number, points))

    def said(event: Event, data: Any) -> list[str]:
        told = words.line(
            _SAID[type(data)],
            seat=pieces.seat(data.seat),
            trump=trump(getattr(data, "trump", "")),
            word=words.bid(LADDER[getattr(data, "level", 1) - 1]),
        )
        return [INDENT + told + pieces.late(data.source)]

    def fixed(event: Event, data: ev.ContractFixed) -> list[str]:
        leader = pieces.seat(data.leader)
        told = words.line(
            "contract_fixed", trump=trump(data.trump), multiplier=str(data.multiplier), seat=leader
        )
        return [INDENT + pieces.paint("strong", told)]

    def scored(event: Event, data: ev.RoundScored) -> list[str]:
        told = words.line("round_scored", raw=by_side(data.raw), points=by_side(data.points))
        return [INDENT + pieces.paint("strong", told)]

    def drawn(event: Event, data: ev.MatchDrawn) -> list[str]:
        return ["", pieces.paint("strong", words.line("match_drawn", scores=by_side(data.scores)))]

    return {
        **dict.fromkeys(_SAID, said),
        ev.ContractFixed: fixed,
        ev.RoundScored: scored,
        ev.MatchDrawn: drawn,
    }
