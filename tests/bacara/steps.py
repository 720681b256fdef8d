"""Examples as steps at a table of any profile: what people say, what time does, how the table then stands.

`tests/examples/bacara/turns.toml` says how a step is written.
"""

import tomllib
from typing import Any

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.state import SPEAKING
from dealer.rules.frame import commands as cmd
from tests.bacara.banks import word
from tests.bacara.examples import DATA, seat_of
from tests.table.rig import WORDS, Rig, stake

EXAMPLES: list[dict[str, Any]] = tomllib.loads((DATA / "turns.toml").read_text("utf-8"))["examples"]


def played(number: str, at: int = 0) -> Rig:
    """The table at which an example has been played; `at` counts those of one number."""
    example = [each for each in EXAMPLES if each["id"] == number][at]
    rig = table(example)
    for step in example["steps"]:
        walk(rig, step)
    return rig


def table(example: dict[str, Any]) -> Rig:
    """The people of the example at a table of its profile, its cards on top of the shoe."""
    profile, _, mode = example["profile"].partition("/")
    cards = example.get("cards", "") + "".join(example.get("more", []))
    rig = Rig(cards, profile=profile, mode=mode, **example.get("options", {}))
    for label, chips in example["stacks"].items():
        rig.sit(seat_of(label), chips)
    return rig


def walk(rig: Rig, step: dict[str, Any]) -> None:
    """One step of an example."""
    if "coup" in step:
        coup(rig, step["coup"])
    for _ in range(step.get("time", 0)):
        rig.expire()
    if "until" in step:
        until(rig, step["until"])
    if "is" in step:
        check(rig, step["is"])
    if "who" in step:
        say(rig, step)


def say(rig: Rig, step: dict[str, Any]) -> None:
    """A word of somebody, taken or refused."""
    seat, tagged = seat_of(step["who"]), {kind.__struct_config__.tag: kind for kind in cmd.PUBLIC}
    fields = {name: value for name, value in step.items() if name not in {"who", "say", "code", "sit"}}
    if "associate" in fields:
        fields["associate"] = seat_of(fields["associate"])
    if "sit" in step:
        command: cmd.Command = cmd.Sit(seat=seat_of(step["sit"]))
    elif step["say"] in tagged:
        command = tagged[step["say"]](**fields)
    else:
        command = word(step["say"], **fields)
    person = rig.table.seats[seat].pid
    if "code" in step:
        assert rig.refusal(command, person, "player").code == step["code"]
    else:
        rig.send(command, person, "player")


def _play(rig: Rig, seat: int, command: cmd.Command) -> None:
    """Whoever has this seat now says it."""
    rig.send(command, rig.table.seats[seat].pid, "player")


def until(rig: Rig, phase: str) -> None:
    """Time passes; whoever is asked stands where he may, and does what he must elsewhere."""
    while rig.table.phase != phase:
        if rig.table.phase in SPEAKING:
            (seat,) = rig.clock().seats
            words = rig.words(seat)
            _play(rig, seat, WORDS["stand" if "stand" in words else words[0]])
        else:
            rig.expire()


def coup(rig: Rig, stakes: dict[str, int]) -> None:
    """A coup with these stakes, each on its own paño."""
    until(rig, "betting")
    single = rig.table.options["panos"] == 1
    for label, amount in stakes.items():
        on = "single" if single else "right" if label[0] == "D" else "left"
        _play(rig, seat_of(label), stake(on, amount))
    number = rig.table.round
    while rig.table.playing and rig.table.round == number:
        if rig.table.phase in SPEAKING:
            (seat,) = rig.clock().seats
            words = rig.words(seat)
            _play(rig, seat, WORDS["stand" if "stand" in words else words[0]])
        else:
            rig.expire()


def check(rig: Rig, told: dict[str, Any]) -> None:
    """How the table stands."""
    seen = rig.view()
    found: dict[str, Any] = {
        "banker": seen["banker"],
        "bank": seen["bank"],
        "mode": seen["bank_mode"],
        "phase": seen["phase"],
        "step": seen["bank_step"],
        "asked": seen["seeking"]["candidate"],
        "with": seen["seeking"]["amount"],
        "alone": seen.get("banco", {}).get("seat", 0),
        "garage": seen.get("garage", 0),
        "house": seen["chips"].get("house_box", 0),
        "said": seen["said"],
        "holders": seen["holders"],
        "shuffle": seen["shoe"].get("shuffle", 0),
        "ended": rig.of(ev.BankEnded)[-1].reason if rig.of(ev.BankEnded) else "",
    }
    for name, value in told.items():
        match name:
            case "stacks":
                assert {label: rig.table.stack(seat_of(label)) for label in value} == value
            case "shares":
                assert {each["seat"]: each["amount"] for each in seen["shares"]} == {
                    seat_of(label): amount for label, amount in value.items()
                }
            case "gone":
                assert not {seat_of(label) for label in value} & rig.table.seats.keys()
            case "banker" | "asked" | "alone":
                assert found[name] == (seat_of(value) if value else 0), name
            case _:
                assert found[name] == value, name
