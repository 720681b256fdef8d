"""What a host may do now: with the table, and in the name of a seat."""

from collections.abc import Iterator

from msgspec.structs import replace

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command, CutCommit, CutDecline, SetCutWilling
from dealer.rules.frame.game import Game, Option
from dealer.rules.frame.state import Table
from dealer.table import cashier, closing, corte, seats, view
from dealer.table.aggregate import due

CUT: tuple[type[Command], ...] = (CutCommit, CutDecline, SetCutWilling)
"""What of the frame people do for themselves."""


def for_seat(game: Game, table: Table, chance: Chance, seat: int) -> list[Option]:
    """The legal commands of a seat as a host sends them, naming it; hidden hands and cuts are not his.

    Nor does he ask in its name for what is his own.
    """
    personal = [*CUT, *(kind for kind in game.commands if kind.HIDDEN or kind.PERSONAL or kind.ON_REQUEST)]
    own = {str(kind.__struct_config__.tag) for kind in personal}
    found = view.options(game, table, chance, seat)
    return [replace(o, fields={"seat": seat, **o.fields}) for o in found if o.type not in own]


def options(game: Game, table: Table, by: str) -> list[Option]:
    """The legal commands that are nobody's but a host's, with the pseudonym `by` or none yet (design 3, 8).

    That somebody sits down or joins by his hand is not among them: he alone knows the account; nor is the
    correction of a result, whose moves are his own.
    """
    if table.status == "closed" or (table.status == "closing" and not table.playing):
        return []
    return [*_play(game, table), *_table(game, table), *_corrections(table, by)]


def _play(game: Game, table: Table) -> Iterator[Option]:
    if table.status == "paused":
        return
    yield from game.host_options(table)
    for entry in due(game, table):
        if entry.kind == "timeout" and entry.decision != corte.decision(table):
            yield Option("expire", entry.decision)


def _table(game: Game, table: Table) -> Iterator[Option]:
    if table.status == "open":
        if game.house_adds(table) and cashier.room(table):
            yield Option("replenish_bank", min=1, max=cashier.room(table))
        yield Option("pause")
        for seat in sorted({*seats.free(game, table), *seats.replaceable(game, table)}):
            yield from (Option("seat_bot", fields={"seat": seat, "policy": each}) for each in game.policies)
    if table.status == "paused" and table.pause_reason not in closing.INCIDENTS:
        yield Option("resume")
    if table.status != "closing":
        yield Option("close_table", fields={"now": False})
    yield Option("close_table", fields={"now": True})


def _corrections(table: Table, by: str) -> Iterator[Option]:
    fitting = closing.proposable(table)
    yield from (Option("propose_correction", fields={"kind": kind}) for kind in fitting if kind != "result")
    proposal = table.proposal
    if proposal is None:
        return
    stands = table.at - proposal.at <= closing.PROPOSAL_LIFE_MS and proposal.round == table.round
    if stands and proposal.by != by and proposal.kind in fitting:
        yield Option("approve_correction", fields={"kind": proposal.kind, "proposal": proposal.seq})
    yield Option("reject_correction")
