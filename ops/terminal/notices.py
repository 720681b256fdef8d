"""What the house says of the table itself: pauses, corrections, closing."""

from collections.abc import Callable, Mapping
from typing import Any

from dealer.rules.frame import events as frame
from dealer.rules.frame.event import Event
from dealer.words import Words

INCIDENT = "cut_aborted"
"""The reason of a pause that two people have to lift (fairness 1.7)."""
_CORRECTIONS = frozenset({"result", "resume", "void_round", "void_shoe"})


def _paused(words: Words, event: Event) -> str:
    return words.line("paused_incident" if event.data.reason == INCIDENT else "paused")


def _resumed(words: Words, event: Event) -> str:
    return words.line("resumed")


def _closing(words: Words, event: Event) -> str:
    return words.line("closing_now" if event.data.now else "closing")


def _closed(words: Words, event: Event) -> str:
    return words.line("closed")


def _round_voided(words: Words, event: Event) -> str:
    return words.line("round_voided", round=words.number(event.round))


def _shoe_voided(words: Words, event: Event) -> str:
    return words.line("shoe_voided", shuffle=str(event.data.shuffle))


def _correction(words: Words, event: Event) -> str:
    if event.data.kind not in _CORRECTIONS:
        return ""
    number = words.number(getattr(event.data, "corrects", 0))
    return words.line(event.type.rpartition(".")[2], what=words.line(event.data.kind, round=number))


NOTICES: Mapping[type[Any], Callable[[Words, Event], str]] = {
    frame.TablePaused: _paused,
    frame.TableResumed: _resumed,
    frame.TableClosing: _closing,
    frame.TableClosed: _closed,
    frame.RoundVoided: _round_voided,
    frame.ShoeVoided: _shoe_voided,
    frame.CorrectionProposed: _correction,
    frame.CorrectionApproved: _correction,
    frame.CorrectionRejected: _correction,
}
"""The sentence for each of these events; empty for one that a later house has made up."""
