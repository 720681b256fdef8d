"""`croupier simulate`: many rounds through the rules code, without a service."""

import sys
import time
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import App, Parameter

from dealer.rules.registry import GAMES, SIMULATIONS
from dealer.table.practice import Practice
from ops.cli.profiles import options_of
from ops.whole import whole

app = App(name="simulate", help="Play many rounds through the rules and count what happens.")


@app.command
def bacara(
    *,
    profile: str = "seed",
    mode: str | None = None,
    rounds: Annotated[int, whole(1, 1_000_000_000)] = 100_000,
    seed: Annotated[int, whole(0, 2**53 - 1)] = 1,
    packs: Annotated[int | None, whole(1, 10)] = None,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Play coups of bacará from shuffled shoes; the same seed gives the same coups.

    Args:
        profile: the profile of the rules.
        mode: how it is played; the profile's first mode unless named.
        rounds: how many coups.
        seed: of the simulation's chance, which no table can use.
        packs: packs in the shoe; the profile's own number unless given.
        json: print one JSON object.
    """
    try:
        options, shoe = _chosen(profile, mode, packs)
    except ValueError as trouble:
        print(f"croupier: {trouble}.", file=sys.stderr)
        return 2
    progress = _Progress(rounds)
    result = SIMULATIONS["bacara"](rounds, seed, options, shoe, on_progress=progress)
    progress.end()
    if json:
        print(msgspec.json.encode(result).decode())
        return 0
    for pano in (name for name in ("right", "left", "single", "punto") if name in result):
        counts = result[pano]
        print(f"{pano:<7}" + "".join(f"{k} {counts[k] / rounds:8.4%}  " for k in ("bank", "push", "pano")))
    cards = "  ".join(f"{n}: {c / rounds:.4%}" for n, c in result["cards"].items())
    print(f"cards a coup  {cards}\nshoes  {result['shoes']}")
    return 0


def _chosen(name: str, mode: str | None, packs: int | None) -> tuple[dict[str, Any], int]:
    """The options of the profile and mode that are meant, and the packs of a shoe."""
    game = GAMES["bacara"]
    profiles = game.profiles
    if name not in profiles:
        raise ValueError(f"there is no profile {name!r}; there are: {', '.join(sorted(profiles))}")
    played, options = options_of(game, profiles[name], mode)
    if packs is None:
        return options, options["packs"]
    if not profiles[name].modes[played].options["packs"].accepts(packs):
        raise ValueError(f"{name} is not played with --packs {packs}")
    return options, packs


@app.command
def baciga(
    *,
    profile: Literal["seed", "seed-china", "standard"] = "seed",
    players: Annotated[Literal[2, 3, 4], whole(2, 4)] = 2,
    rounds: Annotated[int, whole(1, 1_000_000)] = 100,
    seed: Annotated[int, whole(0, 2**53 - 1)] = 1,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Play whole matches of báciga between the house's bots; the same seed gives the same matches.

    Args:
        profile: the profile of the rules.
        players: how many play; four are two pairs.
        rounds: hands to deal at least; the match that is under way then is finished.
        seed: of the simulation's chance, which no table can use.
        json: print one JSON object.
    """
    progress = _Progress(rounds, "hands")
    result = SIMULATIONS["baciga"](
        rounds, seed, _practice, players=players, profile=profile, on_progress=progress
    )
    progress.end()
    if json:
        print(msgspec.json.encode(result).decode())
        return 0
    _print_matches(result)
    for name, meld in result["melds"].items():
        print(f"{name:<18}{meld['declared']:>8,}   {meld['per_100_rounds']:>8.1f} in 100 hands")
    return 0


@app.command
def butifarra(
    *,
    profile: Literal["seed", "competicio-lliure", "competicio-obligada"] = "seed",
    rounds: Annotated[int, whole(1, 1_000_000)] = 100,
    seed: Annotated[int, whole(0, 2**53 - 1)] = 1,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Play whole matches of butifarra between the house's bots; the same seed gives the same matches.

    Args:
        profile: the profile of the rules.
        rounds: hands to deal at least; the match that is under way then is finished.
        seed: of the simulation's chance, which no table can use.
        json: print one JSON object.
    """
    progress = _Progress(rounds, "hands")
    result = SIMULATIONS["butifarra"](rounds, seed, _practice, profile=profile, on_progress=progress)
    progress.end()
    if json:
        print(msgspec.json.encode(result).decode())
        return 0
    _print_matches(result)
    hands = result["rounds"]
    print(f"{'delegated':<18}{result['delegated']:>8,}   {result['delegated'] / hands:>8.2%}")
    for name, count in result["outcomes"].items():
        what = f"line {name}" if name.isdecimal() else name
        print(f"{what:<18}{count:>8,}   {count / hands:>8.2%}")
    for name, count in result["multipliers"].items():
        print(f"{f'times {name}':<18}{count:>8,}   {count / hands:>8.2%}")
    return 0


def _print_matches(result: Mapping[str, Any]) -> None:
    """What is told of any matches."""
    won = "  ".join(f"side {side}: {count:,}" for side, count in result["won"].items())
    print(f"matches  {result['matches']:,}   hands  {result['rounds']:,}   won by  {won}")
    for name in ("rounds_per_match", "winner", "others"):
        print(f"{name:<18}" + "  ".join(f"{k} {v:,}" for k, v in result[name].items()))


def _practice(game: str, profile: str, mode: str, options: Mapping[str, Any], seed: int) -> Practice:
    return Practice(GAMES[game], profile, mode, options, seed)


class _Progress:
    """Says on standard error how far a long simulation is, twice a second at most."""

    def __init__(self, total: int, of: str = "coups") -> None:
        self._of = of
        self._total = total
        self._told = self._began = time.monotonic()

    def __call__(self, played: int) -> None:
        now = time.monotonic()
        if now - self._told >= 0.5:
            self._told = now
            rate = played / (now - self._began)
            print(
                f"\r{played:,} of {self._total:,} {self._of}, {rate:,.0f} a second", end="", file=sys.stderr
            )

    def end(self) -> None:
        """Leave the line."""
        if self._told != self._began:
            print(file=sys.stderr)
