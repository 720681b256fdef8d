"""The worked examples of bacará's rule sheet, read from data into the names of the API (glossary 8)."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "examples" / "bacara"

_HANDS = {"D": "right", "I": "left", "B": "bank", "P": "single"}
_ON = {"D": "right", "I": "left", "DI": "a_cheval", "P": "single"}
_FIRST_SEAT = {"D": 0, "I": 10, "J": 0, "P": 1000}
_RESULTS = {"BANCA": "bank", "PAÑO": "pano", "NULA": "push"}
_WORDS = {"carta": "draw", "planta": "stand", "calla": "silent", "apuesta": "stake", "retira": "unstake"}
_ACCOUNTS = ("banca", "banquero", "casa")


@dataclass(frozen=True)
class Bet:
    """A stake as it is placed (`amount` chips), or what of it is covered.

    `on` is a paño, a bet of punto y banca, or, for a stake as placed, `a_cheval`.
    """

    seat: int
    on: str
    amount: int


@dataclass(frozen=True)
class Refused:
    """A command that is refused with `code`; `seat` 0 is the banker, `on` and `amount` belong to stakes."""

    seat: int
    type: str
    code: str
    on: str = ""
    amount: int = 0


@dataclass(frozen=True)
class Example:
    """One coup with everything that is known of it.

    Attributes:
        id: as in the sheet; a coup of a longer example has its number behind a slash (`BQ-21/1`).
        title: what the example shows.
        profile: profile id.
        mode: mode id, empty where the profile has none.
        options: the options that differ from the profile's, by key.
        burned: cards already out of the shoe when the coup begins; they lie on top of `shoe`.
        banker: who banks at a table with one paño, 0 elsewhere.
        next_banker: who does, or is offered the bank, after the coup; 0 where it does not go round.
        con_la_mesa: who has called it, 0 for nobody.
        banker_stack: stack of the banker of an open bank, None where it does not matter.
        banco: who called banco, and on what (`amount` 0), or None.
        bank: chips in the bank before the coup.
        stakes: as placed, in order of placing.
        covered: what is at risk of each stake in the order of R-30, None where the sheet does not say.
        shoe: ranks in the order they leave the shoe.
        decisions: what each hand says (`draw`, `stand`, `silent`) where the sheet says so.
        refused: commands that are refused on the way.
        holders: whose turn it is to hold each paño's cards, 0 where nobody of the paño has a stake.
        next_holders: where the pointers stand afterwards, None where the sheet does not say.
        points: final score of each hand dealt.
        naturals: the hands that are natural.
        results: `bank`, `pano` or `push` by paño.
        net: change of each person by seat.
        net_bank: change of the bank.
        net_banker: change of an open bank's banker's stack.
        house: commission taken.
        final_bank: chips in the bank after the coup.
        final_banker_stack: the banker's stack after the coup, None where it does not matter.
        cards: cards used, the burned ones included.
    """

    id: str
    title: str
    profile: str
    mode: str
    options: Mapping[str, Any]
    burned: int
    banker: int
    next_banker: int
    con_la_mesa: int
    banker_stack: int | None
    banco: Bet | None
    bank: int
    stakes: tuple[Bet, ...]
    covered: tuple[Bet, ...] | None
    shoe: tuple[str, ...]
    decisions: Mapping[str, str]
    refused: tuple[Refused, ...]
    holders: Mapping[str, int]
    next_holders: Mapping[str, int] | None
    points: Mapping[str, int]
    naturals: frozenset[str]
    results: Mapping[str, str]
    net: Mapping[int, int]
    net_bank: int
    net_banker: int
    house: int
    final_bank: int
    final_banker_stack: int | None
    cards: int


def load(name: str) -> tuple[Example, ...]:
    """Return the examples of a file of blocks; `prose.txt` has those the sheet tells in prose.

    Raises:
        KeyError: a block lacks a line or uses a word this loader does not know.
    """
    text = (DATA / name).read_text(encoding="utf-8")
    blocks = (
        [line for line in block.splitlines() if not line.startswith("#")] for block in text.split("\n\n")
    )
    return tuple(_example(block) for block in blocks if block)


def load_end_of_shoe() -> list[dict[str, Any]]:
    """Return the cases of BQ-27."""
    cases: list[dict[str, Any]] = tomllib.loads((DATA / "end_of_shoe.toml").read_text("utf-8"))["cases"]
    return cases


def seat_of(label: str) -> int:
    """Return the seat a label stands for (glossary 2): `D3` 3, `I3` 13, `P1` 1001, `B` 0."""
    return 0 if label == "B" else _FIRST_SEAT[label[0]] + int(label[1:])


def _example(block: list[str]) -> Example:
    head, *rest = block
    lines = {word: text for word, _, text in (line.partition(" ") for line in rest)}
    number, _, title = head.partition(" ")
    profile, _, mode = lines["perfil"].partition("/")
    options = {
        key: _option(text) for key, _, text in (each.partition("=") for each in _items(lines, "opciones"))
    }
    banco = options.pop("banco", None)
    con_la_mesa = options.pop("con_la_mesa", "")
    burned = options.pop("quemadas", 0)
    banker_stack = options.pop("caja_banquero", None)
    stakes = tuple(map(_bet, _items(lines, "apuestas")))
    net = {word: int(text) for word, text in _pairs(lines, "neto")}
    final = {word: int(text) for word, text in _pairs(lines, "final") if word != "siguiente"}
    points = dict(_pairs(lines, "puntos"))
    hands = _HANDS | ({"P": "punto"} if profile == "punto-y-banca" else {})
    return Example(
        id=number,
        title=title,
        profile=profile,
        mode=mode,
        options=options,
        burned=burned,
        banker=seat_of(lines.get("banquero", "B")),
        next_banker=seat_of(dict(_pairs(lines, "final")).get("siguiente", "B")),
        con_la_mesa=seat_of(con_la_mesa or "B"),
        banker_stack=banker_stack,
        banco=None if banco is None else _bet(f"{banco} 0" if ">" in banco else f"{banco}>P 0"),
        bank=int(lines["banca"]),
        stakes=stakes,
        covered=tuple(map(_bet, _items(lines, "cubierto"))) if "cubierto" in lines else None,
        shoe=tuple("T" if rank == "10" else rank for rank in lines["sabot"].split()),
        decisions={_HANDS[who]: _WORDS[word] for who, word in _pairs(lines, "decisiones")},
        refused=tuple(map(_refused, _items(lines, "rechazado"))),
        holders=_holders(lines, "manos") or {pano: _lowest(stakes, pano) for pano in ("right", "left")},
        next_holders=_holders(lines, "siguientes"),
        points={hands[hand]: int(score.rstrip("*")) for hand, score in points.items()},
        naturals=frozenset(hands[hand] for hand, score in points.items() if score.endswith("*")),
        results={hands[pano]: _RESULTS[word] for pano, word in _pairs(lines, "resultado")},
        net={seat_of(who): change for who, change in net.items() if who not in _ACCOUNTS},
        net_bank=net["banca"],
        net_banker=net.get("banquero", 0),
        house=net.get("casa", 0),
        final_bank=final["banca"],
        final_banker_stack=final.get("caja_banquero"),
        cards=final["cartas"],
    )


def _items(lines: Mapping[str, str], word: str) -> Iterator[str]:
    return (item.strip() for item in lines.get(word, "").split("|") if item.strip())


def _pairs(lines: Mapping[str, str], word: str) -> Iterator[tuple[str, str]]:
    return ((who, text) for who, _, text in (item.partition(" ") for item in _items(lines, word)))


def _option(text: str) -> Any:
    if text in {"true", "false"}:
        return text == "true"
    return int(text) if text.isdecimal() else text


def _bet(text: str) -> Bet:
    place, amount = text.split()
    who, on = place.split(">")
    return Bet(seat_of(who), _ON.get(on, on), int(amount))


def _refused(text: str) -> Refused:
    who, word, *bet, code = text.split()
    if bet:
        return Refused(seat_of(who), _WORDS[word], code, _ON.get(bet[0], bet[0]), int(bet[1]))
    return Refused(seat_of(who), _WORDS[word], code)


def _holders(lines: Mapping[str, str], word: str) -> dict[str, int] | None:
    return {_ON[who[0]]: seat_of(who) for who in _items(lines, word)} or None


def _lowest(stakes: tuple[Bet, ...], pano: str) -> int:
    """The lowest seat of a paño with a stake on it: the mano unless a block says otherwise."""
    seats = range(1, 9) if pano == "right" else range(11, 19)
    return min((bet.seat for bet in stakes if bet.seat in seats and bet.on in {pano, "a_cheval"}), default=0)
