"""The commands of bacará (glossary, section 4)."""

from typing import Literal

import msgspec

from dealer.rules.frame.commands import Chips, Command, Deal, NextRound, SeatNo

__all__ = [
    "AcceptAllStakes",
    "AcceptBank",
    "AnnounceBank",
    "AnswerShare",
    "AskShare",
    "Banco",
    "BidBank",
    "Call",
    "ConLaMesa",
    "Consent",
    "Deal",
    "DeclineBank",
    "Draw",
    "EndBank",
    "EnterLot",
    "LayDown",
    "NextRound",
    "OfferBank",
    "PassBanco",
    "PassBank",
    "ReplenishBank",
    "RequestNewShoe",
    "SetAside",
    "Settle",
    "Show",
    "Stake",
    "Stand",
    "Unstake",
]

Bet = Literal["right", "left", "single", "a_cheval", "punto", "bank", "tie", "punto_pair", "bank_pair"]
"""What can be bet on; which of them a table offers depends on its profile (R-26, R-27, R-95)."""
BancoOn = Literal["right", "left", "single", "a_cheval"]


class Stake(Command, frozen=True, gc=False, tag="stake"):
    """Put chips of the stack on a paño; a further stake adds to it (R-26).

    On the line between two paños each gets a half; with `half`, *media*, only half of it plays (R-27).
    """

    on: Bet
    amount: Chips
    half: bool = False


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


class PassBank(Command, frozen=True, gc=False, tag="pass_bank"):
    """«Paso la mano»: the banker takes his bank back, and it goes to the next one (R-66, R-67)."""


class ReplenishBank(Command, frozen=True, gc=False, tag="replenish_bank"):
    """Go on with a new deposit after the bank has *saltado* (R-58).

    A host without a seat adds chips of the house to its bank, where that is allowed (R-96).
    """

    FOR_HOUSE = True
    amount: Chips


class RequestNewShoe(Command, frozen=True, gc=False, tag="request_new_shoe"):
    """Ask for a new shoe after a new deposit (R-58)."""


class AcceptAllStakes(Command, frozen=True, gc=False, tag="accept_all_stakes"):
    """The banker answers for all stakes with all he has, until his bank ends (R-31)."""


class SetAside(Command, frozen=True, gc=False, tag="set_aside"):
    """Exclude so much of the gains from play: the garage (R-74)."""

    amount: Chips


class AskShare(Command, frozen=True, gc=False, tag="ask_share"):
    """Ask the banker for a share of so many chips in his bank (R-60)."""

    amount: Chips


class AnswerShare(Command, frozen=True, gc=False, tag="answer_share"):
    """The banker says whether `associate` gets the share it asked for (R-60)."""

    associate: SeatNo
    yes: bool


class Banco(Command, frozen=True, gc=False, tag="banco"):
    """«Banco»: play alone against the whole bank (R-69, R-70); with two paños name on which (R-75)."""

    on: BancoOn | msgspec.UnsetType = msgspec.UNSET


class ConLaMesa(Command, frozen=True, gc=False, tag="con_la_mesa"):
    """«Con la mesa»: take half of the bank and leave the other half to the table (R-72)."""


class PassBanco(Command, frozen=True, gc=False, tag="pass_banco"):
    """Let this banco pass, so that nobody waits for one."""


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


class Show(Command, frozen=True, gc=False, tag="show"):
    """A host turns the hands up."""

    HOST_ONLY = True
    NAMES_SEAT = True


class Settle(Command, frozen=True, gc=False, tag="settle"):
    """A host collects and pays."""

    HOST_ONLY = True
    NAMES_SEAT = True
