"""One hand told from its events: the trump, the tricks, what was declared, the points."""

from collections.abc import Sequence
from typing import Any

from dealer.rules.baciga import events as ev
from dealer.rules.baciga.cards import ANY
from dealer.rules.frame.event import Event
from dealer.rules.matches.history import Told
from dealer.rules.tricks.events import TrumpTurned


def history(events: Sequence[Event]) -> dict[str, Any]:
    """The hand as a document; every figure is recomputed from the events it cites."""
    heard = Told(ANY)
    told: dict[str, Any] = {
        "trump": "",
        "tricks": heard.tricks,
        "melds": [],
        "sevens": [],
        "last_trick": {},
        "briscas": [],
        "conceded": heard.conceded,
    }
    for event in events:
        heard.hear(event)
        data = event.data
        match data:
            case TrumpTurned():
                told["trump"] = data.trump
            case ev.MeldDeclared():
                cards = [ANY.code(card) for card in data.cards]
                said = {"seat": data.seat, "meld": data.meld, "cards": cards, "points": data.points}
                told["melds"].append({**said, "after": heard.complete})
            case ev.SevenShown() | ev.SevenExchanged():
                how = data.how if isinstance(data, ev.SevenShown) else "exchanged"
                seven = {"seat": data.seat, "card": ANY.code(data.card), "how": how, "points": data.points}
                told["sevens"].append(seven)
            case ev.LastTrickScored():
                told["last_trick"] = {"seat": data.seat, "points": data.points}
            case ev.BriscasCounted():
                told["briscas"] = list(data.points)
            case _:
                pass
    return {**told, "won": heard.won}
