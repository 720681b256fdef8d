"""The commands of bacará (glossary, section 4)."""

from typing import Literal

from dealer.rules.frame.commands import Chips, Command

Bet = Literal["right", "left"]
"""What can be bet on: the paños of the table."""


class Stake(Command, frozen=True, gc=False, tag="stake"):
    """Put chips of the stack on a paño; a further stake adds to it (R-26)."""

    on: Bet
    amount: Chips


class Unstake(Command, frozen=True, gc=False, tag="unstake"):
    """Take chips of a stake back before «no va más» (R-23)."""

    on: Bet
    amount: Chips


class Draw(Command, frozen=True, gc=False, tag="draw"):
    """«Carta»."""

    HIDDEN = True


class Stand(Command, frozen=True, gc=False, tag="stand"):
    """«Me planto»."""

    HIDDEN = True


class NextRound(Command, frozen=True, gc=False, tag="next_round"):
    """A host opens the next coup without waiting."""

    HOST_ONLY = True
    NAMES_SEAT = True


PUBLIC: tuple[type[Command], ...] = (Stake, Unstake, Draw, Stand, NextRound)
"""What a door accepts at a bacará table."""
