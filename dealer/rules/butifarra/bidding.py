"""The bidding as a state machine: who is on turn, what may be said, and what comes of it (butifarra 5, 6)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from dealer.rules.butifarra.cards import SUITS
from dealer.rules.tricks.seats import PAIRS, following, from_seat, side_of

BUTIFARRA = "butifarra"
"""The offer to play without trumps; also what is trump then."""
OFFERS = (*SUITS, BUTIFARRA)
LADDER = ("contro", "recontro", "sant_vicenc", "barraca")
"""The words of section 6, in the order in which they may be said."""
DONE = ""
"""The step after the last one."""

MACHINES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "overcall": {
        "open": {"name_trump": "contest_1", "delegate": "delegated"},
        "delegated": {"name_trump": "contest_1"},
        "contest_1": {"pass": "contest_2", "contest": "insist_1"},
        "contest_2": {"pass": DONE, "contest": "insist_1"},
        "insist_1": {"pass": "insist_2", "insist": DONE},
        "insist_2": {"pass": DONE, "insist": DONE},
    },
    "contro": {
        "open": {"name_trump": "contro_1", "delegate": "delegated"},
        "delegated": {"name_trump": "contro_1"},
        "contro_1": {"pass": "contro_2", "contro": "recontro_1"},
        "contro_2": {"pass": DONE, "contro": "recontro_1"},
        "recontro_1": {"pass": "recontro_2", "recontro": "sant_vicenc_1"},
        "recontro_2": {"pass": DONE, "recontro": "sant_vicenc_1"},
        "sant_vicenc_1": {"pass": "sant_vicenc_2", "sant_vicenc": "barraca_1"},
        "sant_vicenc_2": {"pass": DONE, "sant_vicenc": "barraca_1"},
        "barraca_1": {"pass": "barraca_2", "barraca": DONE},
        "barraca_2": {"pass": DONE, "barraca": DONE},
    },
}
"""The tables of 5.2 and 6.2 by `bidding`: of each step what may be said, and the step after it."""

_OPENING = {"open": 0, "delegated": 2}
"""Places from the dealer to the seat that names; in other steps the last speaker's neighbours are asked."""


class Offer(msgspec.Struct, frozen=True, gc=False):
    """A trump, or butifarra, and the seat that named it."""

    seat: int
    trump: str


class Bidding(msgspec.Struct, frozen=True, gc=False):
    """How far the bidding of a hand has come.

    Attributes:
        step: the `bid_step`; empty before the bidding and after it.
        speaker: who has said the last word of substance; the dealer as long as nobody has.
        offers: the first offer, and the one that contested it.
        raises: contest and insist, or the words of the ladder, as far as they were said.
    """

    step: str = DONE
    speaker: int = 0
    offers: tuple[Offer, ...] = ()
    raises: int = 0


class Contract(msgspec.Struct, frozen=True, gc=False):
    """What is played: the trump or `butifarra`, times what, who leads, and the side that fixed the trump."""

    trump: str
    multiplier: int
    leader: int
    side: int


def opened(dealer: int) -> Bidding:
    """The beginning: the dealer is on turn."""
    return Bidding("open", dealer)


def turn(bidding: Bidding) -> int:
    """The seat on turn, 0 if the bidding is not on.

    After a word of substance the seat right of the speaker is asked first, then his other opponent.
    """
    if not bidding.step:
        return 0
    order = from_seat(bidding.speaker, PAIRS)
    return order[_OPENING.get(bidding.step, 1 if bidding.step.endswith("_1") else 3)]


def sayable(bidding: Bidding, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """All that the seat on turn may say: the word, and the trump that goes with it or an empty string."""
    found: list[tuple[str, str]] = []
    for word in MACHINES[options["bidding"]].get(bidding.step, ()):
        if word == "name_trump":
            found += [(word, offer) for offer in OFFERS]
        elif word == "contest":
            found += [(word, offer) for offer in OFFERS if _may_contest(bidding, options, offer)]
        else:
            found.append((word, ""))
    return found


def refusal(bidding: Bidding, options: Mapping[str, Any], seat: int, word: str, trump: str = "") -> str:
    """The code with which a word is refused, empty if it may be said (13)."""
    if not bidding.step:
        return "bidding_closed"
    if seat != turn(bidding):
        return "not_your_turn"
    if word == "contest" and bidding.offers and trump == bidding.offers[0].trump:
        return "bid_same_offer"
    return "" if (word, trump) in sayable(bidding, options) else "bid_not_allowed"


def said(bidding: Bidding, options: Mapping[str, Any], seat: int, word: str, trump: str = "") -> Bidding:
    """The bidding after a word that may be said."""
    after = MACHINES[options["bidding"]][bidding.step][word]
    if word in {"pass", "delegate"}:
        return replace(bidding, step=after)
    offers, raises = bidding.offers, bidding.raises + (word != "name_trump")
    if trump:
        offers = (*offers, Offer(seat, trump))
    spoken = Bidding(after, seat, offers, raises)
    return replace(spoken, step=DONE) if raises == _most(spoken, options) else spoken


def contract(bidding: Bidding, options: Mapping[str, Any], dealer: int) -> Contract:
    """What the bidding has come to (5.1, 5.4, 6.1); in its middle, what it would come to if all passed."""
    first, *contest = bidding.offers
    in_force = contest[0] if contest and bidding.raises == 1 else first
    doubled = any(offer.trump == BUTIFARRA for offer in bidding.offers)
    namer_leads = options["first_lead"] == "trump_namer"
    leader = in_force.seat if namer_leads else following(dealer, PAIRS)
    return Contract(in_force.trump, 2 ** (bidding.raises + doubled), leader, side_of(in_force.seat, PAIRS))


def _may_contest(bidding: Bidding, options: Mapping[str, Any], offer: str) -> bool:
    different = offer != bidding.offers[0].trump
    return different and (offer != BUTIFARRA or bool(options["contest_butifarra"]))


def _most(bidding: Bidding, options: Mapping[str, Any]) -> int:
    """How many raises there may be: contest and insist, or the words allowed on the trump named."""
    if options["bidding"] == "overcall":
        return 2
    on = "butifarra" if bidding.offers[0].trump == BUTIFARRA else "suit"
    steps: int = options[f"contro_steps_{on}"]
    return steps
