"""A bank from the chips put up to the chips taken back (R-15, R-51 to R-58)."""

from dealer.rules.bacara import commands as cmd
from dealer.rules.bacara import events as ev
from dealer.rules.bacara.betting import place, players_ready
from dealer.rules.bacara.state import BANK, goes_round, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.chips import HOUSE, check_total, grouped, to_cage
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import Move, RoundEnded
from dealer.rules.frame.game import Act, Decided, Due
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table

GARAGE = "garage"
"""Where gains stand that the banker has excluded from play (R-74)."""


def least_bank(table: Table) -> int:
    """The smallest bank a player may put up: `min_bank`, or else the smallest stake (R-56)."""
    least: int = table.options.get("min_bank", table.options["min_stake"])
    return least


def most_bank(table: Table, seat: int) -> int:
    """The largest bank a seat may put up: its stack, and at most `max_bank` (R-55, R-56)."""
    stack = table.stack(seat)
    most: int = table.options.get("max_bank", stack)
    return min(stack, most)


def misfit(table: Table, seat: int, amount: int) -> Refusal | None:
    """Why a seat may not bank with this amount, None if it may (R-55, R-56)."""
    least, most = least_bank(table), table.options.get("max_bank")
    if seat in play_of(table).barred:
        return Refusal("bank_return_barred")
    if amount < least:
        return Refusal("bank_below_minimum", {"min": least})
    if most is not None and amount > most:
        return Refusal("bank_above_maximum", {"max": most})
    if amount > table.stack(seat):
        return Refusal("insufficient_chips", {"stack": table.stack(seat)})
    return None


def constitute(table: Table, seat: int, amount: int, mode: str, source: str = "", by: str = "") -> list[Data]:
    """A player's chips become the bank; what a push left of his on the cloth goes back first (R-15, R-55).

    Who continues a bank, `follow_on`, leaves its banker his place, if that one is still here (R-59).
    """
    lying = [stake for stake in play_of(table).stakes.values() if stake.seat == seat]
    back = [
        ev.StakeWithdrawn(amount=stake.amount, on=stake.on, seat=seat, source="automation", total=0)
        for stake in lying
    ]
    stack = f"stack:{seat}"
    own = table.stack(seat) + sum(stake.amount for stake in lying)
    retired = play_of(table).turn if mode == "follow_on" else 0
    banker = retired or seat
    return [
        *back,
        *grouped("unstake", [Move(stake.amount, place(stake.on, seat), stack) for stake in lying]),
        *(_exchanged(seat, own, banker, table.stack(banker)) if banker != seat else []),
        *grouped("bank", [Move(amount, f"stack:{banker}", BANK)]),
        ev.BankConstituted(amount=amount, banker=banker, by=by, mode=mode, source=source),
    ]


def _exchanged(one: int, own: int, other: int, theirs: int) -> list[Data]:
    """Two people and their stacks change places."""
    places = f"stack:{one}", f"stack:{other}"
    moves = [Move(theirs, *places[::-1]), Move(own, *places)]
    return [ev.SeatsExchanged((other, one)), *grouped("moved", moves)]


def ended(table: Table, reason: str, source: str = "", by: str = "") -> list[Data]:
    """The bank is over: its chips go back to the banker's stack, or the house's cage."""
    banker, bank = play_of(table).banker, table.chips.get(BANK, 0)
    end = ev.BankEnded(amount=bank, banker=banker, by=by, reason=reason, source=source)
    if not banker:
        return [end, *to_cage(table, HOUSE, {BANK: bank})]
    shares, aside = play_of(table).holding.shares, table.chips.get(GARAGE, 0)
    owners = {**shares, banker: bank - sum(shares.values())}
    back = [Move(owners[seat], BANK, f"stack:{seat}") for seat in sorted(owners)]
    returned = [ev.GarageReturned(aside, banker)] if aside else []
    return [
        end,
        *grouped("bank", back),
        *returned,
        *grouped("garage", [Move(aside, GARAGE, f"stack:{banker}")]),
    ]


def may_end(table: Table) -> bool:
    """Whether the banker may stop now: only between coups (R-57, A-22).

    A coup on which nobody has staked anything is none: without this a banker whose punters are gone, or do
    not play, could never get up. So is a bank that has not had its first coup, or waits for its shoe: a cut
    that is open then goes on, and the shoe is the next bank's.
    """
    if table.phase == "betting":
        return not play_of(table).stakes
    return table.phase in {"preparing", "between_rounds"}


def end_bank(table: Table, chance: Chance, act: Act) -> Decided:
    """The banker stops, or passes, and takes the whole bank (R-57, R-66, A-29).

    A coup without stakes is closed first. Where the bank goes round he passes it on, elsewhere he ends it.
    """
    passes = isinstance(act.command, cmd.PassBank)
    if not may_end(table) or passes != goes_round(table.options):
        return Refusal("wrong_phase", {"phase": table.phase})
    banker = play_of(table).banker
    if not banker or act.seat != banker:
        return Refusal("not_banker")
    if too_early(table):
        return Refusal("bank_too_early")
    closed: list[Data] = []
    if table.playing:
        closed = [
            ev.StakesLastCalled(source="automation"),
            ev.StakesClosed(source="automation"),
            RoundEnded(check_total(table.chips)),
        ]
    return [*closed, *ended(table, "passed" if passes else "will", act.source, act.by)]


def too_early(table: Table) -> bool:
    """Whether the regulation keeps the banker: not before one coup, while somebody would play (R-57)."""
    bound = table.options.get("bank_end") == "regulation"
    return bound and not play_of(table).holding.coups and players_ready(table)


def away(table: Table) -> Due | None:
    """The end of the patience with a banker who does not answer, if he is away (section 12, Absence).

    He may have been silent for several coups, in which the tableau played for him: it ends between coups.
    """
    if table.phase != "between_rounds" or play_of(table).banker not in table.absent:
        return None
    play, patience = play_of(table), table.options["banker_away_ms"]
    if not play.away or not patience:
        return None
    until = max(table.since, play.away + patience)
    return Due(f"away:{table.opened}", "timeout", (play.banker,), until, table.since)
