"""The games this house offers. A further game is a package and a line here."""

from collections.abc import Mapping

from dealer.rules.bacara.game import BACARA
from dealer.rules.bacara.odds.report import odds as odds_bacara
from dealer.rules.bacara.simulate import simulate as simulate_bacara
from dealer.rules.frame.game import Game

GAMES: Mapping[str, Game] = {BACARA.id: BACARA}
"""By id."""

SIMULATIONS = {BACARA.id: simulate_bacara}
"""Many rounds through a game's rules without a table, by its id; each has parameters of its own."""

ODDS = {BACARA.id: odds_bacara}
"""Exact odds under a profile's options, by the id of a game that is played against a bank."""
