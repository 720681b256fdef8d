"""What each stake of punto y banca wins or loses (R-102 to R-104)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dealer.rules.bacara.coverage import Covered
from dealer.rules.bacara.points import RANKS, total_of_cards
from dealer.rules.bacara.punto.limits import PAIR_PAYS, PAIRS, PUNTO, TIE
from dealer.rules.bacara.settlement import commission_on
from dealer.rules.bacara.state import BANK
from dealer.rules.frame.events import Move

_SIX = 6


class Paid(msgspec.Struct, frozen=True, gc=False):
    """The settlement of a coup.

    Attributes:
        bank: what the bank has gained; below 0 if it paid.
        commission: chips that went to the house box.
        moves: in the order of R-46.
        on_bank: what stakes on the bank have won before commission.
        won: what each stake won, by its place; a loss is below 0, a returned stake 0.
    """

    bank: int
    commission: int
    moves: tuple[Move, ...]
    on_bank: int
    won: dict[str, int]


def pair(cards: Sequence[int]) -> bool:
    """Whether the first two cards are of one rank; suits and packs do not matter (R-102)."""
    return cards[0] % len(RANKS) == cards[1] % len(RANKS)


def gain(
    bet: str, stake: int, how: str, cards: Mapping[str, Sequence[int]], options: Mapping[str, Any]
) -> int:
    """What a stake wins before commission; 0 if it is returned, its loss below 0 (R-102, R-104)."""
    if bet in PAIRS:
        return PAIR_PAYS * stake if pair(cards[PUNTO if bet == PAIRS[0] else BANK]) else -stake
    if bet == TIE:
        return int(options["tie_pays"]) * stake if how == "push" else -stake
    if how == "push":
        return 0
    if (how == "bank") != (bet == BANK):
        return -stake
    halved = bet == BANK and options["six_pays_half"] and total_of_cards(cards[BANK]) == _SIX
    return stake // 2 if halved else stake


def paid(
    covered: Sequence[Covered], how: str, cards: Mapping[str, Sequence[int]], options: Mapping[str, Any]
) -> Paid:
    """Settle a coup: losers collected, then the commission, then winners paid, stake by stake (R-46, R-103).

    Args:
        covered: the stakes, all covered in full.
        how: the result of punto's hand against the bank's: `bank`, `pano` or `push`.
        cards: `fr52` ids of each hand.
        options: of the table.
    """
    lost: list[Move] = []
    winners: list[Move] = []
    won: dict[str, int] = {}
    house = on_bank = 0
    for each in covered:
        place, stack = f"stake:{each.on}:{each.seat}", f"stack:{each.seat}"
        gross = gain(each.on, each.covered, how, cards, options)
        commission = 0
        if gross < 0:
            lost.append(Move(each.covered, place, BANK))
        elif gross > 0:
            if each.on == BANK:
                commission = commission_on(gross, options["commission_bp"], options["commission_unit"])
                on_bank += gross
            house += commission
            winners += [Move(gross - commission, BANK, stack), Move(each.covered, place, stack)]
        elif each.on in {PUNTO, BANK} and how != "push":  # a single chip, half of which is nothing
            winners.append(Move(each.covered, place, stack))
        won[place] = gross - commission
    commissions = [Move(house, BANK, "house_box")] if house else []
    return Paid(
        bank=-sum(won.values()) - house,
        commission=house,
        moves=tuple(move for move in (*lost, *commissions, *winners) if move.amount),
        on_bank=on_bank,
        won=won,
    )
