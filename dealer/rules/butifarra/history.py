"""One hand told from its events: the pairs, the bidding, the tricks, the points."""

from collections.abc import Mapping, Sequence
from typing import Any

from dealer.rules.butifarra import bidding
from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.cards import DECK
from dealer.rules.frame.event import Event
from dealer.rules.matches.history import Told
from dealer.rules.tricks.seats import PAIRS, seats_of

_WORDS: Mapping[type, str] = {
    ev.TrumpNamed: "name_trump",
    ev.TrumpDelegated: "delegate",
    ev.TrumpContested: "contest",
    ev.TrumpInsisted: "insist",
    ev.BidPassed: "pass",
}


def history(events: Sequence[Event]) -> dict[str, Any]:
    """The hand as a document; every figure is recomputed from the events it cites."""
    heard = Told(DECK)
    bids: list[dict[str, Any]] = []
    told: dict[str, Any] = {"contract": {}, "raw": [], "points": [], "drawn": []}
    for event in events:
        heard.hear(event)
        data: Any = event.data
        match data:
            case ev.ControSaid():
                bids.append(_bid(data, bidding.LADDER[data.level - 1]))
            case ev.ContractFixed():
                contract = {"trump": data.trump, "multiplier": data.multiplier, "leader": data.leader}
                told["contract"] = contract
            case ev.RoundScored():
                told |= {"raw": list(data.raw), "points": list(data.points)}
            case ev.MatchDrawn():
                told["drawn"] = list(data.scores)
            case _ if word := _WORDS.get(type(data)):
                bids.append(_bid(data, word))
            case _:
                pass
    return {
        "pairs": [list(seats_of(side, PAIRS)) for side in (1, 2)],
        "bids": bids,
        **told,
        "tricks": heard.tricks,
        "conceded": heard.conceded,
        "won": heard.won,
    }


def _bid(data: Any, word: str) -> dict[str, Any]:
    offer = {"trump": data.trump} if hasattr(data, "trump") else {}
    return {"seat": data.seat, "word": word, **offer, "source": data.source}
