"""What an event, and a round as a whole, must be like beside what came before."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from dealer.rules.frame import events as frame
from dealer.rules.frame.chips import CAGE, TRANSIT
from dealer.rules.frame.event import CROUPIER, Event, encode
from dealer.rules.frame.game import Game, Source
from dealer.rules.frame.state import Table
from dealer.table.view import view
from ops.replay.broken import Broken

_BANK = "bank"
_PLACES = {_BANK, CAGE, "garage", "house_box", "stack", "stake", TRANSIT[:-1]}
_SEATS = {"stack", "stake"}


def canonical(raw: bytes, event: Event) -> None:
    """An event of the present shape is what would be written today; an older one is canonical all the same.

    Raises:
        Broken: it is not.
    """
    plain = json.loads(raw)
    if plain["v"] == event.v:
        same = encode(event) == raw
    else:
        same = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() == raw
    if not same:
        raise Broken("its bytes are not canonical")


def placed(event: Event, table: Table) -> None:
    """It stands where it does in log, time and round.

    Raises:
        Broken: it belongs elsewhere.
    """
    kind = type(event.data)
    if event.seq != table.seq + 1:
        raise Broken(f"it says that it is event {event.seq}")
    if event.log != table.log:
        raise Broken(f"it is of another log, {event.log}")
    if event.at < table.at:
        raise Broken("its time goes back")
    if (kind is frame.TableOpened) != (table.seq < 0):
        raise Broken("a table opens once, with its first event")
    starts = kind is frame.RoundStarted
    if starts and table.playing:
        raise Broken("a round begins in a round")
    expected = table.round + 1 if starts else table.round if table.playing else 0
    if event.round != expected:
        raise Broken(f"it is of round {event.round}, not {expected}")


def signed(event: Event, table: Table) -> None:
    """Who acts for himself holds the seat he acts for; a host is named. Anybody may bring a reveal.

    Raises:
        Broken: somebody else did it.
    """
    data: Any = event.data
    source, held = getattr(data, "source", ""), table.seats.get(getattr(data, "seat", 0))
    if event.actor != CROUPIER and not event.actor.startswith("pid_"):
        raise Broken("its actor is nobody")
    if source and source not in get_args(Source):
        raise Broken("its source is unknown")
    foreign = source == "player" and held is not None and held.pid != event.actor
    if foreign and type(data) is not frame.CorteRevealed:
        raise Broken(f"its actor does not hold seat {data.seat}")
    by = getattr(data, "by", "")
    if by != event.actor and (by or source == "host"):
        raise Broken("its actor is not the host whom it names")


def by_two(event: Event, table: Table) -> None:
    """What takes two people was proposed by one and approved by another (fairness 1.8).

    Raises:
        Broken: one alone did it.
    """
    data, proposal = event.data, table.proposal
    if isinstance(data, frame.CorrectionApproved):
        if proposal is None or proposal.kind != data.kind or proposal.by == event.actor:
            raise Broken("nobody else has proposed what is approved")
    elif isinstance(data, frame.RoundVoided | frame.ShoeVoided) and data.reason == "host":
        one, *others = data.approvals
        if others != [event.actor] or one == event.actor:
            raise Broken("it takes two people to void anything")


def chips(event: Event, before: Sequence[Event], table: Table) -> None:
    """Chips go to places that a table has (design 4), and what was bought in is what moved just before.

    Raises:
        Broken: they do not.
    """
    data = event.data
    if isinstance(data, frame.ChipsMoved):
        for move in data.moves:
            kind, _, whose = move.to.partition(":")
            seated = kind not in _SEATS or int(whose.rpartition(":")[2]) in table.seats
            if kind not in _PLACES or not seated:
                raise Broken(f"there is no place {move.to} at the table")
    elif isinstance(data, frame.ChipsBoughtIn):
        arrived = (frame.Move(data.amount, CAGE, data.place),)
        if not before or before[-1].data != frame.ChipsMoved("buy_in", arrived):
            raise Broken("chips were bought in that did not come from the cage")


def told(game: Game, table: Table, coup: Sequence[Event]) -> None:
    """A round that ends tells of itself what its open cards and its moves of chips give.

    Args:
        game: what is played.
        table: as the settlement left it, before the round's last event.
        coup: all events of the round.

    Raises:
        Broken: it tells something else.
    """
    story, shown = game.history(coup), view(game, table)
    points = {hand: each["points"] for hand, each in story["hands"].items()}
    if points and (points, story["results"]) != (shown["points"], shown["results"]):
        raise Broken("the round is told with points or results that its cards do not give")
    gained = _gained(coup)
    bank = gained.pop(_BANK, 0)
    if gained != {str(each["seat"]): each["net"] for each in story["net"] if each["net"]}:
        raise Broken("the round is told with gains that its chips did not make")
    if points:
        stands = table.chips.get(_BANK, 0)
        if story["bank"] != {"before": stands - bank, "after": stands}:
            raise Broken("the round is told with a bank that does not stand there")


def _gained(coup: Iterable[Event]) -> dict[str, int]:
    """What the moves of the settlement brought to each seat, and to the bank; nobody is named with 0."""
    gained: Counter[str] = Counter()
    for event in coup:
        data: Any = event.data
        if type(data) is frame.ChipsMoved and data.cause == "settlement":
            for move in data.moves:
                gained[move.origin.rpartition(":")[2]] -= move.amount
                gained[move.to.rpartition(":")[2]] += move.amount
    return {whose: amount for whose, amount in gained.items() if amount}
