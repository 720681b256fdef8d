"""The words of the bidding (glossary, section 4); `play` and `concede` are those of all games of tricks."""

from typing import Literal

from dealer.rules.frame.commands import Command

Offered = Literal["O", "C", "E", "B", "butifarra"]
"""A suit, or to play without trumps."""


class NameTrump(Command, frozen=True, gc=False, tag="name_trump"):
    """Name the trump of the hand, or butifarra (5.2, 6.2)."""

    trump: Offered


class Delegate(Command, frozen=True, gc=False, tag="delegate"):
    """The dealer leaves the choice to his partner, who has to name (5.1)."""


class Pass(Command, frozen=True, gc=False, tag="pass"):
    """Leave it at what was said."""


class Contest(Command, frozen=True, gc=False, tag="contest"):
    """Put up another offer against the first one, at double the points (5.1)."""

    trump: Offered


class Insist(Command, frozen=True, gc=False, tag="insist"):
    """Take the trump back with one's side's own first offer, at double the points again (5.1)."""


class Contro(Command, frozen=True, gc=False, tag="contro"):
    """Double the points (6)."""


class Recontro(Command, frozen=True, gc=False, tag="recontro"):
    """Double them again, for the side that named the trump (6)."""


class SantVicenc(Command, frozen=True, gc=False, tag="sant_vicenc"):
    """Double them a third time (6)."""


class Barraca(Command, frozen=True, gc=False, tag="barraca"):
    """Double them a fourth time, for the side that named a suit (6)."""


WORDS: tuple[type[Command], ...] = (
    NameTrump,
    Delegate,
    Pass,
    Contest,
    Insist,
    Contro,
    Recontro,
    SantVicenc,
    Barraca,
)
"""All of them; the tag of each is the word in the tables of the bidding."""
