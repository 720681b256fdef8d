"""The double-entry ledger: accounts that always sum to zero, and the holds between them (design 7).

`house` issues and redeems and may be overdrawn; `transit` carries the open holds; each table has an
account of its own name. Everybody else's account is never negative.
"""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from dealer.cage import events as ev
from dealer.rules.frame.commands import MAX_CHIPS
from dealer.rules.frame.event import Codec, Data, Event
from dealer.rules.frame.refusal import ChipsBroken, Refusal

HOUSE = "house"
TRANSIT = "transit"


class OpenAccount(msgspec.Struct, frozen=True):
    """Open an account under a fresh id."""

    account: str


class Transfer(msgspec.Struct, frozen=True):
    """Move chips between two accounts at once; from `house` it is an issue, to it a redemption."""

    amount: int
    origin: str
    to: str
    x: str


class Hold(msgspec.Struct, frozen=True):
    """Set chips of an account aside for a table, under the id `x`."""

    amount: int
    origin: str
    to: str
    x: str


class Post(msgspec.Struct, frozen=True):
    """The table has taken the hold."""

    x: str


class Void(msgspec.Struct, frozen=True):
    """The table has refused the hold, or there is no such table."""

    x: str


class Return(msgspec.Struct, frozen=True):
    """Chips come back from a table. `n` grows with every return of one table, so each is posted once."""

    amount: int
    n: int
    origin: str
    owner: str
    to: str
    x: str


CageCommand = OpenAccount | Transfer | Hold | Post | Void | Return


class Held(msgspec.Struct, frozen=True, gc=False):
    """An open hold."""

    amount: int
    at: int
    origin: str
    to: str


class Cage(msgspec.Struct, frozen=True):
    """One book after event `seq`.

    Attributes:
        balances: by account; they sum to zero.
        holds: open holds by id.
        returned: the last return of each table, as (n, owner): a repeat or an older one was posted already.
    """

    log: str
    seq: int = -1
    at: int = 0
    balances: dict[str, int] = {}
    holds: dict[str, Held] = {}
    returned: dict[str, tuple[int, str]] = {}


CODEC = Codec(ev.EVENTS)


def _moved(
    cage: Cage, d: ev.TransferHeld | ev.TransferPosted | ev.TransferVoided, origin: str, to: str
) -> Cage:
    balances = dict(cage.balances)
    balances[origin] = rest = balances.get(origin, 0) - d.amount
    balances[to] = balances.get(to, 0) + d.amount
    if d.amount < 1 or rest < (-MAX_CHIPS if origin == HOUSE else 0):
        raise ChipsBroken(f"{d.amount} chips from {origin} to {to} in the cage")
    return replace(cage, balances=balances)


def _opened(cage: Cage, e: Event) -> Cage:
    return replace(cage, balances={**cage.balances, e.data.account: 0})


def _held(cage: Cage, e: Event) -> Cage:
    d: ev.TransferHeld = e.data
    holds = {**cage.holds, d.x: Held(d.amount, e.at, d.origin, d.to)}
    return replace(_moved(cage, d, d.origin, TRANSIT), holds=holds)


def _posted(cage: Cage, e: Event) -> Cage:
    d: ev.TransferPosted = e.data
    after = _moved(cage, d, d.origin, d.to)
    if d.origin == TRANSIT:
        return replace(after, holds={x: h for x, h in cage.holds.items() if x != d.x})
    if _is_table(d.origin):
        n, owner = split_return(d.x)
        return replace(after, returned={**cage.returned, d.origin: (n, owner)})
    return after


def _voided(cage: Cage, e: Event) -> Cage:
    d: ev.TransferVoided = e.data
    after = _moved(cage, d, TRANSIT, d.to)
    return replace(after, holds={x: h for x, h in cage.holds.items() if x != d.x})


_EVOLVERS: Mapping[type[Data], Callable[[Cage, Event], Cage]] = {
    ev.AccountOpened: _opened,
    ev.TransferHeld: _held,
    ev.TransferPosted: _posted,
    ev.TransferVoided: _voided,
}


def split_return(x: str) -> tuple[int, str]:
    """The order of a return among those of its table: from `transit:<owner>:<n>` to (n, owner).

    Raises:
        ValueError: `x` is not the place of chips on their way out.
    """
    _, owner, n = x.split(":")
    return int(n), owner


def evolve(cage: Cage, event: Event) -> Cage:
    """The book after one event."""
    after = _EVOLVERS[type(event.data)](cage, event)
    return replace(after, seq=event.seq, at=event.at)


def handle(cage: Cage, command: CageCommand, actor: str, now: int) -> tuple[list[Event], Cage] | Refusal:
    """Decide a command of the cage: its events and the book after them, or a refusal."""
    data = _decide(cage, command)
    if isinstance(data, Refusal):
        return data
    event = Event(actor, max(now, cage.at), data, cage.log, 0, cage.seq + 1, data.TYPE, data.V)
    return [event], evolve(cage, event)


def _decide(cage: Cage, command: CageCommand) -> Data | Refusal:
    match command:
        case OpenAccount():
            if command.account in cage.balances or not _is_personal(command.account):
                return Refusal("key_reused")
            return ev.AccountOpened(command.account)
        case Transfer():
            refused = _short(cage, command.origin, command.amount) or _unknown(cage, command.to)
            return refused or ev.TransferPosted(command.amount, command.origin, command.to, command.x)
        case Hold():
            refused = _short(cage, command.origin, command.amount)
            if command.x in cage.holds:
                refused = Refusal("key_reused")
            return refused or ev.TransferHeld(command.amount, command.origin, command.to, command.x)
        case Post() | Void():
            held = cage.holds.get(command.x)
            if held is None:
                return Refusal("decision_over")
            if isinstance(command, Post):
                return ev.TransferPosted(held.amount, TRANSIT, held.to, command.x)
            return ev.TransferVoided(held.amount, TRANSIT, held.origin, command.x)
        case Return():
            last = cage.returned.get(command.origin)
            if last is not None and (command.n, command.owner) <= last:
                return Refusal("decision_over")
            return ev.TransferPosted(command.amount, command.origin, command.to, command.x)


def _is_table(account: str) -> bool:
    """Tables are aggregates, with a `/` in their names; the ids of people have none."""
    return "/" in account


def _is_personal(account: str) -> bool:
    return account not in {HOUSE, TRANSIT} and not _is_table(account)


def _unknown(cage: Cage, account: str) -> Refusal | None:
    """Refuse what is neither the house nor somebody's account: tables take and give by holds and returns."""
    if account == HOUSE or (account in cage.balances and _is_personal(account)):
        return None
    return Refusal("no_such_account", {"account": account})


def _short(cage: Cage, account: str, amount: int) -> Refusal | None:
    """Refuse an amount that is none, an account that does not exist, or one that has less.

    The house may be overdrawn, as far as all chips together can still be counted.
    """
    unknown = _unknown(cage, account)
    if unknown is not None:
        return unknown
    balance = cage.balances.get(account, 0)
    most = MAX_CHIPS + balance if account == HOUSE else MAX_CHIPS
    if not 1 <= amount <= most:
        return Refusal("amount_out_of_range", {"max": most, "min": 1})
    if account != HOUSE and balance < amount:
        return Refusal("insufficient_chips", {"balance": balance})
    return None
