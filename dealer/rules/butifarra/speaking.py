"""A word of the bidding at the table, and what the bidding comes to (butifarra 5, 6, 12.1, 13)."""

from collections.abc import Callable, Mapping
from typing import Any

from dealer.rules.butifarra import bidding, cards
from dealer.rules.butifarra import commands as cmd
from dealer.rules.butifarra import events as ev
from dealer.rules.butifarra.state import play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Data
from dealer.rules.frame.game import Act, Decided, Source
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.rules.matches.cards import in_hand

WORDS: Mapping[type[Command], str] = {kind: str(kind.__struct_config__.tag) for kind in cmd.WORDS}
"""What each command says."""


def refusal(table: Table, seat: int, word: str, trump: str = "") -> Refusal | None:
    """Why a word may not be said now, None if it may; in the order of section 13."""
    play = play_of(table)
    if not play.running:
        return Refusal("match_over") if play.match else Refusal("wrong_phase", {"phase": table.phase})
    state = play.bidding if table.phase == "bidding" else bidding.Bidding()
    code = bidding.refusal(state, table.options, seat, word, trump)
    return Refusal(code) if code else None


def say(table: Table, chance: Chance, act: Act) -> Decided:
    """A seat says a word."""
    command = act.command
    if not isinstance(command, cmd.WORDS):
        return Refusal("unknown_command")
    word, trump = WORDS[type(command)], getattr(command, "trump", "")
    return refusal(table, act.seat, word, trump) or [_told(act.seat, word, trump, act.source, act.by)]


def silent(table: Table, chance: Chance, source: Source, by: str) -> list[Data]:
    """What the seat on turn says when its time is up (12.1)."""
    play = play_of(table)
    word, trump = {"open": "delegate", "delegated": "name_trump"}.get(play.bidding.step, "pass"), ""
    if word == "name_trump":
        trump = cards.longest(in_hand(table, chance, play.turn), table.options["card_values"])
    return [_told(play.turn, word, trump, source, by)]


def fixed(table: Table) -> list[Data]:
    """The contract, as soon as nothing more can be said."""
    play = play_of(table)
    if play.bidding.step:
        return []
    contract = bidding.contract(play.bidding, table.options, play.dealer)
    return [ev.ContractFixed(contract.leader, contract.multiplier, contract.trump)]


def _told(seat: int, word: str, trump: str, source: Source, by: str) -> Data:
    who: dict[str, Any] = {"seat": seat, "source": source, "by": by}
    if word in bidding.LADDER:
        return ev.ControSaid(level=bidding.LADDER.index(word) + 1, **who)
    if word in _OFFERS:
        return _OFFERS[word](trump=trump, **who)
    return _PLAIN[word](**who)


_OFFERS: Mapping[str, Callable[..., Data]] = {"name_trump": ev.TrumpNamed, "contest": ev.TrumpContested}
_PLAIN: Mapping[str, Callable[..., Data]] = {
    "delegate": ev.TrumpDelegated,
    "insist": ev.TrumpInsisted,
    "pass": ev.BidPassed,
}
