"""`croupier simulate`: many coups through the rules code, without a table."""

import sys
import time
from typing import Annotated, Literal

import msgspec
from cyclopts import App, Parameter

from dealer.rules.registry import SIMULATIONS
from ops.whole import whole

app = App(name="simulate", help="Play many rounds through the rules and count what happens.")


@app.command
def bacara(
    *,
    profile: Literal["seed"] = "seed",
    mode: Literal["dos-panos"] = "dos-panos",
    rounds: Annotated[int, whole(1, 1_000_000_000)] = 100_000,
    seed: Annotated[int, whole(0, 2**53 - 1)] = 1,
    packs: Annotated[Literal[3, 4], whole(3, 4)] = 3,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Play coups of bacará on two paños from shuffled shoes; the same seed gives the same coups.

    Args:
        profile: the profile of the rules.
        mode: how it is played.
        rounds: how many coups.
        seed: of the simulation's chance, which no table can use.
        packs: packs in the shoe.
        json: print one JSON object.
    """
    progress = _Progress(rounds)
    result = SIMULATIONS["bacara"](rounds, seed, packs=packs, on_progress=progress)
    progress.end()
    if json:
        print(msgspec.json.encode(result).decode())
        return 0
    for pano in ("right", "left"):
        counts = result[pano]
        print(f"{pano:<6}" + "".join(f"{k} {counts[k] / rounds:8.4%}  " for k in ("bank", "push", "pano")))
    cards = "  ".join(f"{n}: {c / rounds:.4%}" for n, c in result["cards"].items())
    print(f"cards a coup  {cards}\nshoes  {result['shoes']}")
    return 0


class _Progress:
    """Says on standard error how far a long simulation is, twice a second at most."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._told = self._began = time.monotonic()

    def __call__(self, played: int) -> None:
        now = time.monotonic()
        if now - self._told >= 0.5:
            self._told = now
            rate = played / (now - self._began)
            print(f"\r{played:,} of {self._total:,} coups, {rate:,.0f} a second", end="", file=sys.stderr)

    def end(self) -> None:
        """Leave the line."""
        if self._told != self._began:
            print(file=sys.stderr)
