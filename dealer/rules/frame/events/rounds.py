"""Rounds, their clocks, and lots."""

from dealer.rules.frame.event import Data
from shoe.corte import Opening, Transcript


class RoundStarted(Data, frozen=True, gc=False):
    """A coup or hand begins; its number is the envelope's `round`."""

    TYPE = "round.started"
    shuffle: int


class RoundEnded(Data, frozen=True, gc=False):
    """A coup or hand is over; `chips` is the checked total at the table."""

    TYPE = "round.ended"
    chips: int


class RoundVoided(Data, frozen=True, gc=False):
    """The round is struck out: stakes are back, cards that came out stay out (fairness 1.8)."""

    TYPE = "round.voided"
    approvals: tuple[str, ...]
    reason: str


class DeadlineMoved(Data, frozen=True, gc=False, kw_only=True):
    """A decision caught by a pause or an outage keeps the time it had: its new end, in ms UTC.

    Of an outage, `gap` is its end: no decision is moved twice for the same one. It has to have lasted three
    seconds; whoever was to decide has five at least; and it is written when the old end comes, which views
    show until then.
    """

    TYPE = "deadline.moved"
    decision: str
    gap: int = 0
    until: int


class LotDrawn(Data, frozen=True, gc=False):
    """A lot: one card each to the candidates in seat order, the highest wins; its seed follows (design 3)."""

    TYPE = "lot.drawn"
    candidates: tuple[int, ...]
    cards: tuple[Opening, ...]
    purpose: str
    shuffle: int
    transcript: Transcript
    winner: int
