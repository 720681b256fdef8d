"""Chips on their way between the cage and a table: hold, word of the table, post or void (design 7).

Each step has a key of its own, so whoever repeats it, after a kill or a lost answer, meets what was
done before. Killed anywhere, a hold still ends in exactly one of posted and voided.
"""

from hashlib import sha256

from dealer.cage.ledger import HOUSE, Hold, Post, Return, Void, split_return
from dealer.croupier.cages import CageDesk
from dealer.croupier.order import Answer, Order
from dealer.croupier.tables import TableDesk
from dealer.journal.journal import Journal
from dealer.rules.frame.chips import TRANSIT
from dealer.rules.frame.commands import CashedOut, Receive, Resolve
from dealer.rules.frame.event import CROUPIER
from dealer.rules.frame.refusal import Refusal

STALE_MS = 5_000
"""A hold older than this is resolved by whichever node sees it."""


class Purse:
    """Moves chips between the main book and the tables of a node."""

    def __init__(self, journal: Journal, cage: CageDesk) -> None:
        self._journal = journal
        self._cage = cage

    @property
    def version(self) -> int:
        """The last event of the book that is known here."""
        return self._cage.state.seq

    def _order(self, key: str, command: object) -> Order:
        return Order(CROUPIER, key, "", command, "system", self._journal.now())

    async def buy_in(
        self, desk: TableDesk, account: str, pid: str, place: str, amount: int, order: Order
    ) -> Answer:
        """Bring chips of an account to a place at a table; the answer is the table's word.

        `order` is the client's: its principal and key are those of the hold and of the table's record. A no
        of the cage is kept there too: the table may have answered the same key before, or be asked it
        again when nobody sits there any more.
        """
        digest = sha256(f"{desk.aggregate}\n{order.principal}\n{order.key}".encode()).hexdigest()
        x = f"x_{order.at}_{digest[:24]}"
        hold = Hold(amount, account, desk.aggregate, x)
        held = await self._cage.send(
            Order(order.principal, f"{desk.aggregate}:{order.key}", order.body_hash, hold, "system", order.at)
        )
        x = held.params.get("x", "")
        command = Receive(amount, place, pid, x) if held.accepted else Refusal(held.code, dict(held.params))
        word = await desk.send(
            Order(order.principal, order.key, order.body_hash, command, order.role, self._journal.now())
        )
        if held.accepted:
            await self._end(x, taken=word.accepted)
        return word

    async def _end(self, x: str, *, taken: bool) -> None:
        command = Post(x) if taken else Void(x)
        await self._cage.send(self._order(f"end:{x}", command))

    async def cash_out(self, desk: TableDesk, place: str) -> None:
        """Post the chips that wait in `transit:<owner>:<n>`, then let the table drop them.

        The cage takes the returns of a table in one order only, so others have to wait for the first.
        """
        table = desk.state
        waiting = sorted((p for p in table.chips if p.startswith(TRANSIT)), key=split_return)
        if place not in waiting[:1]:
            return
        amount = table.chips[place]
        n, owner = split_return(place)
        await self._post_taken(desk)
        account = HOUSE if owner == HOUSE else desk.principal_of(owner) or HOUSE
        back = Return(amount, n, desk.aggregate, owner, account, place)
        await self._cage.send(self._order(f"{desk.aggregate}:{place}", back))
        await desk.send(self._order(place, CashedOut(place)))

    async def _post_taken(self, desk: TableDesk) -> None:
        """Post what the table has taken and nobody has posted yet, or it could not pay out what it holds."""
        await self._cage.refresh()
        for x, held in self._cage.state.holds.items():
            claim = desk.state.claims.get(x)
            if held.to == desk.aggregate and claim is not None and claim.taken:
                await self._end(x, taken=True)

    async def resolve(self, desk: TableDesk | None, x: str) -> None:
        """End a hold that was left behind: by the table's word, or void if there is no such table."""
        taken = False
        if desk is not None:
            word = await desk.send(self._order(f"resolve:{x}", Resolve(x)))
            taken = word.code == "decision_over" and bool(word.params.get("taken"))
        await self._end(x, taken=taken)

    def stale(self) -> list[tuple[str, str]]:
        """Open holds that have waited too long: (id, aggregate of the table)."""
        limit = self._journal.now() - STALE_MS
        return [(x, h.to) for x, h in self._cage.state.holds.items() if h.at < limit]
