"""What a bacará table shows: to everybody, and what a seat may do now."""

from typing import Any

from dealer.rules.bacara import banco, banking, deposits, garage, seeking, shares
from dealer.rules.bacara.betting import OPEN
from dealer.rules.bacara.closing import results
from dealer.rules.bacara.holders import pano_of
from dealer.rules.bacara.points import total_of_cards
from dealer.rules.bacara.punto.limits import is_punto, room
from dealer.rules.bacara.speaking import may, speaker
from dealer.rules.bacara.staking import bets
from dealer.rules.bacara.state import BANK, goes_round, panos_of, play_of
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
        "holders": {p: play.holders.get(p, 0) for p in panos_of(table.options)},
        "pointers": {p: play.pointers.get(p, 0) for p in panos_of(table.options)},
        "stakes": [{"on": s.on, "seat": s.seat, "amount": s.amount} for s in play.stakes.values()],
        "said": play.said,
        "points": {h: total_of_cards(table.faces[i] for i in p) for h, p in sorted(open_hands.items())},
        "results": results(table) if play.holders and len(open_hands) == len(play.holders) + 1 else {},
        **_banco(table),
        **_holding(table),
    }


def _banco(table: Table) -> dict[str, Any]:
    """Who has said banco, where it is played."""
    if table.options["banco"] == "off":
        return {}
    banco = play_of(table).banco
    calls = [{"seat": each.seat, "on": each.on, "half": each.half} for each in banco.calls]
    return {"banco": {"calls": calls, "seat": banco.called.seat if banco.called else 0}}


def _holding(table: Table) -> dict[str, Any]:
    """What stands beside the bank: the garage, its associates' chips."""
    found: dict[str, Any] = {}
    if table.options["garage_minima"]:
        found["garage"] = table.chips.get(banking.GARAGE, 0)
    if table.options["associates"]:
        holding = play_of(table).holding
        found["shares"] = [{"seat": n, "amount": amount} for n, amount in sorted(holding.shares.items())]
        found["asking"] = [{"seat": n, "amount": amount} for n, amount in sorted(holding.asking.items())]
    return found


def options(table: Table, chance: Chance, seat: int) -> list[Option]:
    """The legal moves of the game for a seat now (R-26, R-37, R-41, R-51 to R-53, R-57)."""
    play = play_of(table)
    if table.phase == "no_bank":
        return seeking.options(table, seat)
    if table.phase == banco.PHASE:
        return banco.options(table, seat)
    found = shares.options(table, seat) if seat else []
    if seat and seat == play.banker:
        found += [*_banker(table), *deposits.options(table, seat), *garage.options(table)]
    elif table.phase in OPEN and not banco.in_play(table, seat):
        found += _stakes(table, seat)
    if seat and seat == speaker(table):
        found += [Option(word, table.decision()) for word in sorted(may(table, chance))]
    return found


def _banker(table: Table) -> list[Option]:
    """The word by which the banker gets up now."""
    if not banking.may_end(table) or banking.too_early(table):
        return []
    return [Option("pass_bank" if goes_round(table.options) else "end_bank")]


def _stakes(table: Table, seat: int) -> list[Option]:
    """What may be staked and taken back, the seat's own paño first."""
    play = play_of(table)
    least, most = table.options["min_stake"], table.options.get("max_stake")
    found = []
    for on in sorted(bets(table.options), key=lambda pano: pano != pano_of(seat)):
        lying = play.stakes.get(f"{on}:{seat}")
        staked = lying.amount if lying else 0
        low = max(1, least - staked)
        high = table.stack(seat) if most is None else min(table.stack(seat), most - staked)
        if is_punto(table.options):
            high = min(high, room(table, on))
        if high >= low:
            found.append(Option("stake", fields={"on": on}, min=low, max=high))
        if staked > least > 1:  # what stays has to reach the minimum
            found.append(Option("unstake", fields={"on": on}, min=1, max=staked - least))
        if staked:
            found.append(Option("unstake", fields={"on": on}, min=1 if least == 1 else staked, max=staked))
    return [*found, *_on_the_line(table, seat)]


def _on_the_line(table: Table, seat: int) -> list[Option]:
    """What may be staked a caballo: both halves have to fit, the odd unit on the right paño (R-27)."""
    if not table.options["a_cheval"]:
        return []
    play = play_of(table)
    least, most = table.options["min_stake"], table.options.get("max_stake")
    right, left = (
        lying.amount if (lying := play.stakes.get(f"{on}:{seat}")) else 0 for on in ("right", "left")
    )
    low = max(2 * max(1, least - left), 2 * max(1, least - right) - 1)
    high = table.stack(seat)
    if most is not None:
        high = min(high, 2 * (most - right), 2 * (most - left) + 1)
    return [Option("stake", fields={"on": "a_cheval"}, min=low, max=high)] if low <= high else []
