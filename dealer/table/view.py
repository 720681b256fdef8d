"""What a table shows: to everybody, to one seat, and what a seat may do now.

The public view takes no chance, so it cannot leak (design 3).
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.game import Game, Option
from dealer.rules.frame.state import Table
from dealer.table import cashier, corte_shown, seats
from dealer.table.aggregate import due


def view(game: Game, table: Table) -> dict[str, Any]:
    """The public view."""
    shoe = table.shoe
    codes = table.deck.code if table.deck else str
    return {
        "game": table.game,
        "profile": table.profile,
        "mode": table.mode,
        "options": table.options,
        "status": table.status,
        "pause_reason": table.pause_reason,
        "proposal": _proposal(table),
        "automations": sorted(table.automations),
        "stacked": table.stacked,
        "seq": table.seq,
        "at": table.at,
        "round": table.round,
        "playing": table.playing,
        "phase": table.phase,
        "due": [
            {"decision": d.decision, "seats": list(d.seats), "until": d.until or 0}
            for d in due(game, table)
            if d.kind == "timeout"
        ],
        "seats": [
            {
                "seat": n,
                "pid": s.pid,
                "bot": s.bot,
                "stack": table.stack(n),
                "absent": n in table.absent,
                "willing": s.willing,
            }
            for n, s in sorted(table.seats.items())
        ],
        "chips": {place: n for place, n in sorted(table.chips.items()) if place != "cage"},
        "cut": corte_shown.view(game, table),
        "shoe": {
            "shuffle": shoe.shuffle,
            "root": shoe.root,
            "size": shoe.size,
            "dealt": shoe.pos,
            "ready": shoe.ready,
        }
        if shoe
        else {},
        "hands": {
            hand: [codes(table.faces[p]) if p in table.faces else "" for p in positions]
            for hand, positions in sorted(table.hands.items())
        },
        **game.view(table),
    }


def recalled(game: Game, table: Table) -> dict[str, Any]:
    """What a bot of the house goes by: the public view, and what it has seen in this round besides."""
    return {**view(game, table), **game.recalled(table)}


def _proposal(table: Table) -> dict[str, Any]:
    """What waits for a second person, with its exact effect (fairness S-25)."""
    proposal = table.proposal
    if proposal is None:
        return {}
    shown = {"by": proposal.by, "kind": proposal.kind, "proposal": proposal.seq}
    if not proposal.corrects:
        return shown
    moves = [{"amount": m.amount, "from": m.origin, "to": m.to} for m in proposal.moves]
    return {**shown, "moves": moves, "reason": proposal.reason, "round": proposal.corrects}


def hand(game: Game, table: Table, chance: Chance, seat: int) -> list[dict[str, Any]]:
    """The cards that a seat holds and may see, each with its nonce and its path to the sealed root.

    Outside a round nobody holds cards: what still lies there is open, and may be of a shoe that is over.
    """
    shoe = table.shoe
    if shoe is None or not table.playing:
        return []
    deck = shoe.transcript.deck
    cards = chance.current(shoe)
    return [
        {
            "hand": name,
            "pos": pos,
            "card": cards.card(pos),
            "code": deck.code(cards.card(pos)),
            "nonce": cards.nonce(pos),
            "path": cards.path(pos),
        }
        for name in game.holds(table, seat)
        for pos in table.hands.get(name, ())
    ]


def options(game: Game, table: Table, chance: Chance, seat: int, pid: str = "") -> list[Option]:
    """The legal commands for a seat now (design 3).

    Seat 0 is somebody who has no place: with the pseudonym `pid`, or none if he has never acted here.
    """
    status = table.status
    if status == "closed" or (status == "closing" and not table.playing) or (status != "open" and not seat):
        return []
    if not seat:
        free = [Option("sit", fields={"seat": n}) for n in seats.free(game, table)]
        standing = [Option("join")] if table.options["standing"] and seats.standing_room(table) else []
        return [*free, *standing, *corte_shown.options(table, 0, pid)]
    general = []
    if status == "open":
        most = cashier.room(table)
        general = [*([Option("buy_in", min=1, max=most)] if most else []), *corte_shown.options(table, seat)]
    if table.stack(seat) and not game.stack_answers(table, seat):
        general.append(Option("cash_out"))
    if game.may_leave(table, seat):
        general.append(Option("leave"))
    return general if status == "paused" else [*game.options(table, chance, seat), *general]


def within(found: Sequence[Option], balance: int) -> list[Option]:
    """The same for somebody whose account holds so much: he brings no more to the table."""
    kept = []
    for option in found:
        if option.type != "buy_in" or option.max is None:
            kept.append(option)
        elif balance >= 1:
            kept.append(replace(option, max=min(balance, option.max)))
    return kept
