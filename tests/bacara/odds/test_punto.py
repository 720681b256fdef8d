"""The exact odds of punto y banca."""

from functools import cache
from typing import Any

import pytest

from dealer.rules.bacara.odds import punto
from dealer.rules.bacara.odds.punto import odds
from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from dealer.rules.registry import GAMES

COUNT = cache(punto.count)
"""What a bet pays changes nothing in how often it wins."""


def _options(**chosen: Any) -> dict[str, Any]:
    options = resolve(GAMES["bacara"].profiles["punto-y-banca"], "", chosen)
    assert not isinstance(options, Refusal)
    return options


def test_the_counts_are_those_of_the_sheet() -> None:
    """All ordered draws of six cards from a full shoe of 8 packs (R-101, 15.4 property 12)."""
    found = odds(_options(pair_bets=True), 8)
    assert found["total"] == 4998398275503360
    assert found["results"] == {
        "bank": 2292252566437888,
        "pano": 2230518282592256,
        "push": 475627426473216,
    }
    assert sum(found["cards"].values()) == found["total"]
    for bet in ("punto", "bank", "tie", "punto_pair", "bank_pair"):
        assert sum(found[bet].values()) == found["total"]


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(
    ("chosen", "bet", "lost"),
    [
        ({}, "punto", 0.012351),
        ({}, "bank", 0.010579),
        ({"commission_bp": 400}, "bank", 0.005993),
        ({"commission_bp": 0, "six_pays_half": True}, "bank", 0.014581),
        ({}, "tie", 0.143596),
        ({"tie_pays": 9}, "tie", 0.048440),
        ({"pair_bets": True}, "bank_pair", 0.103614),
    ],
)
def test_what_a_bet_loses_on_average(
    chosen: dict[str, Any], bet: str, lost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts of the stake, from a full shoe of 8 packs (R-102, R-103, R-104)."""
    monkeypatch.setattr(punto, "count", COUNT)
    assert odds(_options(**chosen), 8)["edge"][bet] == pytest.approx(lost, abs=5e-7)
