"""The life of a shoe at a table: committed seeds, the seal, the end (fairness 1.4, 1.8)."""

from msgspec.structs import replace

from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import CommitSeeds
from dealer.rules.frame.event import Data
from dealer.rules.frame.events import SeedsCommitted, ShoeReady, ShoeSealed
from dealer.rules.frame.game import Act, Decided, Due, Game
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from shoe.cards import Deck
from shoe.corte import STACKED, Contribution, commitment
from shoe.shoe import promised_transcript

BATCH = 32
"""Seeds committed when a table opens and whenever `LOW` are left."""
LOW = 16


def commit(log: str, first: int, seeds: tuple[bytes, ...]) -> SeedsCommitted:
    """The event that binds the house to the seeds of the shuffles from `first` on."""
    return SeedsCommitted(tuple(commitment(log, n, s) for n, s in enumerate(seeds, first)), first)


def next_uncommitted(table: Table) -> int:
    """The first shuffle without a seed."""
    return max(table.shuffles, *table.commitments) + 1 if table.commitments else table.shuffles + 1


def seeds_due(table: Table) -> list[Due]:
    """The house's own work of drawing new seeds, due at once when few are left."""
    if len(table.commitments) > LOW:
        return []
    return [Due(f"seeds:{next_uncommitted(table)}", "chore", (), table.at)]


def commit_seeds(game: Game, table: Table, chance: Chance, act: Act) -> Decided:
    """Commit to a further batch, once per need: a late repeat is `decision_over`."""
    command = act.command
    due = seeds_due(table)
    if not isinstance(command, CommitSeeds) or not due or due[0].decision != command.decision:
        return Refusal("decision_over")
    return [commit(table.log, next_uncommitted(table), command.seeds)]


def seal(
    table: Table,
    chance: Chance,
    deck: Deck,
    shuffle: int,
    cutter: int = 0,
    contributions: tuple[Contribution, ...] = (),
) -> list[Data]:
    """Shuffle, cut and bind a shoe; where nobody has contributed the order stays as shuffled (R-05)."""
    promise = table.commitments[shuffle]
    transcript = promised_transcript(table.log, shuffle, deck, promise, cutter, contributions)
    if table.stacked and shuffle == 1:
        transcript = replace(transcript, profile=STACKED)
    shoe = chance.shoe(transcript)
    return [
        ShoeSealed("", len(contributions), shoe.root, shuffle, transcript, transcript.hash()),
        ShoeReady(shuffle),
    ]
