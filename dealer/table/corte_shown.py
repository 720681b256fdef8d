"""What everybody sees of a cut, and what a seat may do in it now."""

from typing import Any

from dealer.rules.frame.game import Game, Option
from dealer.rules.frame.state import SPECTATORS, Cut, Table
from dealer.table import corte


def view(game: Game, table: Table) -> dict[str, Any]:
    """The cut as everybody sees it: what a client needs for its hash, and who has done what.

    `step` is `commit`, `reveal`, or `waiting` where a shoe is wanted and contributors are required and
    nobody is willing; without any of these there is nothing to show.
    """
    cut = table.cut
    if cut is None:
        wanted = table.status == "open" and corte.least(table) and game.deck(table) is not None
        return {"step": "waiting", "min_contributors": corte.least(table)} if wanted else {}
    return {
        "step": "reveal" if cut.revealing else "commit",
        "decision": corte.decision(table),
        "shuffle": cut.shuffle,
        "commitment": table.commitments[cut.shuffle],
        "size": cut.deck.size,
        "cutter": cut.cutter,
        "seats": list(cut.asked),
        "committed": sorted(cut.contributors),
        "declined": sorted(cut.declined),
        "revealed": sorted(cut.contributors.keys() - set(corte.hidden(cut))),
        "min_contributors": corte.least(table),
    }


def options(table: Table, seat: int, pid: str = "") -> list[Option]:
    """The commands of the cut for a seat; seat 0 is somebody who has no place, and so watches.

    He has the pseudonym `pid`, or none if he has never acted here. `seat` in the fields is the number that
    belongs into the hash.
    """
    if not seat:
        return _watching(table, pid)
    held, cut, decision = table.seats.get(seat), table.cut, corte.decision(table)
    if held is None or held.bot or table.options["corte"] == "off":
        return []
    may = corte.may_say(table, seat, willing=not held.willing)
    found = [Option("set_cut_willing", fields={"willing": not held.willing})] if may else []
    if cut is None:
        return found
    most = cut.deck.size - 1
    if corte.refusal_of_commit(table, seat, held.pid) is None:
        found.append(Option("cut_commit", decision, {"seat": seat}, 1, most))
    if not cut.revealing:
        if seat in corte.waited(table, cut):
            found.append(Option("cut_decline", decision))
        return found
    return [*found, *_opening(cut, decision, held.pid)]


def _watching(table: Table, pid: str) -> list[Option]:
    cut, decision = table.cut, corte.decision(table)
    if cut is None:
        return []
    if cut.revealing:
        return _opening(cut, decision, pid)
    free = next((n for n in SPECTATORS if n not in cut.contributors), 0)
    if corte.refusal_of_commit(table, free, pid) is not None:
        return []
    return [Option("cut_commit", decision, {"seat": free}, 1, cut.deck.size - 1)]


def _opening(cut: Cut, decision: str, pid: str) -> list[Option]:
    """What a person may open, under whatever number he has committed himself."""
    own = [n for n in corte.hidden(cut) if cut.contributors[n].pid == pid]
    return [Option("cut_reveal", decision, {"seat": n}, 1, cut.deck.size - 1) for n in own]
