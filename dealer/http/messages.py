"""What the doors take and give, as types. The API's description is made from these (design 8).

Optional fields are left out, never null.
"""

from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import Meta

from dealer.http import limits
from dealer.http.shoeindex import Status
from dealer.http.shown import DueView, ProposalView
from dealer.rules.frame import commands as frame
from dealer.rules.frame.commands import Chips, Command, Id, SeatNo
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import SeatCommit
from dealer.rules.frame.game import Option
from dealer.rules.registry import GAMES
from shoe.corte import Hex32, Opening, Transcript

COMMANDS: tuple[type[Command], ...] = tuple(
    dict.fromkeys([*frame.PUBLIC, *(kind for game in GAMES.values() for kind in game.commands)])
)
"""Every command a door takes: those of all tables, and those of each game."""

AnyCommand: Any = Union[COMMANDS]  # noqa: UP007 - the members are known at run time only

Name = Annotated[str, Meta(pattern=limits.NAME)]
Word = Annotated[str, Meta(max_length=64)]
Face = Annotated[str, Meta(pattern=limits.FACE)]
Words = Annotated[list[Word], Meta(max_length=16)]
OptionId = Annotated[str, Meta(pattern=limits.ID)]
BookAccount = Annotated[
    str, Meta(pattern=limits.BOOK_ACCOUNT, description="`house`, or the id of an account.")
]
Reference = Annotated[str, Meta(pattern=limits.REFERENCE, description="The integrator's own name for it.")]
Seq = Annotated[int, Meta(ge=-1, description="Sequence number of an event.")]
Ms = Annotated[int, Meta(ge=0, description="Milliseconds UTC.")]


class _Asked(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A body."""


class NewTable(_Asked, frozen=True, kw_only=True):
    """Open a table. `options` override single switches of the profile.

    `stacked` lays cards by hand on top of the first shoe, in dealing order, as faces (`9H`) or ranks (`9`).
    Only a service started with `--sandbox` allows it, and the table says for ever that it is not random.
    """

    game: Name
    mode: Annotated[str, Meta(pattern=limits.MODE)] = ""
    options: dict[OptionId, int | bool | Word | Words] = {}
    profile: Name
    stacked: Annotated[tuple[Face, ...], Meta(max_length=limits.MOST_STACKED)] = ()


class NewAccount(_Asked, frozen=True, kw_only=True):
    """Open an account with nothing on it."""

    external_ref: Reference | msgspec.UnsetType = msgspec.UNSET


class NewTransfer(_Asked, frozen=True, kw_only=True, rename={"origin": "from"}):
    """Move chips between two accounts; from `house` they are issued, to `house` redeemed."""

    amount: Chips
    origin: BookAccount
    to: BookAccount

    def __post_init__(self) -> None:
        if self.origin == self.to:
            raise ValueError("chips move between two accounts")


class _Given(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer."""


class Accepted(_Given, frozen=True, kw_only=True):
    """The command is durable; its events are `first` to `last`."""

    code: Literal["accepted"]
    first: Seq
    last: Seq


class TableMade(_Given, frozen=True, kw_only=True):
    """A table exists."""

    code: Literal["accepted"]
    first: Seq
    last: Seq
    table: Id


class AccountMade(_Given, frozen=True, kw_only=True):
    """An account exists."""

    account: Id
    code: Literal["accepted"]
    first: Seq
    last: Seq


class TransferMade(_Given, frozen=True, kw_only=True):
    """Chips have moved; `first` and `last` count in the log of the book."""

    code: Literal["accepted"]
    first: Seq
    last: Seq
    transfer: str


class TableLine(_Given, frozen=True, kw_only=True):
    """A table in the list; `seats` is how many are taken, `stacked` that its cards were laid by hand."""

    game: str
    mode: str
    phase: str
    profile: str
    round: int
    seats: int
    seq: Seq
    stacked: bool
    status: str
    table: Id


class TablePage(_Given, frozen=True, kw_only=True):
    """Tables by id; `next` is where to go on, left out at the end."""

    next: str | msgspec.UnsetType = msgspec.UNSET
    tables: list[TableLine]


class HeldCard(_Given, frozen=True, kw_only=True):
    """A card its holder may see, with what proves it under the shoe's root."""

    card: int
    code: str
    hand: str
    nonce: Hex32
    path: list[Hex32]
    pos: int


class You(_Given, frozen=True, kw_only=True):
    """What only the caller sees; seat 0 and no `pid` for somebody who has no place at the table."""

    hand: list[HeldCard]
    pid: str
    seat: int


class SeatView(_Given, frozen=True, kw_only=True):
    """Who holds a place; `bot` is the policy of a bot of the house."""

    absent: bool
    bot: str
    pid: str
    seat: SeatNo
    stack: int


class TableView(_Given, frozen=True, kw_only=True):
    """The public view: what every game shows; each game adds fields of its own.

    `durability` is the service's: `declared` if whoever runs it answers for the store himself.
    """

    at: Ms
    automations: list[str]
    chips: dict[str, int]
    cut: dict[str, Any]
    due: list[DueView]
    durability: Literal["checked", "declared"]
    game: str
    hands: dict[str, list[str]]
    mode: str
    options: dict[str, Any]
    pause_reason: str
    phase: str
    playing: bool
    profile: str
    proposal: ProposalView
    round: int
    seats: list[SeatView]
    seq: Seq
    shoe: dict[str, Any]
    stacked: bool
    status: str
    you: You | msgspec.UnsetType = msgspec.UNSET


class OptionPage(_Given, frozen=True, kw_only=True):
    """The legal commands now, as of event `seq`."""

    options: list[Option]
    seat: int
    seq: Seq


class EventPage(_Given, frozen=True, kw_only=True):
    """Events as they are stored, byte for byte; ask on with `after` = `next`, the same at the end."""

    events: list[Event]
    next: Seq


class RoundLine(_Given, frozen=True, kw_only=True):
    """A round, the event it began with, and its shoe: who had a part in the order of its cards."""

    beacon: bool
    contributors: int
    first: Seq
    round: int
    shuffle: int


class RoundPage(_Given, frozen=True, kw_only=True):
    """Rounds, the latest first; ask on with `before` = `next`, which is left out at the end."""

    next: Seq | msgspec.UnsetType = msgspec.UNSET
    rounds: list[RoundLine]


class ShoeLine(_Given, frozen=True, kw_only=True):
    """A shuffle of the table: a shoe, the cut of one, an attempt that was given up, or a lot.

    `seq` is the event of the seal, of the abort, of the lot, or of the opening of a cut; `revealed` says
    whether the seed is public. Only what was sealed has `sealed_at` and `shoe_root`.
    """

    revealed: bool
    sealed_at: Ms | msgspec.UnsetType = msgspec.UNSET
    seq: Seq
    shoe_root: Hex32 | msgspec.UnsetType = msgspec.UNSET
    shuffle: int
    status: Status


class ShoePage(_Given, frozen=True, kw_only=True):
    """All shuffles of the table, the latest first; ask on with `before` = `next`, left out at the end."""

    next: int | msgspec.UnsetType = msgspec.UNSET
    shoes: list[ShoeLine]


class ShoeRecord(_Given, frozen=True, kw_only=True):
    """The record an auditor checks; `seed`, and `faces` laid by hand, are there once they were revealed.

    An attempt (`cut`, `aborted`) has all its `commits`, and in its transcript those that were opened. One
    that was given up names the `missing`; its root is that of the shoe which the seed and what was opened
    would have given, and nobody sealed it. A `lot` exposes the cards of its `candidates`, in their order, and
    names the `winner`.
    """

    candidates: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    commits: tuple[SeatCommit, ...] | msgspec.UnsetType = msgspec.UNSET
    exposed: list[Opening]
    faces: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    missing: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    purpose: str | msgspec.UnsetType = msgspec.UNSET
    seed: Hex32 | msgspec.UnsetType = msgspec.UNSET
    shoe_root: Hex32 | msgspec.UnsetType = msgspec.UNSET
    status: Status
    transcript: Transcript
    transcript_hash: Hex32 | msgspec.UnsetType = msgspec.UNSET
    winner: int | msgspec.UnsetType = msgspec.UNSET


class ProofPage(_Given, frozen=True, kw_only=True):
    """Openings of exposed cards under the root of a shoe of `size` cards."""

    proofs: list[Opening]
    shoe_root: Hex32
    shuffle: int
    size: int


class Account(_Given, frozen=True, kw_only=True):
    """An account and what is on it."""

    account: Id
    balance: int
    external_ref: str | msgspec.UnsetType = msgspec.UNSET


class Book(_Given, frozen=True, kw_only=True):
    """Where all chips of the book are: `accounts`, `house`, `transit` and all `tables` together are nought.

    Attributes:
        accounts: on the accounts of people, of all pages together.
        house: what was issued is owed, so this is mostly below nought.
        tables: at each table that has any, by its name in the book.
        transit: held for a table that has not said yet whether it takes them.
    """

    accounts: int
    house: int
    tables: dict[str, int]
    transit: int


class AccountPage(_Given, frozen=True, kw_only=True):
    """Accounts by id; `next` is where to go on, left out at the end."""

    accounts: list[Account]
    book: Book
    next: str | msgspec.UnsetType = msgspec.UNSET


class TransferLine(_Given, frozen=True, kw_only=True, rename={"origin": "from"}):
    """What happened to chips in the book: `held` for a table, `posted`, or `voided` (back again).

    `from` and `to` are accounts, `house`, a table (`t/...`) or `transit`, where chips wait between two lines
    of the same `transfer`; of a `held` line `to` says for whom, and the chips are in `transit`.
    """

    amount: int
    at: Ms
    origin: str
    seq: Seq
    state: Literal["held", "posted", "voided"]
    to: str
    transfer: str


class TransferPage(_Given, frozen=True, kw_only=True):
    """Transfers in the order of the log; ask on with `after` = `next`, which stays the same at the end."""

    next: Seq
    transfers: list[TransferLine]


class Health(_Given, frozen=True, kw_only=True):
    """The process answers."""

    status: Literal["ok"]
    version: str
