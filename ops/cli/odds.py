"""`croupier odds`: the exact odds of a profile, counted through the rules code."""

import sys
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import Parameter

from dealer.rules.frame.profile import Profile
from dealer.rules.registry import GAMES, ODDS
from ops.cli.profiles import options_of
from ops.whole import whole


def odds(
    profile: str,
    /,
    *,
    mode: str | None = None,
    packs: Annotated[int | None, whole(1, 10)] = None,
    banker: Literal["rule", "best"] = "rule",
    panos: Annotated[int | None, whole(1, 2)] = None,
    option: tuple[str, ...] = (),
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Count every order in which the cards of a coup can leave a full shoe, and what each bet loses by it.

    Args:
        profile: the profile of the rules.
        mode: how it is played; the profile's first mode unless named.
        packs: packs in the shoe; the profile's own number unless given.
        banker: `rule` plays as the house does, `best` as well as the rule of the bank allows.
        panos: how many paños are dealt cards; all unless given.
        option: one of the table's options as `name=value`, such as `pair_bets=true`; as often as needed.
        json: print one JSON object.
    """
    try:
        _named_once(profile, packs, option)
        game, known = _find(profile)
        played, options = options_of(GAMES[game], known, mode, option)
        found = ODDS[game](options, packs, banker, panos)
    except ValueError as trouble:
        print(f"croupier: {trouble}.", file=sys.stderr)
        return 2
    if json:
        named = {**found, "banker": banker, "mode": played, "profile": profile}
        print(msgspec.json.encode(named, order="sorted").decode())
    else:
        _tell(found)
    return 0


def _named_once(profile: str, packs: int | None, option: tuple[str, ...]) -> None:
    if packs is not None and any(each.startswith("packs=") for each in option):
        raise ValueError(f"{profile} has one number of packs, and --packs and --option both name it")


def _find(name: str) -> tuple[str, Profile]:
    """The game that has this profile, and the profile."""
    known = {each: (game, profile) for game in ODDS for each, profile in GAMES[game].profiles.items()}
    if name not in known:
        raise ValueError(f"there are no odds for {name!r}; there are for: {', '.join(sorted(known))}")
    return known[name]


def _tell(found: dict[str, Any]) -> None:
    """Each bet's results in parts of all orders, and what it loses on average."""
    total = found["total"]
    for bet, lost in found["edge"].items():
        parts = "".join(f"{result} {orders / total:8.4%}  " for result, orders in found[bet].items())
        print(f"{bet:<7}{' ' * (len(bet) > 6)}{parts}house edge {lost:.4%}")
    cards = "  ".join(f"{n}: {orders / total:.4%}" for n, orders in found["cards"].items())
    print(f"cards a coup  {cards}")
    print(f"bank gains {found['gain']:.4%} of all stakes")
    print(f"packs {found['packs']}, {total} orders of cards")
