"""One coup told from its events: who staked what, the cards, the results, the chips."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from dealer.rules.bacara import events as ev
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CardDealt, CardExposed, ChipsMoved
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
        "net": _net(events),
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
            case ev.RoundSettled():
                told["bank"]["after"] = data.bank
            case _:
                told |= _rare(data)
    for shown in told["hands"].values():
        shown["cards"].sort(key=lambda card: card["pos"])
    return told


def _net(events: Sequence[Event]) -> list[dict[str, int]]:
    """What each seat has won or lost; together with the bank's and the commission it is nought (R-00)."""
    net: Counter[int] = Counter()
    for event in events:
        match event.data:
            case ev.PanoSettled(stakes=stakes):
                for stake in stakes:
                    net[stake.seat] += stake.won
            case ChipsMoved(cause="settlement") as settlement:
                for seat, paid in paid_from_stacks(settlement):
                    net[seat] -= paid
    return [{"seat": seat, "net": net[seat]} for seat in sorted(net)]


def paid_from_stacks(settlement: ChipsMoved) -> Iterator[tuple[int, int]]:
    """What the banker of an open bank has paid from his own stack: his seat, and chips (R-29)."""
    for move in settlement.moves:
        kind, _, seat = move.origin.partition(":")
        if kind == "stack":
            yield int(seat), move.amount


def _rare(data: Any) -> dict[str, Any]:
    """What only some coups have: a banco (R-69 to R-75), a commission (R-47, R-103)."""
    match data:
        case ev.BancoAwarded():
            return {"banco": {"seat": data.seat, "on": data.on, "amount": data.amount, "half": data.half}}
        case ev.CommissionTaken():
            return {"commission": data.amount}
        case _:
            return {}
