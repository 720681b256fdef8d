"""The cut by commit and reveal: who takes part, what is taken, when it ends (fairness 1.4, 1.7; R-05).

Nobody waits for a cut that nobody wants to make: it is opened for willing people who are there, and is over
as soon as they have answered. Its clock is a promise to them, so not even a host ends it earlier.
"""

from collections.abc import Iterator

from dealer.rules.frame import commands as cmd
from dealer.rules.frame import events as ev
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Due, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import MOST_WITHOUT_SEAT, SPECTATORS, STANDING, Cut, Table
from dealer.table import shoes
from shoe.corte import Contribution, contribution_commit

MOST_ABORTS = 2
"""Aborted attempts of one shoe, after which the table stops (fairness 1.7)."""
INCIDENT = "cut_aborted"
"""Why it stops; two people let it go on."""


def least(table: Table) -> int:
    """Contributions without which no shoe is sealed."""
    wanted: int = table.options["min_contributors"] if table.options["corte"] == "required" else 0
    return wanted


def waited(table: Table, cut: Cut) -> list[int]:
    """Seats that have been asked and have not answered."""
    return [
        n
        for n in cut.asked
        if n in table.seats and table.seats[n].willing and n not in cut.contributors and n not in cut.declined
    ]


def hidden(cut: Cut) -> list[int]:
    """Contributors who have not revealed, ascending."""
    return sorted(n for n, each in cut.contributors.items() if not each.reveal)


def asked(table: Table) -> list[int]:
    """Whom a cut would be opened for now: willing, not absent, not out of this shoe's cut."""
    found = [
        n
        for n, seat in sorted(table.seats.items())
        if seat.willing and n not in table.absent and not _out(table, seat.pid)
    ]
    seated = [n for n in found if n < STANDING]
    return seated + found[len(seated) :][:MOST_WITHOUT_SEAT]


def _out(table: Table, pid: str) -> bool:
    """Whether an aborted attempt has left this person without a part in further ones."""
    aborts = table.aborts
    return pid in aborts.barred or (aborts.rest is not None and pid not in aborts.rest)


def decision(table: Table) -> str:
    """What the open cut waits for, empty without one."""
    cut = table.cut
    if cut is None:
        return ""
    return f"cut_reveal:{cut.shuffle}" if cut.revealing else f"cut:{cut.shuffle}"


def due(table: Table) -> list[Due]:
    """The clock of an open cut; it stands while a required cut has too few contributors."""
    cut = table.cut
    if cut is None:
        return []
    seats = hidden(cut) if cut.revealing else waited(table, cut)
    until = cut.until if len(cut.contributors) >= least(table) else None
    return [Due(decision(table), "timeout", tuple(seats), until, cut.since)]


def decisions(game: Game, table: Table) -> list[Due]:
    """What the game and the cut wait for."""
    found = game.due(table)
    return [*found, *due(table)] if table.cut else [*found]


def may_say(table: Table, number: int, *, willing: bool) -> bool:
    """Whether a seat's word on the cuts says anything, and is not its second retreat before one shuffle.

    A word without end would let one person make the log of a table as long as he likes. Whoever may not
    retreat loses nothing: he can decline each cut. Whoever is absent says that he is there.
    """
    held = table.seats[number]
    if willing == held.willing:
        return number in table.absent
    return willing or held.recanted < table.shuffles


def set_willing(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A seat says whether it takes part in the cuts; bots never do (design 3)."""
    command = act.command
    if not isinstance(command, cmd.SetCutWilling):
        return Refusal("unknown_command")
    if table.options["corte"] == "off":
        return Refusal("option_not_allowed", {"option": "corte"})
    if table.seats[act.seat].bot:
        return Refusal("cut_not_willing")
    if not may_say(table, act.seat, willing=command.willing):
        return Refusal("decision_over")
    return [ev.SeatWilling(by=act.by, seat=act.seat, source=act.source, willing=command.willing)]


def refusal_of_commit(table: Table, number: int, pid: str) -> Refusal | None:
    """Why a person may not commit under this number, None if he may.

    Who was not waited for may commit as well, and so may who has let the cut pass.
    """
    cut, held = table.cut, table.seats.get(number)
    if held is None and (number not in SPECTATORS or not table.options.get("cut_spectators", False)):
        return Refusal("not_seated")
    if cut is None or cut.revealing or _out(table, pid):
        return Refusal("cut_closed")
    if held is not None and not held.willing:
        return Refusal("cut_not_willing")
    taken = cut.contributors.get(number)
    if any(each.pid == pid for each in cut.contributors.values()) or (taken and held):
        return Refusal("cut_already_committed")
    if taken:
        return Refusal("seat_taken", {"seat": number})
    without = sum(1 for n in cut.contributors if n >= SPECTATORS[0])
    if number >= SPECTATORS[0] and without == MOST_WITHOUT_SEAT:
        return Refusal("cut_closed")
    return None


def commit(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A person binds himself to a contribution (fairness 1.4, step 3)."""
    command, cut = act.command, table.cut
    if not isinstance(command, cmd.CutCommit):
        return Refusal("unknown_command")
    refused = refusal_of_commit(table, act.seat, act.person)
    if refused or cut is None:
        return refused or Refusal("cut_closed")
    return [
        ev.CorteCommitted(
            by=act.by,
            commit=command.commit,
            pid="" if act.seat in table.seats else act.person,
            seat=act.seat,
            shuffle=cut.shuffle,
            source=act.source,
        )
    ]


def decline(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """A seat that is waited for lets this cut pass."""
    cut = table.cut
    if cut is None or cut.revealing:
        return Refusal("cut_closed")
    if act.seat in cut.contributors:
        return Refusal("cut_already_committed")
    if act.seat not in waited(table, cut):
        return Refusal("cut_not_willing")
    return [ev.CorteDeclined(by=act.by, seat=act.seat, shuffle=cut.shuffle, source=act.source)]


def reveal(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Somebody opens a commitment, his own or another's: it proves itself (fairness 1.7)."""
    command, cut = act.command, table.cut
    if not isinstance(command, cmd.CutReveal):
        return Refusal("unknown_command")
    if cut is None:
        return Refusal("cut_closed")
    if not cut.revealing:
        return Refusal("wrong_phase", {"phase": table.phase})
    number = act.seat or next((n for n, each in cut.contributors.items() if each.pid == act.person), 0)
    committed = cut.contributors.get(number)
    if committed is not None and committed.reveal:
        return Refusal("decision_over", {"decision": decision(table)})
    if not 1 <= command.cut < cut.deck.size:
        return Refusal("cut_out_of_range", {"max": cut.deck.size - 1, "min": 1})
    seed = table.commitments[cut.shuffle]
    opened = contribution_commit(table.log, cut.shuffle, seed, number, command.cut, command.reveal)
    if committed is None or opened != committed.commit:
        return Refusal("cut_reveal_mismatch")
    return [
        ev.CorteRevealed(
            by=act.by,
            cut=command.cut,
            reveal=command.reveal,
            seat=number,
            shuffle=cut.shuffle,
            source=act.source,
        )
    ]


def advance(game: Game, table: Table, chance: Chance, now: int) -> list[Data]:
    """The next step on the way to a sealed shoe that needs nobody's word, nothing if there is none."""
    cut = table.cut
    if cut is None:
        return _begin(game, table, chance, now)
    if not cut.revealing:
        complete = not waited(table, cut) and len(cut.contributors) >= least(table)
        return [_closed(cut, "automation")] if complete else []
    if hidden(cut):
        return []
    return shoes.seal(table, chance, cut.deck, cut.shuffle, cut.cutter, tuple(_contributions(cut)))


def _begin(game: Game, table: Table, chance: Chance, now: int) -> list[Data]:
    """Open a cut where somebody may take part; else seal at once, unless contributors are required.

    Cards that were laid by hand are not cut: the cut would not move them.
    """
    deck = game.deck(table)
    shuffle = table.shuffles + 1
    if deck is None or shuffle not in table.commitments:
        return []
    options = table.options
    laid = table.stacked and shuffle == 1
    people = [] if laid or options["corte"] == "off" else asked(table)
    if people:
        cutter = next((n for n in game.cut_order(table) if n in people), 0)
        until = max(now, table.at) + options["cut_commit_ms"]
        return [ev.CorteOpened(until, cutter, deck, options["cut_reveal_ms"], tuple(people), shuffle)]
    return [] if least(table) and not laid else shoes.seal(table, chance, deck, shuffle)


def _closed(cut: Cut, source: str) -> ev.CorteClosed:
    commits = tuple(ev.SeatCommit(each.commit, n) for n, each in sorted(cut.contributors.items()))
    return ev.CorteClosed(commits, cut.shuffle, source)


def _contributions(cut: Cut) -> Iterator[Contribution]:
    for n, each in sorted(cut.contributors.items()):
        yield Contribution(commit=each.commit, cut=each.cut, reveal=each.reveal, seat=n)


def expire(table: Table, chance: Chance, act: Act, clock: Due) -> Decided:
    """The time of the present step is up: close without the silent, or give the attempt up (fairness 1.7)."""
    cut = table.cut
    if cut is None or clock.until is None or act.now < clock.until:
        return Refusal("wrong_phase", {"phase": table.phase})
    if not cut.revealing:
        return [_closed(cut, "timeout")]
    seed = chance.seed(cut.shuffle).hex()
    aborted = ev.CorteAborted(tuple(hidden(cut)), seed, cut.shuffle)
    if table.aborts.count + 1 < MOST_ABORTS:
        return [aborted]
    return [aborted, ev.TablePaused(reason=INCIDENT, source="automation")]
