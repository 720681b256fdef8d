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


class OfferBank(Command, frozen=True, gc=False, tag="offer_bank"):
    """Offer to bank with so many chips, if all others who sit consent (R-51)."""

    amount: Chips


class Consent(Command, frozen=True, gc=False, tag="consent"):
    """Say whether the candidate may bank (R-51). Name the `decision`, so that it is not another's."""

    yes: bool


class BidBank(Command, frozen=True, gc=False, tag="bid_bank"):
    """Bid for the bank; the amount is what one will bank with (R-52)."""

    amount: Chips


class EnterLot(Command, frozen=True, gc=False, tag="enter_lot"):
    """Take part in the lot for the bank (R-53)."""


class AcceptBank(Command, frozen=True, gc=False, tag="accept_bank"):
    """Take the bank one is offered, with so many chips (R-53)."""

    amount: Chips


class DeclineBank(Command, frozen=True, gc=False, tag="decline_bank"):
    """Leave the bank one is offered to somebody else (R-53)."""


class EndBank(Command, frozen=True, gc=False, tag="end_bank"):
    """«Fin»: the banker takes his bank back (R-57)."""


class Draw(Command, frozen=True, gc=False, tag="draw"):
    """«Carta»."""

    HIDDEN = True


class Stand(Command, frozen=True, gc=False, tag="stand"):
    """«Me planto»."""

    HIDDEN = True


class LayDown(Command, frozen=True, gc=False, tag="lay_down"):
    """Lay a natural down, where the table has left that to its holder (R-36)."""

    HIDDEN = True


class Call(Command, frozen=True, gc=False, tag="call"):
    """A host gives one of the three calls in its turn (R-22)."""

    HOST_ONLY = True
    NAMES_SEAT = True
    call: Literal["place_bets", "last_call", "no_more_bets"]


class AnnounceBank(Command, frozen=True, gc=False, tag="announce_bank"):
    """A host announces the bank's amount, and the stakes are opened."""

    HOST_ONLY = True
    NAMES_SEAT = True


class Deal(Command, frozen=True, gc=False, tag="deal"):
    """A host deals."""

    HOST_ONLY = True
    NAMES_SEAT = True


class Show(Command, frozen=True, gc=False, tag="show"):
    """A host turns the hands up."""

    HOST_ONLY = True
    NAMES_SEAT = True


class Settle(Command, frozen=True, gc=False, tag="settle"):
    """A host collects and pays."""

    HOST_ONLY = True
    NAMES_SEAT = True


class NextRound(Command, frozen=True, gc=False, tag="next_round"):
    """A host opens the next coup without waiting."""

    HOST_ONLY = True
    NAMES_SEAT = True
