"""What a butifarra table shows: to everybody, and what a seat may do now."""

from typing import Any

import msgspec

from dealer.rules.butifarra import bidding, playing
from dealer.rules.butifarra.bidding import Contract
from dealer.rules.butifarra.cards import code
from dealer.rules.butifarra.state import Taken, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.game import Option
from dealer.rules.frame.state import Table
from dealer.rules.matches import conceding, course
from dealer.rules.matches.state import everybody, hand_of


def view(table: Table) -> dict[str, Any]:
    """Butifarra's part of the public view; of the tricks taken only the last one is shown (12)."""
    play = play_of(table)
    private = {hand_of(seat) for seat in everybody(table)}
    contract = _contract(table)
    return {
        "hands": {
            name: ["" if name in private else code(table.faces[pos]) for pos in lying]
            for name, lying in sorted(table.hands.items())
        },
        "match": play.match,
        "match_running": play.running,
        "dealer": play.dealer,
        "turn": play.turn,
        "leader": play.leader if table.phase == "tricks" else 0,
        "bid_step": play.bidding.step if table.phase == "bidding" else "",
        "bids": [msgspec.to_builtins(said) for said in play.said],
        "contract": msgspec.to_builtins(contract) if contract else {},
        "trump": play.trump,
        "last_trick": _trick(play.taken[-1]) if play.taken else {},
        "tricks": list(play.won),
        "raw": list(play.raw),
        "scores": list(play.scores),
        "hands_played": play.hands,
        "conceded": sorted({*play.conceded, *play.offered}),
        "winner": play.winner,
    }


def recalled(table: Table) -> dict[str, Any]:
    """All complete tricks of the hand, which stand in the log for whoever wants to read it there (12)."""
    return {"played": [_trick(taken) for taken in play_of(table).taken]}


def _trick(taken: Taken) -> dict[str, Any]:
    return {
        "leader": taken.leader,
        "cards": [code(card) for card in taken.cards],
        "seat": taken.seat,
    }


def _contract(table: Table) -> Contract | None:
    """The contract, or what it would be if everybody passed now."""
    play = play_of(table)
    if play.contract or not play.bidding.offers:
        return play.contract
    return bidding.contract(play.bidding, table.options, play.dealer)


def options(table: Table, chance: Chance, seat: int) -> list[Option]:
    """The legal moves of a seat now: what it may say, the cards it may play, conceding."""
    found: list[Option] = []
    play = play_of(table)
    if seat == play.turn and table.phase == "bidding":
        for word, trump in bidding.sayable(play.bidding, table.options):
            found.append(Option(word, table.decision(), {"trump": trump} if trump else {}))
    if seat == play.turn and table.phase == "tricks":
        cards = playing.legal(table, chance, seat)
        found += [Option("play", table.decision(), {"card": code(card)}) for card in cards]
    if course.asked(table, seat) is None:
        found.append(Option("next_round"))
    if conceding.refusal(table, seat) is None:
        found.append(Option("concede"))
    return found
