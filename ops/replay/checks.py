"""What every event must be like beside what came before, whatever it says."""

import json

from dealer.rules.frame import events as frame
from dealer.rules.frame.event import Event, encode
from dealer.rules.frame.state import Table
from ops.replay.broken import Broken


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
