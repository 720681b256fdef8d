"""The games this house offers. A further game is a package and a line here."""

from collections.abc import Callable, Mapping
from typing import Any

from dealer.rules.bacara.game import BACARA
from dealer.rules.bacara.odds.report import odds as odds_bacara
from dealer.rules.bacara.simulate import of_profile as simulate_bacara
from dealer.rules.baciga.game import BACIGA
from dealer.rules.baciga.simulate import simulate as simulate_baciga
from dealer.rules.butifarra.game import BUTIFARRA
from dealer.rules.butifarra.simulate import simulate as simulate_butifarra
from dealer.rules.frame.game import Game

GAMES: Mapping[str, Game] = {game.id: game for game in (BACARA, BACIGA, BUTIFARRA)}
"""By id."""

SIMULATIONS: Mapping[str, Callable[..., dict[str, Any]]] = {
    BACARA.id: simulate_bacara,
    BACIGA.id: simulate_baciga,
    BUTIFARRA.id: simulate_butifarra,
}
"""Many rounds of a game without a house around them, by its id; each has parameters of its own."""

ODDS = {BACARA.id: odds_bacara}
"""Exact odds under a profile's options, by the id of a game that is played against a bank."""
