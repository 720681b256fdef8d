"""A table of which only the chips are looked at, so that very many events can be."""

from dealer.rules.frame.chips import check_total
from dealer.rules.frame.commands import MAX_CHIPS
from dealer.table.aggregate import Outcome
from dealer.table.evolve import evolve
from tests.table.rig import Rig


class Counted(Rig):
    """A table whose chips are counted after every event; that its log can be replayed, others look at."""

    def accept(self, outcome: Outcome) -> None:
        """Take in what was decided, event by event."""
        table = self.table
        for event in outcome.events:
            table = evolve(self.game, table, event)
            assert check_total(table.chips) <= MAX_CHIPS
            assert all(n >= 0 for place, n in table.chips.items() if place != "cage")
        assert table == outcome.table
        self.events += outcome.events
        self.table = self._replayed = table
        self.secrets.update(outcome.secrets)
