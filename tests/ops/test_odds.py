"""`croupier odds`: what it prints, in JSON and in words (design 8)."""

import json
import math

import pytest

from dealer.rules.registry import GAMES, ODDS
from tests.ops.conftest import Run


def test_counts_are_whole(run: Run) -> None:
    """One JSON object: for each paño the orders by result, as whole numbers, and all of them."""
    code, out, err = run("odds seed --packs 4 --panos 1 --json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert set(told) == {
        *("banker", "cards", "edge", "gain", "mode", "packs", "panos", "profile", "right", "total")
    }
    assert (told["profile"], told["mode"], told["packs"], told["banker"]) == ("seed", "dos-panos", 4, "rule")
    assert told["total"] == 208 * 207 * 206 * 205 * 204 * 203 == sum(told["right"].values())
    assert out == json.dumps(told, separators=(",", ":"), sort_keys=True) + "\n"


@pytest.mark.usefixtures("uncounted")
def test_numbers_beyond_64_bits(run: Run) -> None:
    """With two paños the counts are longer than a machine's word, and none of them is rounded."""
    told = json.loads(run("odds seed --json")[1])
    assert told["total"] == math.perm(156, 9) > 2**64
    joint = [sum(row.values()) for row in told["joint"].values()]
    for counts in (told["cards"].values(), told["right"].values(), told["left"].values(), joint):
        assert sum(counts) == told["total"]


def test_in_words(run: Run) -> None:
    """Without `--json` each bet's results stand in parts of all orders, with what the house gains by it."""
    code, out, _ = run("odds seed --banker best --panos 1")
    assert code == 0
    assert out.startswith("right  bank 45.1803%  push  9.6394%  pano 45.1803%  house edge 0.0000%\n")
    assert [line.split()[0] for line in out.splitlines()] == ["right", "cards", "bank", "packs"]


def test_every_bet_of_a_table_has_its_edge(run: Run) -> None:
    """R-102, R-103: with pairs and a tie that pays 9 to 1 they are those published for eight packs."""
    chosen = "--option pair_bets=true --option tie_pays=9"
    told = json.loads(run(f"odds punto-y-banca {chosen} --json")[1])
    bets = ("punto", "bank", "tie", "punto_pair", "bank_pair")
    assert all(sum(told[bet].values()) == told["total"] == 4998398275503360 for bet in bets)
    assert {bet: round(100 * told["edge"][bet], 2) for bet in bets} == {
        "punto": 1.24,
        "bank": 1.06,
        "tie": 4.84,
        "punto_pair": 10.36,
        "bank_pair": 10.36,
    }


@pytest.mark.parametrize(
    "chosen",
    [
        "pair_bets=1",
        "six_pays_half=true",
        "nothing=1",
        "commission_bp",
        "--mode open",
        "--packs 6 --option packs=6",
    ],
)
def test_options_no_table_may_have(run: Run, chosen: str) -> None:
    """Design 3: a profile is counted as it can be played; anything else is wrong usage, and said so."""
    wanted = chosen if chosen.startswith("--") else f"--option {chosen}"
    code, out, err = run(f"odds punto-y-banca {wanted}")
    assert (code, out) == (2, "")
    assert err.startswith("croupier: punto-y-banca ")


def test_every_game_with_odds_has_profiles() -> None:
    """What is registered is a game of the house, and each of its profiles has one game only."""
    names = [name for game in ODDS for name in GAMES[game].profiles]
    assert names
    assert len(names) == len(set(names))
