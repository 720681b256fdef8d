"""What can be bet on at punto y banca, and how much its bank can pay (R-95, R-96)."""

from collections.abc import Iterable, Mapping
from typing import Any

from dealer.rules.bacara.coverage import Covered, Stake
from dealer.rules.bacara.state import BANK, play_of
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

PUNTO, TIE = "punto", "tie"
PAIRS = ("punto_pair", "bank_pair")
PAIR_PAYS = 11


def is_punto(options: Mapping[str, Any]) -> bool:
    """Whether this is a table of punto y banca: only there a tie is bet on."""
    return "tie_pays" in options


def pays(on: str, options: Mapping[str, Any]) -> int:
    """What a bet pays for one chip, before commission (R-45, R-102)."""
    if on in PAIRS:
        return PAIR_PAYS
    return int(options["tie_pays"]) if on == TIE else 1


def bets(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The bets of a table (R-95)."""
    return (PUNTO, BANK, TIE, *(PAIRS if options["pair_bets"] else ()))


def exposure(staked: Mapping[str, int], tie_pays: int) -> int:
    """The most the bank might have to pay for these stakes by bet (R-96)."""
    on = staked.get
    hands = max(on(PUNTO, 0), on(BANK, 0), tie_pays * on(TIE, 0))
    return hands + PAIR_PAYS * sum(on(pair, 0) for pair in PAIRS)


def staked(table: Table) -> dict[str, int]:
    """All stakes by bet."""
    found: dict[str, int] = {}
    for stake in play_of(table).stakes.values():
        found[stake.on] = found.get(stake.on, 0) + stake.amount
    return found


def over(table: Table, on: str, amount: int) -> Refusal | None:
    """Refuse what the bank might not be able to pay (R-96)."""
    most = room(table, on)
    return Refusal("stake_above_maximum", {"max": most}) if amount > most else None


def room(table: Table, on: str) -> int:
    """How much more the bank can stand on a bet."""
    return _room(staked(table), table.chips.get(BANK, 0), table.options["tie_pays"], on)


def _room(now: Mapping[str, int], bank: int, pays: int, on: str) -> int:
    if on in PAIRS:
        return max(0, bank - exposure(now, pays)) // PAIR_PAYS
    left = bank - exposure({pair: now.get(pair, 0) for pair in PAIRS}, pays)
    return max(0, left // (pays if on == TIE else 1) - now.get(on, 0))


def cover(stakes: Iterable[Stake], bank: int, pays: int) -> tuple[Covered, ...]:
    """What of each stake the bank can pay whatever happens, in the order in which they were placed (R-96).

    It is all of it, but for stakes that a push left standing while its ties were paid from the same bank.
    """
    now: dict[str, int] = {}
    found = []
    for stake in sorted(stakes, key=lambda stake: stake.order):
        covered = min(stake.amount, _room(now, bank, pays, stake.on))
        now[stake.on] = now.get(stake.on, 0) + covered
        found.append(Covered(amount=stake.amount, covered=covered, on=stake.on, seat=stake.seat))
    return tuple(found)
