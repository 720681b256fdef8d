"""Báciga as a subject of the benchmark: two people play cards while the stock lasts, and declare nothing."""

from typing import Any

from dealer.rules.registry import GAMES
from ops.bench.laid import LaidSubject
from ops.bench.rehearsal import Rehearsal, Script, Setting

_GAME = GAMES["baciga"]
_SEATS = (1, 2)
OPTIONS: dict[str, Any] = {"first_dealer": 1, "packs": 4, "play_ms": 600_000, "players": len(_SEATS)}
"""As many packs as two may play with under `seed`, so that the stock lasts long."""
_DECK = _GAME.cards(OPTIONS)
_STRIDE = 37
"""Prime to the size of the deck, so that all cards come and neighbours are of many faces."""
LAID = tuple(_DECK.face(place * _STRIDE % _DECK.size) for place in range(_DECK.size))


class BacigaSubject(LaidSubject):
    """Hands of báciga: of two plays one lies a card, and one ends the trick, after which both draw."""

    name = "baciga"
    setting = Setting(game=_GAME.id, laid=LAID, options=OPTIONS, phase="stock", seats=_SEATS)
    cycle = len(_SEATS)

    def script(self) -> Script:
        """A hand as long as there is a stock: whoever is on turn plays the first card he may."""
        hand = Rehearsal(self.setting)
        while (view := hand.game.view(hand.table))["stock"]:
            hand.say(view["turn"], "play")
        return hand.said
