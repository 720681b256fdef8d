"""The games this house offers. A further game is a package and a line here."""

from collections.abc import Mapping

from dealer.rules.bacara.game import BACARA
from dealer.rules.frame.game import Game

GAMES: Mapping[str, Game] = {BACARA.id: BACARA}
