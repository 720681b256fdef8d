"""The desk of the cage: one book of accounts inside a node."""

from collections.abc import Sequence
from functools import reduce

from dealer.cage.events import AccountOpened
from dealer.cage.ledger import CODEC, Cage, OpenAccount, evolve, handle
from dealer.cage.snapshot import FORM, flaw
from dealer.croupier.desk import Desk, News
from dealer.croupier.draft import Draft, Outcome
from dealer.croupier.hooks import Hooks
from dealer.croupier.order import ACCEPTED, Order
from dealer.croupier.snapshots import EVERY, Snapshots
from dealer.croupier.steps import Steps
from dealer.journal.journal import Journal
from dealer.rules.frame.event import Event
from dealer.rules.frame.refusal import Refusal

BOOK = "c/main"
"""The aggregate of the book that every installation has."""


class CageDesk(Desk[Cage]):
    """The main book. What the integrator calls an account lies beside the log, so it can be erased."""

    def __init__(self, journal: Journal, origin: str, news: News, hooks: Hooks, steps: Steps) -> None:
        keeper = Snapshots(journal, BOOK, origin, FORM, flaw)
        super().__init__(journal, BOOK, Cage(log=origin), news, hooks, steps, keeper)
        self.references: dict[str, str] = {}

    def decide(self, draft: Draft[Cage], order: Order) -> list[Event] | Refusal:
        """Decide on the book."""
        decided = handle(draft.state, order.command, order.principal, order.at)
        if isinstance(decided, Refusal):
            return decided
        events, draft.state = decided
        if isinstance(order.command, OpenAccount) and order.account:
            draft.people[order.command.account] = order.account
        return events

    def outcome_of(self, events: Sequence[Event]) -> Outcome:
        """The id of the transfer goes with the answer: a repeat must meet the one made first."""
        x = getattr(events[0].data, "x", "")
        return Outcome(ACCEPTED, {"x": x}) if x else super().outcome_of(events)

    def settled(self, draft: Draft[Cage]) -> None:
        """Keep the references of new accounts."""
        self.references.update(draft.people)

    def read(self, state: Cage, stored: Sequence[bytes]) -> tuple[Cage, list[Event]]:
        """The book that stored events lead to."""
        events = [CODEC.decode(e) for e in stored]
        return reduce(evolve, events, state), events

    async def recall(self, state: Cage) -> None:
        """Read the references of all accounts."""
        self.references = await self._journal.people(self.aggregate)

    def snapshot_due(self, behind: int) -> bool:
        """A large book is written more rarely, so that what is written keeps in step with what happens."""
        return behind >= max(EVERY, len(self.state.balances))

    async def learn(self, state: Cage, events: Sequence[Event]) -> bool:
        """Read the references of accounts again if there are new ones."""
        if any(type(e.data) is AccountOpened for e in events):
            await self.recall(state)
        return False

    def clock(self, state: Cage) -> tuple[int | None, int | None]:
        """The book keeps no clock; its open holds are swept by every node."""
        return None, None
