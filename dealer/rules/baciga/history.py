"""One hand told from its events: the trump, the tricks, what was declared, the points."""

from collections.abc import Sequence
from typing import Any

from dealer.rules.baciga import events as ev
from dealer.rules.baciga.cards import ANY
from dealer.rules.frame.event import Event
from dealer.rules.tricks import events as tricks


def history(events: Sequence[Event]) -> dict[str, Any]:
    """The hand as a document; every figure is recomputed from the events it cites."""
    trick: list[dict[str, Any]] = []
    told: dict[str, Any] = {
        "trump": "",
        "tricks": [],
        "melds": [],
        "sevens": [],
        "last_trick": {},
        "briscas": [],
        "conceded": [],
        "won": {},
    }
    for event in events:
        data = event.data
        match data:
            case tricks.TrumpTurned():
                told["trump"] = data.trump
            case tricks.CardPlayed():
                trick.append({"seat": data.seat, "card": ANY.code(data.card), "source": data.source})
            case tricks.TrickWon():
                told["tricks"].append({"cards": trick, "seat": data.seat, "side": data.side})
                trick = []
            case ev.MeldDeclared():
                cards = [ANY.code(card) for card in data.cards]
                said = {"seat": data.seat, "meld": data.meld, "cards": cards, "points": data.points}
                told["melds"].append({**said, "after": len(told["tricks"])})
            case ev.SevenShown() | ev.SevenExchanged():
                how = data.how if isinstance(data, ev.SevenShown) else "exchanged"
                seven = {"seat": data.seat, "card": ANY.code(data.card), "how": how, "points": data.points}
                told["sevens"].append(seven)
            case ev.LastTrickScored():
                told["last_trick"] = {"seat": data.seat, "points": data.points}
            case ev.BriscasCounted():
                told["briscas"] = list(data.points)
            case tricks.MatchConceded():
                told["conceded"].append(data.seat)
            case tricks.MatchWon():
                told["won"] = {"side": data.side, "reason": data.reason, "scores": list(data.scores)}
            case _:
                pass
    if trick:
        told["tricks"].append({"cards": trick})
    return told
