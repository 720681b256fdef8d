"""Whole coups of bacará as a subject of the benchmark: what a command of that game costs in the mean.

A stake is the least that can be said there. Most commands of a coup are as small, but with one to three of
them cards are dealt, hands are shown and stakes settled.
"""

from typing import Any

from dealer.rules.registry import GAMES
from ops.bench.laid import LaidSubject
from ops.bench.rehearsal import HOST, Rehearsal, Script, Setting
from shoe.corte import order
from shoe.entropy import simulation_seed
from shoe.shoe import make_transcript

_GAME = GAMES["bacara"]
PUNTERS = {1: "right", 2: "right", 11: "left", 12: "left"}
"""Two at each paño, by seat."""
_STAKE = 10
_CHIPS = 10_000
_MS = 600_000
"""Every decision has its clock, as a play of báciga has, and none of them runs out."""
OPTIONS: dict[str, Any] = {
    "between_rounds_ms": _MS,
    "betting_ms": _MS,
    "house_bank": 1_000_000,
    "last_call_ms": _MS,
    "packs": 4,
    "speak_ms": _MS,
}
"""As many packs as `seed` has, so that the shoe lasts long."""
_MOST_CARDS = 9
"""Of a coup with two paños."""
_DECK = _GAME.cards(OPTIONS)
_SEED = simulation_seed("bench", 0, 1)
LAID = tuple(map(_DECK.face, order(_SEED, make_transcript("bench/t/coup", 1, _DECK, _SEED))))
"""Shuffled, so that naturals and third cards come as often as they do."""


class CoupSubject(LaidSubject):
    """Coups of four punters against the house; the host gives the calls, and each mano speaks for himself."""

    name = "coup"
    setting = Setting(
        chips=_CHIPS,
        game=_GAME.id,
        laid=LAID,
        mode="dos-panos",
        options=OPTIONS,
        phase="betting",
        seats=tuple(PUNTERS),
    )
    cycle = 8
    """Commands of a coup: four stakes, two calls, one word or none of each mano, and the next coup."""

    def script(self) -> Script:
        """All coups of a shoe that are sure to be over before its stop card."""
        shoe = Rehearsal(self.setting)
        while (now := shoe.table.shoe) and now.remaining > shoe.table.options["stop_card"] + _MOST_CARDS:
            for seat, pano in PUNTERS.items():
                shoe.say(seat, "stake", on=pano, amount=_STAKE)
            shoe.say(HOST, "call", call="last_call")
            shoe.say(HOST, "call", call="no_more_bets")
            while (phase := shoe.table.phase) != "between_rounds":
                holders = shoe.game.view(shoe.table)["holders"]
                shoe.say(holders[phase.removeprefix("speak_")], "draw", "stand")
            shoe.say(HOST, "next_round")
        return shoe.said
