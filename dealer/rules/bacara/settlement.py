"""What a coup costs and brings (R-44 to R-48)."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from dealer.rules.bacara.coverage import PANOS, Covered
from dealer.rules.frame.events import Move

HOUSE_BOX = "house_box"
"""Where commissions lie."""


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """The settlement of one coup, its moves between the places of the table in the order of R-46.

    Attributes:
        bank: chips in the bank afterwards; its winnings stay in it (R-48).
        collected: losing stakes to the bank, right paño first.
        commission: at most one move, from the bank to the house box.
        house: chips the house box has taken.
        net: change of each person with a stake, seat by seat, 0 included.
        won: what each stake won (negative: lost, 0: push) by its place on the cloth.
        paid: for each winning stake, in the order of R-30, what the bank pays and the stake that returns.
    """

    bank: int
    collected: tuple[Move, ...]
    commission: tuple[Move, ...]
    house: int
    net: dict[int, int]
    paid: tuple[Move, ...]
    won: dict[str, int]

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves of the coup in the order of R-46."""
        return self.collected + self.commission + self.paid


def result(pano_points: int, pano_natural: bool, bank_points: int, bank_natural: bool) -> str:
    """Return the result of a paño: `bank`, `pano` or `push` (R-44).

    A natural beats any other hand, a three-card 9 included (A-13); otherwise the higher score wins.
    """
    pano = pano_points + 10 * pano_natural
    bank = bank_points + 10 * bank_natural
    if bank > pano:
        return "bank"
    return "pano" if pano > bank else "push"


def commission_on(gain: int, commission_bp: int, commission_unit: int) -> int:
    """Return the commission on a gain: to the nearest `commission_unit`, halves up (R-47, R-103)."""
    return (
        (2 * gain * commission_bp + 10_000 * commission_unit) // (20_000 * commission_unit)
    ) * commission_unit


def _cloth(item: Covered) -> str:
    return f"stake:{item.on}:{item.seat}"


def settle(
    coverage: str,
    bank: int,
    covered: Sequence[Covered],
    results: Mapping[str, str],
    commission_bp: int = 0,
    commission_unit: int = 1,
) -> Settlement:
    """Settle a coup (R-45, R-46, R-47; with `coverage` `after` R-31).

    A stake on a `push` stays where it is: it is its owner's again (R-45).

    Args:
        coverage: `before` or `after`.
        bank: chips in the bank before the deal.
        covered: the stakes in the order of R-30, as `coverage.cover` gave them.
        results: result of each paño that was dealt cards.
        commission_bp: basis points of the bank's net gain of the coup.
        commission_unit: chips the commission is rounded to.

    Raises:
        ValueError: under `before` the bank cannot pay, so `covered` was not made from it.
    """
    at_risk = [item for item in covered if item.covered]
    losing = [item for pano in PANOS for item in at_risk if item.on == pano and results[pano] == "bank"]
    winning = [item for item in at_risk if results[item.on] == "pano"]
    won = sum(item.covered for item in losing)
    owed = sum(item.covered for item in winning)
    if coverage == "before" and owed > bank + won:
        raise ValueError(f"a bank of {bank} cannot owe {owed} under coverage before")

    net = dict.fromkeys((item.seat for item in covered), 0)
    changes = {_cloth(item): 0 for item in at_risk}
    collected = []
    for item in losing:
        net[item.seat] -= item.covered
        changes[_cloth(item)] = -item.covered
        collected.append(Move(item.covered, _cloth(item), "bank"))
    house = commission_on(max(0, won - owed), commission_bp, commission_unit)
    rest = bank + won - house
    paid = []
    for item in winning:
        payment = min(item.covered, rest)
        rest -= payment
        net[item.seat] += payment
        changes[_cloth(item)] = payment
        stack = f"stack:{item.seat}"
        if payment:
            paid.append(Move(payment, "bank", stack))
        paid.append(Move(item.covered, _cloth(item), stack))
    return Settlement(
        bank=rest,
        collected=tuple(collected),
        commission=(Move(house, "bank", HOUSE_BOX),) if house else (),
        house=house,
        net=net,
        paid=tuple(paid),
        won=changes,
    )


def from_stack(settled: Settlement, table_money: int, banker: int) -> Settlement:
    """The same where an open bank pays: from its own chips first, then from the banker's stack (R-29).

    Args:
        settled: the settlement of a bank that had the banker's stack in it.
        table_money: what of it stood on the table before the deal.
        banker: his seat.
    """
    won = sum(move.amount for move in settled.collected)
    rest = table_money + won - settled.house
    paid = []
    for move in settled.paid:
        if move.origin != "bank":
            paid.append(move)
            continue
        own = min(move.amount, rest)
        rest -= own
        parts = ((own, "bank"), (move.amount - own, f"stack:{banker}"))
        paid += [Move(amount, origin, move.to) for amount, origin in parts if amount]
    return replace(settled, bank=rest, paid=tuple(paid))
