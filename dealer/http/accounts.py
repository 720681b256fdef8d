"""The cage's desk: accounts and what moves between them (design 7)."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from aiohttp import web

from dealer.cage import events as ev
from dealer.cage.ledger import CODEC, HOUSE, TRANSIT, OpenAccount, Transfer
from dealer.croupier.node import Node, created_id
from dealer.croupier.order import NoSuchAggregate, Order
from dealer.http.answers import answer, done
from dealer.http.bodies import idempotency_key, read
from dealer.http.doors import NODE
from dealer.http.keyring import KeyRecord
from dealer.http.limits import ACCOUNT, is_account
from dealer.http.messages import (
    Account,
    AccountMade,
    AccountPage,
    Book,
    NewAccount,
    NewTransfer,
    TransferLine,
    TransferMade,
    TransferPage,
)
from dealer.http.problems import Problem
from dealer.http.queries import Query, identifier, integer, limit
from dealer.rules.frame.commands import MAX_CHIPS
from dealer.rules.frame.event import Event

AFTER_ACCOUNT = Query("after", "The last account already seen.", pattern=ACCOUNT)
AFTER_ENTRY = Query("after", "The last entry of the book already seen, -1 for none.", least=-1)

_new_account = msgspec.json.Decoder(NewAccount)
_new_transfer = msgspec.json.Decoder(NewTransfer)
_STATES: Mapping[type, Literal["held", "posted", "voided"]] = {
    ev.TransferHeld: "held",
    ev.TransferPosted: "posted",
    ev.TransferVoided: "voided",
}


async def refresh(node: Node) -> None:
    """Take in what other nodes wrote; a book nobody has written in yet is an empty one."""
    try:
        await node.cage.refresh()
    except NoSuchAggregate:
        return


async def account_exists(node: Node, account: str) -> bool:
    """Whether the book has such an account; the house and the tables have none of that kind."""
    if not is_account(account):
        return False
    if account not in node.cage.state.balances:
        await refresh(node)
    return account in node.cage.state.balances


async def spendable(node: Node, account: str) -> int:
    """What an account could bring to a table now; the house, what it could still issue."""
    await refresh(node)
    balance = node.cage.state.balances.get(account, 0)
    return MAX_CHIPS + balance if account == HOUSE else balance


async def create(request: web.Request, key: KeyRecord) -> web.Response:
    """Open an account. The id follows from key and idempotency key, so a repetition meets the first."""
    node, idem = request.app[NODE], idempotency_key(request)
    wanted, digest = await read(request, _new_account)
    account = created_id("acc", key.principal, idem)
    reference = "" if wanted.external_ref is msgspec.UNSET else wanted.external_ref
    given = await node.cage.send(
        Order(key.principal, idem, digest, OpenAccount(account), "host", node.journal.now(), reference)
    )
    if not given.accepted:
        raise Problem.of(given)
    return done(AccountMade(account=account, code="accepted", first=given.first, last=given.last), idem, 201)


async def listed(request: web.Request, _: KeyRecord) -> web.Response:
    """Accounts by id, and with each page where all chips are, so that they are seen to sum to nought."""
    node, after, most = request.app[NODE], identifier(request, AFTER_ACCOUNT), limit(request)
    await refresh(node)
    balances = node.cage.state.balances
    people = sorted(filter(is_account, balances))
    found = people[bisect_right(people, after) :][: most + 1]
    following = found[most - 1] if len(found) > most else msgspec.UNSET
    lines = [_account(node, name) for name in found[:most]]
    return answer(AccountPage(accounts=lines, book=_book(balances, people), next=following))


def _book(balances: Mapping[str, int], people: Sequence[str]) -> Book:
    tables = sorted(balances.keys() - people - {HOUSE, TRANSIT})
    return Book(
        accounts=sum(balances[name] for name in people),
        house=balances.get(HOUSE, 0),
        tables={name: balances[name] for name in tables if balances[name]},
        transit=balances.get(TRANSIT, 0),
    )


async def show(request: web.Request, key: KeyRecord) -> web.Response:
    """One account; a player sees no other than his own, nor whether there is one."""
    node, account = request.app[NODE], request.match_info["account"]
    if key.role == "player" and account != key.account:
        raise Problem("forbidden")
    await refresh(node)
    if not await account_exists(node, account):
        raise Problem("no_such_account")
    return answer(_account(node, account))


def _account(node: Node, account: str) -> Account:
    reference = node.cage.references.get(account)
    return Account(
        account=account,
        balance=node.cage.state.balances[account],
        external_ref=reference or msgspec.UNSET,
    )


async def transfer(request: web.Request, key: KeyRecord) -> web.Response:
    """Move chips between two accounts, or between one and the house."""
    node, idem = request.app[NODE], idempotency_key(request)
    wanted, digest = await read(request, _new_transfer)
    now = node.journal.now()
    # Once its key is forgotten, a repetition is a transfer of its own, so its id is of this moment.
    fresh = created_id("tr", key.principal, f"{idem} {now}")
    moving = Transfer(wanted.amount, wanted.origin, wanted.to, fresh)
    given = await node.cage.send(Order(key.principal, idem, digest, moving, "host", now))
    if not given.accepted:
        raise Problem.of(given)
    return done(
        TransferMade(code="accepted", first=given.first, last=given.last, transfer=given.params["x"]),
        idem,
        201,
    )


async def transfers(request: web.Request, _: KeyRecord) -> web.Response:
    """What moved in the book, in the order of its log."""
    node, after, most = request.app[NODE], integer(request, AFTER_ENTRY, -1), limit(request)
    stored = await node.journal.read(node.cage.aggregate, after, most)
    lines = [line for raw in stored if (line := _line(CODEC.decode(raw))) is not None]
    return answer(TransferPage(next=after + len(stored), transfers=lines))


def _line(event: Event) -> TransferLine | None:
    data = event.data
    state = _STATES.get(type(data))
    if state is None:
        return None
    return TransferLine(
        amount=data.amount,
        at=event.at,
        origin=data.origin,
        seq=event.seq,
        state=state,
        to=data.to,
        transfer=data.x,
    )
