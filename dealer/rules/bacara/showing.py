"""What a bacará table shows: to everybody, and what a seat may do now."""

from typing import Any

from dealer.rules.bacara import banking, seeking
from dealer.rules.bacara.betting import OPEN
from dealer.rules.bacara.closing import results
from dealer.rules.bacara.holders import pano_of
from dealer.rules.bacara.points import total_of_cards
from dealer.rules.bacara.speaking import may, speaker
from dealer.rules.bacara.state import BANK, PANOS, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.game import Option
from dealer.rules.frame.state import Table


def view(table: Table) -> dict[str, Any]:
    """Bacará's part of the public view."""
    play = play_of(table)
    open_hands = {h: p for h, p in table.hands.items() if all(i in table.faces for i in p)}
    return {
        "banker": play.banker,
        "bank": table.chips.get(BANK, 0),
        "bank_mode": play.bank_mode,
        "bank_step": play.seeking.step,
        "seeking": seeking.view(table),
        "holders": {p: play.holders.get(p, 0) for p in PANOS},
        "pointers": {p: play.pointers.get(p, 0) for p in PANOS},
        "stakes": [{"on": s.on, "seat": s.seat, "amount": s.amount} for s in play.stakes.values()],
        "said": play.said,
        "points": {h: total_of_cards(table.faces[i] for i in p) for h, p in sorted(open_hands.items())},
        "results": results(table) if play.holders and len(open_hands) == len(play.holders) + 1 else {},
    }


def options(table: Table, chance: Chance, seat: int) -> list[Option]:
    """The legal moves of the game for a seat now (R-26, R-37, R-41, R-51 to R-53, R-57)."""
    play = play_of(table)
    if table.phase == "no_bank":
        return seeking.options(table, seat)
    if seat and seat == play.banker and banking.may_end(table):
        return [Option("end_bank")]
    if table.phase in OPEN and seat != play.banker:
        return _stakes(table, seat)
    if seat and seat == speaker(table):
        return [Option(word, table.decision()) for word in sorted(may(table, chance))]
    return []


def _stakes(table: Table, seat: int) -> list[Option]:
    """What may be staked and taken back, the seat's own paño first."""
    play = play_of(table)
    least, most = table.options["min_stake"], table.options.get("max_stake")
    found = []
    for on in sorted(PANOS, key=lambda pano: pano != pano_of(seat)):
        lying = play.stakes.get(f"{on}:{seat}")
        staked = lying.amount if lying else 0
        low = max(1, least - staked)
        high = table.stack(seat) if most is None else min(table.stack(seat), most - staked)
        if high >= low:
            found.append(Option("stake", fields={"on": on}, min=low, max=high))
        if staked > least > 1:  # what stays has to reach the minimum
            found.append(Option("unstake", fields={"on": on}, min=1, max=staked - least))
        if staked:
            found.append(Option("unstake", fields={"on": on}, min=1 if least == 1 else staked, max=staked))
    return found
