"""`croupier replay` decides a log again: what is changed in it, or left out, is refused where it cannot be.

What a log alone cannot contradict is listed here as data; `docs/host.md` says the same in words.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from dealer.rules.frame import commands as cmd
from ops.replay.broken import Broken
from ops.replay.replay import replay
from tests.ops.test_replay import LOGS, canonical
from tests.table.rig import OTHER_HOST, Rig, by_hand, opened, stake

Event = dict[str, Any]
Path = tuple[str | int, ...]


def events_of(name: str) -> list[Event]:
    """The events of a log."""
    return [json.loads(line) for line in LOGS[name]]


def written(events: list[Event]) -> list[bytes]:
    """A log with these events, numbered anew."""
    return [canonical({**event, "seq": seq}) for seq, event in enumerate(events)]


def of(events: list[Event], kind: str) -> list[Event]:
    """The events of one type."""
    return [event for event in events if event["type"] == kind]


def _underpaid(events: list[Event]) -> None:
    """A won stake is paid 1, and the rest stays in the bank, in all that is told of it."""
    start, won, seat = next(
        (n, won, each["seat"])
        for n, event in enumerate(events)
        if event["type"] == "pano.settled"
        for each in event["data"]["stakes"]
        if (won := each["won"]) > 1
    )
    for event in events[start : start + 9]:
        data = event["data"]
        for each in data.get("stakes", ()):
            each["won"] = 1 if each["seat"] == seat else each["won"]
        for move in data.get("moves", ()):
            move["amount"] = 1 if (move["from"], move["to"]) == ("bank", f"stack:{seat}") else move["amount"]
        if event["type"] == "round.settled":
            data.update(bank=data["bank"] + won - 1, net=data["net"] + won - 1)


def _robbed(events: list[Event]) -> None:
    """Chips go from one stack to another, for a cause that is one."""
    moved = deepcopy(of(events, "chips.moved")[0])
    at = next(n for n, event in enumerate(events) if event["type"] == "stakes.opened")
    one, other = (event["data"]["place"] for event in of(events, "chips.bought_in")[:2])
    moved.update(at=events[at]["at"], actor="croupier", round=events[at]["round"])
    moved["data"] = {"cause": "stake", "moves": [{"amount": 1, "from": one, "to": other}]}
    events.insert(at + 1, moved)


def _robbed_last(events: list[Event]) -> None:
    """The same as the last event of a log that has been cut off."""
    at = next(n for n, event in enumerate(events) if event["type"] == "stakes.closed")
    del events[at:]
    _robbed(events)
    events.append(events.pop(events.index(of(events, "stakes.opened")[0]) + 1) | {"at": events[-1]["at"]})


def _swapped(events: list[Event]) -> None:
    """Two hands have changed cards."""
    first, second = of(events, "card.dealt")[:2]
    first["data"]["to"], second["data"]["to"] = second["data"]["to"], first["data"]["to"]


def _stood(events: list[Event]) -> None:
    """A hand that drew is told to have stood."""
    of(events, "hand.drew")[0]["type"] = "hand.stood"


def _all_silent(events: list[Event]) -> None:
    """Whoever said a word is told to have been silent."""
    for event in events:
        if event["data"].get("source") == "player" and event["type"].startswith("hand."):
            event["data"]["source"] = "timeout"


def _never_called(events: list[Event]) -> None:
    """No call is told of."""
    events[:] = [event for event in events if not event["type"].startswith("stakes.last")]


FORGED: list[Callable[[list[Event]], None]] = [
    _underpaid,
    _robbed,
    _robbed_last,
    _swapped,
    _stood,
    _all_silent,
    _never_called,
]


@pytest.mark.parametrize("forge", FORGED)
def test_a_forgery_that_agrees_with_itself_is_refused(forge: Callable[[list[Event]], None]) -> None:
    """R-19, R-22, R-33, R-38, R-45: events are changed so that they go together, and yet cannot be."""
    events = events_of("bacara-evening")
    forge(events)
    with pytest.raises(Broken, match=r"the house would have written|nobody's word"):
        replay(written(events))


@pytest.mark.parametrize(
    ("option", "value"),
    [("betting_ms", 60_000), ("packs", 4), ("house_bank", 1_000), ("stop_card", 150), ("min_stake", 31)],
)
def test_options_have_to_go_with_the_play(option: str, value: int) -> None:
    """Design 3: what was played under other options than the log begins with was not played here."""
    events = events_of("bacara-evening")
    events[0]["data"]["options"][option] = value
    with pytest.raises(Broken):
        replay(written(events))


UNSEEN: dict[str, set[str]] = {
    "a name of a transfer": {"chips.bought_in x", "chips.rejected x"},
    "an option that has not mattered": {"table.opened options", "table.opened profile_version"},
    "a word without consequence": {
        "banco.called on",
        "bank.bid amount",
        "bank.offered amount",
        "seat.willing willing",
        "share.asked amount",
        "table.closing now",
    },
    "a seed that is shut": {"seeds.committed commitments"},
}
"""By type and field, what another value may contradict nothing of, and why."""
SHUT = {"card.burned nonce", "card.exposed card", "card.exposed nonce", "shoe.sealed shoe_root"}
"""The same of a shoe whose seed is not in the log."""
UNSAID = {
    "bacara-associates": {"share.asked", "share.refused"},
    "bacara-banco": {"banco.called"},
    "bacara-banks": {"bank.bid", "bank.consented"},
    "bacara-cuts": {"seat.willing"},
}
"""Words without consequence: a log without them is that of an evening in which nobody said them."""
WAITING = "bacara-naturals"
"""The one log that ends with hidden hands in a shoe that is shut."""
LONG = "butifarra-drawn"
"""Eight hands, each event of which stands in a shorter log too, but for the draw at their end."""
WORDS = ("right", "left", "player", "bot", "timeout", "automation", "host")
SETTLED = [name for name in LOGS if name not in {WAITING, LONG}]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All plain values in a document, with the way to each."""
    if isinstance(value, dict):
        for name in value:
            yield from leaves(value[name], (*path, name))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from leaves(each, (*path, n))
    else:
        yield path, value


def other(value: Any, chance: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((-1, 1)) if value else 1
    if value in WORDS:
        return chance.choice([word for word in WORDS if word != value])
    return value[:-1] + ("0" if value[-1:] != "0" else "1")


def changed(event: Event, path: Path, value: Any) -> Event:
    """The event with another value in one place of its data."""
    event = deepcopy(event)
    place = event["data"]
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return event


@pytest.mark.parametrize("name", SETTLED)
def test_another_value_anywhere_is_refused(name: str) -> None:
    """Of every field of every type one is changed: it is refused, or nothing could contradict it."""
    chance, events = Random(7), events_of(name)  # noqa: S311 - places to spoil, the same in each run
    stored, free = LOGS[name], set().union(*UNSEEN.values())
    free |= SHUT if replay(stored).shut else set()
    places: dict[tuple[str, str], list[tuple[int, Path, Any]]] = {}
    for at, event in enumerate(events):
        for path, value in leaves(event["data"]):
            places.setdefault((event["type"], str(path[0])), []).append((at, path, value))
    for (kind, field), found in places.items():
        at, path, value = chance.choice(found)
        spoiled = canonical(changed(events[at], path, other(value, chance)))
        if f"{kind} {field}" not in free:
            with pytest.raises(Broken):
                replay([*stored[:at], spoiled, *stored[at + 1 :]])


@pytest.mark.parametrize("name", SETTLED)
def test_an_event_left_out_is_missed(name: str) -> None:
    """Of every type one event is left out and the rest is numbered anew: it is refused."""
    chance, events = Random(7), events_of(name)  # noqa: S311 - places to spoil, the same in each run
    places: dict[str, list[int]] = {}
    for at, event in enumerate(events[:-1]):
        places.setdefault(event["type"], []).append(at)
    for kind, found in places.items():
        at = chance.choice(found)
        if kind not in UNSAID.get(name, ()):
            with pytest.raises(Broken):
                replay([*LOGS[name][:at], *written(events[:at] + events[at + 1 :])[at:]])


def test_somebody_else_does_nothing_in_another_s_name() -> None:
    """Design 8: an event of a player's under somebody else's name was not written here."""
    events = events_of("bacara-evening")
    for at, event in enumerate(events):
        if event["data"].get("source") == "player":
            for actor in ("pid_x", "pid_host", "croupier"):
                with pytest.raises(Broken):
                    replay([*LOGS["bacara-evening"][:at], canonical({**event, "actor": actor})])


def _dark(rig: Rig, start: int, end: int) -> None:
    """Nobody watched from `start` to `end`, ms after the present decision was opened."""
    since = rig.clock().since
    rig.now = max(rig.now, since + end)
    rig.send(cmd.MoveDeadlines(((since + start, since + end),)))


def test_time_that_nobody_watched_has_bounds() -> None:
    """Design 5: when it began is the house's word, but it gives back no more than it can have taken."""
    rig = by_hand("speak_right", speak_ms=15_000)
    _dark(rig, 4_000, 60_000)
    replay(rig.stored)
    moved = json.loads(rig.stored[-1])
    until, gap = moved["data"]["until"], moved["data"]["gap"]
    for change in (
        {"until": until + 4_001},
        {"until": gap + 4_999},
        {"gap": moved["at"] + 1},
        {"decision": "x"},
    ):
        spoiled = canonical({**moved, "data": {**moved["data"], **change}})
        with pytest.raises(Broken, match="nobody's word"):
            replay([*rig.stored[:-1], spoiled])


def test_beside_a_hidden_hand_all_is_decided_again() -> None:
    """Fairness 1.8: of a shoe on the table only words in hands that nobody has seen wait for the seed.

    A coup that is voided leaves such a hand, and what comes after it is decided again.
    """
    rig = opened({1: 100, 11: 100, 12: 100}, "27KAK65")
    rig.play(1, stake("right", 10))
    rig.play(11, stake("left", 10))
    rig.close_stakes()
    rig.obey()
    hidden = len(rig.stored)
    rig.play(12, cmd.CashOut())
    rig.send(cmd.CashedOut(rig.due()[-1].decision))
    rig.host(cmd.ProposeCorrection(kind="void_round"))
    rig.send(cmd.ApproveCorrection(), OTHER_HOST, "host")
    rig.expire_until("betting")
    rig.play(1, stake("right", 10))
    read = replay(rig.stored)
    assert (read.shut, read.waiting > 0) == (True, True)
    events = [json.loads(line) for line in rig.stored]
    for at in range(hidden, len(events) - 1):
        with pytest.raises(Broken):
            replay(written(events[:at] + events[at + 1 :]))
    assert len(events) - hidden > 7


def test_a_stake_on_the_line_is_one_word() -> None:
    """R-27: the stakes that one word has brought are found together, with or without an odd unit."""
    rig = opened({1: 100, 11: 100}, profile="reglamento-1979", panos=2, bank_modes=["house"], house_bank=500)
    for amount in (10, 11):
        rig.play(1, stake("a_cheval", amount))
    placed = [json.loads(line)["type"] for line in rig.stored[-6:]]
    assert placed == 2 * ["stake.placed", "stake.placed", "chips.moved"]
    assert replay(rig.stored).waiting == 0
