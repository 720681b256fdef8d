"""One coup told from its events: who staked what, the cards, the results, the chips."""

from collections.abc import Sequence
from typing import Any

from dealer.rules.bacara import events as ev
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CardDealt, CardExposed
from shoe.cards import Deck

_FACES = Deck("fr52", 10)
"""Codes of physical cards do not depend on how many packs are in play, up to the largest shoe."""


def history(events: Sequence[Event]) -> dict[str, Any]:
    """The coup as a document; every figure is recomputed from the events it cites."""
    to: dict[int, str] = {}
    told: dict[str, Any] = {
        "calls": [],
        "bank": {},
        "holders": {},
        "stakes": [],
        "hands": {},
        "said": [],
        "results": {},
        "net": {},
    }
    for event in events:
        data = event.data
        match data:
            case ev.StakesOpened() | ev.StakesLastCalled() | ev.StakesClosed():
                told["calls"].append({"call": data.TYPE, "at": event.at, "source": data.source})
            case ev.StakesCovered():
                told["bank"] = {"before": data.bank}
                told["holders"] = data.holders
                told["stakes"] += [
                    {"on": s.on, "seat": s.seat, "amount": s.amount, "covered": s.covered}
                    for s in data.stakes
                ]
            case CardDealt():
                to[data.pos] = data.to
            case CardExposed():
                card = {"code": _FACES.code(data.card), "pos": data.pos, "nonce": data.nonce}
                told["hands"].setdefault(to[data.pos], {"cards": []})["cards"].append(card)
            case ev.HandDrew() | ev.HandStood() | ev.HandLaidDown():
                said = {"hand": data.hand, "seat": data.seat, "source": data.source}
                told["said"].append({"what": data.TYPE.removeprefix("hand."), **said})
            case ev.HandShown():
                told["hands"][data.hand]["points"] = data.points
            case ev.PanoSettled():
                told["results"][data.pano] = data.result
                for s in data.stakes:
                    told["net"][s.seat] = told["net"].get(s.seat, 0) + s.won
            case ev.RoundSettled():
                told["bank"]["after"] = data.bank
            case _:
                told |= _rare(data)
    for shown in told["hands"].values():
        shown["cards"].sort(key=lambda card: card["pos"])
    told["net"] = [{"seat": seat, "net": net} for seat, net in sorted(told["net"].items())]
    return told


def _rare(data: Any) -> dict[str, Any]:
    """What only some coups have: a banco (R-69 to R-75), a commission (R-47, R-103)."""
    match data:
        case ev.BancoAwarded():
            return {"banco": {"seat": data.seat, "on": data.on, "amount": data.amount, "half": data.half}}
        case ev.CommissionTaken():
            return {"commission": data.amount}
        case _:
            return {}
