"""What a báciga table shows: to everybody, and what a seat may do now."""

from typing import Any

from dealer.rules.baciga import declaring, hands, melds, state
from dealer.rules.baciga.playing import CARDS
from dealer.rules.baciga.scoring import target
from dealer.rules.baciga.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.game import Option
from dealer.rules.frame.state import Table
from dealer.rules.matches import conceding, course
from dealer.rules.matches.state import everybody, hand_of, side_of


def view(table: Table) -> dict[str, Any]:
    """Báciga's part of the public view; of a hand no card is shown, even if people have seen it before."""
    play, code = play_of(table), hands.deck_of(table).code
    private = {hand_of(seat) for seat in everybody(table)}
    return {
        "hands": {
            name: ["" if name in private else code(table.faces[pos]) for pos in lying]
            for name, lying in sorted(table.hands.items())
        },
        "match": play.match,
        "match_running": play.running,
        "dealer": play.dealer,
        "turn": play.turn,
        "leader": play.leader,
        "trump": play.trump,
        "stock": state.stock_left(table) if table.playing else 0,
        "target": target(table),
        "scores": list(play.totals),
        "tricks": list(play.won),
        "trumps_played": play.trumps,
        "melds": [
            {"seat": each.seat, "meld": each.meld, "cards": [code(card) for card in each.cards]}
            for each in play.scored
        ],
        "conceded": sorted({*play.conceded, *play.offered}),
        "winner": play.winner,
    }


def options(table: Table, chance: Chance, seat: int) -> list[Option]:
    """The legal moves of a seat now: its cards, all it may declare with the points, its sevens, conceding."""
    found: list[Option] = []
    play = play_of(table)
    if table.playing and seat not in play.conceded:
        if table.phase in CARDS and seat == play.turn:
            found += _cards(table, chance, seat)
        found += _melds(table, chance, seat)
        if table.phase == "declaring" and seat == play.turn:
            found += _sevens(table, chance, seat)
    if course.asked(table, seat) is None:
        found.append(Option("next_round"))
    if conceding.refusal(table, seat) is None:
        found.append(Option("concede"))
    return found


def _cards(table: Table, chance: Chance, seat: int) -> list[Option]:
    code = hands.deck_of(table).code
    legal = hands.legal(table, list(hands.held(table, chance, seat)))
    return [Option("play", table.decision(), {"card": code(card)}) for card in legal]


def _melds(table: Table, chance: Chance, seat: int) -> list[Option]:
    play, code = play_of(table), hands.deck_of(table).code
    if declaring.barred(table, seat) or not play.won[side_of(table, seat) - 1]:
        return []
    found = melds.declarable(table.options, hands.own(table, chance, seat), play.trump)
    return [
        Option(
            "declare", "", {"meld": meld.name, "cards": [code(card) for card in cards]}, points=meld.points
        )
        for meld, cards in found
    ]


def _sevens(table: Table, chance: Chance, seat: int) -> list[Option]:
    code, points = hands.deck_of(table).code, table.options["seven_bonus"]
    found = []
    if declaring.exchangeable(table, chance, seat) is not None:
        found.append(Option("exchange_seven", table.decision(), points=points))
    found += [
        Option("show_seven", table.decision(), {"card": code(card)}, points=points)
        for card in declaring.showable(table, chance, seat)
    ]
    return [*found, Option("draw_stock", table.decision())]
