"""The named awaits of the command path, from the body of a request to the bytes on their way to the store.

A point is named `module:function`. Whoever passes it can be killed before or after it by a process that has
wrapped these functions (`nursery`); nothing of that is in the product.
"""

from collections.abc import Mapping

ANSWER = "aiohttp.web:Response.write_eof"
TAKEN = "dealer.http.taken:_Piece.write_eof"
"""What is said of an accepted command; `ANSWER` is everything else."""
SENT = "redis.asyncio.connection:AbstractConnection.send_packed_command"

ATTEND = "dealer.croupier.desk:Desk._attend"
"""No await, but the moment before a batch is decided, and that after it."""
APPEND = "dealer.croupier.desk:Desk._append"
"""Nor this: before it the batch is decided, after it on its way."""
COMMIT = "dealer.croupier.desk:Desk._commit"
"""Nor this: the batch is durable and nobody has been told yet."""
MOMENTS = frozenset({ATTEND, APPEND, COMMIT})

DOORS = ("dealer.http.bodies:_body", ANSWER, TAKEN)

CROUPIER = (
    "dealer.croupier.node:Node.table",
    "dealer.croupier.node:Node._create",
    "dealer.croupier.node:Node.command",
    "dealer.croupier.node:Node._finish",
    "dealer.croupier.node:Node._buy_in",
    "dealer.croupier.node:Node._desk",
    "dealer.croupier.node:Node._ring",
    "dealer.croupier.node:Node._sweep",
    "dealer.croupier.line:Line.send",
    "dealer.croupier.line:Line.refresh",
    "dealer.croupier.line:Line._read_for",
    ATTEND,
    APPEND,
    COMMIT,
    "dealer.croupier.desk:Desk._answer_unstored",
    "dealer.croupier.desk:Desk._catch_up",
    "dealer.croupier.desk:Desk._open",
    "dealer.croupier.tables:TableDesk.recall",
    "dealer.croupier.tables:TableDesk._learn_people",
    "dealer.croupier.tables:TableDesk._learn_seeds",
    "dealer.croupier.cages:CageDesk.recall",
    "dealer.croupier.house:House.make_up",
    "dealer.croupier.house:House.act",
    "dealer.croupier.house:House._in_turn",
    "dealer.croupier.house:House._once",
    "dealer.croupier.house:House._bank",
    "dealer.croupier.house:House._play",
    "dealer.croupier.purse:Purse.buy_in",
    "dealer.croupier.purse:Purse._end",
    "dealer.croupier.purse:Purse.cash_out",
    "dealer.croupier.purse:Purse._post_taken",
    "dealer.croupier.snapshots:Snapshots.open",
    "dealer.croupier.snapshots:Snapshots._load",
    "dealer.croupier.snapshots:Snapshots._reach",
    "dealer.croupier.snapshots:Snapshots._take",
    "dealer.croupier.timekeeper:Timekeeper._ring_safely",
)

NEIGHBOURS = (
    "dealer.croupier.cages:CageDesk.learn",
    "dealer.croupier.desk:Desk._overtaken",
    "dealer.croupier.tables:TableDesk.learn",
)
"""Passed only where another node has written too."""

STORE = (
    "dealer.journal.journal:Journal.known",
    "dealer.journal.journal:Journal.read",
    "dealer.journal.journal:Journal._rest_of_entry",
    "dealer.journal.journal:Journal.secrets",
    "dealer.journal.journal:Journal.people",
    "dealer.journal.journal:Journal.snapshot",
    "dealer.journal.journal:Journal.keep_snapshot",
    "dealer.journal.journal:Journal.claim",
    "dealer.journal.journal:Journal.sync_clock",
    "dealer.journal.link:Link.ask",
    "dealer.journal.pipeline:Pipelines._exchange",
    "dealer.journal.pipeline:_answer",
    SENT,
)
"""Here the server is waited for, so it is killed here too."""

REMEDIES = (
    "dealer.journal.appending:Appending._insist",
    "dealer.journal.link:Link.again",
    "dealer.journal.link:Link._remedy",
)
"""Passed only when the server was killed before."""

LEFT_BEHIND = ("dealer.croupier.node:Node._resolve", "dealer.croupier.purse:Purse.resolve")
"""Passed only for a hold that somebody has left behind."""

START = frozenset({"dealer.croupier.cages:CageDesk.recall"})
"""Passed before the service is open only: it would not start then without a server."""

OPENING = frozenset(
    {
        "dealer.croupier.node:Node._desk",
        "dealer.croupier.desk:Desk._open",
        "dealer.croupier.tables:TableDesk.recall",
        "dealer.croupier.tables:TableDesk._learn_people",
        "dealer.croupier.tables:TableDesk._learn_seeds",
        "dealer.croupier.snapshots:Snapshots.open",
        "dealer.croupier.snapshots:Snapshots._load",
        "dealer.journal.journal:Journal._rest_of_entry",
        "dealer.journal.journal:Journal.secrets",
        "dealer.journal.journal:Journal.people",
        "dealer.journal.journal:Journal.snapshot",
    }
)
"""Passed when a desk is opened, so a service passes them early in its life."""

RARE = frozenset(
    {
        "dealer.croupier.node:Node._create",
        "dealer.croupier.node:Node._sweep",
        "dealer.croupier.house:House._bank",
        "dealer.croupier.desk:Desk._answer_unstored",
        "dealer.croupier.snapshots:Snapshots._reach",
        "dealer.croupier.snapshots:Snapshots._take",
        "dealer.journal.journal:Journal.known",
        "dealer.journal.journal:Journal.keep_snapshot",
        "dealer.journal.journal:Journal.sync_clock",
        *START,
        *OPENING,
        *NEIGHBOURS,
        *LEFT_BEHIND,
    }
)
"""Whoever waits for the fourth passing of one of these waits long."""

ASIDE: Mapping[str, tuple[str, ...]] = {
    "the await is that of a named one, with nothing in between": (
        "dealer.croupier.node:Node._adds",
        "dealer.croupier.node:Node.create_table",
        "dealer.croupier.snapshots:Snapshots._pages",
        "dealer.http.bodies:read",
        "dealer.http.taken:_Piece.prepare",
        "dealer.journal.pipeline:Pipelines._drive",
    ),
    "declared here, done in a subclass": (
        "dealer.croupier.line:Line._catch_up",
        "dealer.croupier.kind:Kind.recall",
        "dealer.croupier.kind:Kind.learn",
    ),
    "the clocks go on all the while; their calls are named": (
        "dealer.croupier.node:Node._sweep_on",
        "dealer.croupier.timekeeper:Timekeeper._sleep",
        "dealer.croupier.timekeeper:Timekeeper._watch",
    ),
    "a bot thinks for long; its process is killed in `croupier/test_backroom.py`": (
        *(f"dealer.croupier.backroom:Backroom.{name}" for name in ("_end", "_start", "choose", "close")),
        "dealer.croupier.backroom:_ask",
    ),
    "before the first command, or after the last": (
        "dealer.croupier.desk:Desk.rest",
        "dealer.croupier.line:Line.rest",
        "dealer.croupier.node:Node.close",
        "dealer.croupier.node:Node.open",
        "dealer.croupier.snapshots:Snapshots.rest",
        "dealer.croupier.tasks:end",
        "dealer.croupier.timekeeper:Timekeeper.stop",
        "dealer.journal.journal:Journal.close",
        "dealer.journal.journal:Journal.open",
        "dealer.journal.library:install",
        "dealer.journal.link:Link.close",
        "dealer.journal.link:Link.install",
        "dealer.journal.pipeline:Pipelines.close",
        "dealer.journal.pipeline:_hang_up",
    ),
    "for whoever reads, or listens": (
        *(
            f"dealer.croupier.feeds:Feeds.{name}"
            for name in ("_read", "_wake_all", "_wake_surely", "_watch", "stop")
        ),
        "dealer.croupier.follow:Tail.reach_back",
        "dealer.croupier.node:Node._wake",
        "dealer.croupier.tables:TableDesk.events",
        "dealer.journal.journal:Journal._names",
        "dealer.journal.journal:Journal.aggregates",
        "dealer.journal.journal:Journal.feed_end",
        "dealer.journal.journal:Journal.last",
        "dealer.journal.journal:Journal.read_feed",
        "dealer.journal.journal:Journal.round_first",
        "dealer.journal.journal:Journal.rounds",
    ),
    "a moment of microseconds that no kill can be aimed at; the journal's own tests make it": (
        "dealer.journal.appending:Appending._is_ours",
    ),
}
"""What else is awaited in these modules, and why nobody is killed there."""
