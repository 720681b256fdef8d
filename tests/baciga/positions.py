"""A hand in the middle: a table as the sheet's examples describe it, and the commands of their steps."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dealer.rules.baciga import cards, state
from dealer.rules.baciga.commands import Declare, DrawStock, ExchangeSeven, ShowSeven
from dealer.rules.baciga.melds import Scored
from dealer.rules.baciga.state import Play, play_of
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.game import Act
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Seat, ShoeState, Table
from dealer.rules.tricks import seats as order
from dealer.rules.tricks.commands import Concede
from dealer.rules.tricks.commands import Play as PlayCard
from dealer.table.aggregate import handle
from shoe.cards import Deck
from shoe.corte import Transcript
from shoe.shoe import Shoe, make_transcript
from tests.baciga.examples import GAME, MELDS, PHASES, code, options

LOG = "test/t/tbl_1"
_SEED = bytes(32)


class Fixed(Chance):
    """The one shoe of a position: its cards lie where the example has them."""

    def __init__(self, shoe: Shoe, order_: Sequence[int]) -> None:
        super().__init__({1: _SEED})
        shoe.__dict__["order"] = tuple(order_)
        self._only = shoe

    def shoe(self, transcript: Transcript) -> Shoe:
        """That shoe."""
        return self._only


class Position:
    """A hand that is under way, for `bc_run`; seats and sides are those of the wire."""

    def __init__(self, example: Mapping[str, Any]) -> None:
        chosen = options(dict(example))
        number = chosen["players"]
        parse = cards.ANY.parse
        deck = Deck(cards.KIND, cards.packs(chosen))
        stock = [parse(card) for card in example.get("stock", ())]
        scattered = [parse(card) for hand in example["hands"] for card in hand]
        laid = [parse(card) for lying in example.get("table", {}).values() for card in lying]
        bottom = [stock.pop()] if stock else []
        turned_first = chosen["trump_card"] == "next_after_deal"
        front = [*scattered, *laid, *(bottom if turned_first else [])]
        back = [*stock, *([] if turned_first else bottom)]
        others = [card for card in range(deck.size) if card not in {*front, *back}]
        lying = [*front, *others, *back]
        transcript = make_transcript(LOG, 1, deck, _SEED)
        self.chance = Fixed(Shoe(transcript, _SEED), lying)
        places = {card: pos for pos, card in enumerate(lying)}
        hands = {
            state.hand_of(n): tuple(places[parse(card)] for card in hand)
            for n, hand in enumerate(example["hands"], 1)
        }
        faces: dict[int, int] = {}
        for n, on_table in example.get("table", {}).items():
            positions = tuple(places[parse(card)] for card in on_table)
            hands[state.laid_by(int(n) + 1)] = positions
        if bottom:
            hands[state.TRUMP] = (places[bottom[0]],)
        for name, positions in hands.items():
            if not name.isdecimal():
                faces |= {pos: lying[pos] for pos in positions}
        none = (0,) * order.sides(number)
        play = Play(
            match=1,
            running=True,
            dealer=example.get("dealer", 0) + 1,
            scores=tuple(example.get("scores", none)),
            gained=none,
            won=tuple(example["tricks"]),
            briscas=tuple(cards.briscas(map(parse, won)) for won in example.get("won", [()] * len(none))),
            trump=example["trump"],
            turn=example["turn"] + 1,
            leader=example["turn"] + 1,
            scored=tuple(
                Scored(tuple(map(parse, named)), MELDS[meld], seat + 1)
                for seat, meld, named in example.get("scored", ())
            ),
            sevens=tuple(map(parse, example.get("sevens", ()))),
        )
        self.table = Table(
            log=LOG,
            game="baciga",
            options=chosen,
            seq=10,
            at=1_000,
            status="open",
            automations=frozenset({"deal", "next_round"}),
            seats={n: Seat(f"pid_{n}", "", 0) for n in range(1, number + 1)},
            shuffles=1,
            shoe=ShoeState(1, transcript, "", deck.size, deck.size - len(back), ready=True),
            deck=deck,
            round=1,
            playing=True,
            hands=hands,
            faces=faces,
            phase="stock" if bottom else "last_tricks",
            since=1_000,
            opened=10,
            play=play,
        )
        self._lying = lying
        self.events: list[Event] = []

    def give(self, seat: int, command: Command) -> str:
        """A command of a seat; the code with which it is refused, empty if it is taken."""
        act = Act(command, f"pid_{seat}", "player", f"pid_{seat}", seat, self.table.at + 10)
        outcome = handle(GAME, self.table, self.chance, act)
        if isinstance(outcome, Refusal):
            return outcome.code
        self.table = outcome.table
        self.events += outcome.events
        return ""

    def do(self, step: Mapping[str, Any]) -> None:
        """One step of an example, and what it says of it."""
        if "assert" in step:
            self._holds(step["assert"])
            return
        for card in step["line"].split() if "line" in step else ():
            assert self.give(play_of(self.table).turn, PlayCard(card=card)) == "", card
        if "line" in step:
            return
        seat, before = step["seat"] + 1, play_of(self.table).totals
        assert self.give(seat, self._command(step)) == code(step.get("error", "")), step
        if "points" in step:
            after = play_of(self.table).totals
            assert sum(after) - sum(before) == step["points"]

    @staticmethod
    def _command(step: Mapping[str, Any]) -> Command:
        if "play" in step:
            return PlayCard(card=step["play"])
        if "meld" in step:
            meld: Any = MELDS[step["meld"]]
            return Declare(meld=meld, cards=tuple(step["cards"]))
        if "show_seven" in step:
            return ShowSeven(card=step["show_seven"])
        words = {"exchange_seven": ExchangeSeven, "draw_stock": DrawStock, "concede": Concede}
        return next(kind() for word, kind in words.items() if word in step)

    def _codes(self, name: str) -> list[str]:
        return sorted(cards.ANY.code(self._lying[pos]) for pos in self.table.hands.get(name, ()))

    def _holds(self, told: Mapping[str, Any]) -> None:
        play = play_of(self.table)
        counted = [e.data.points for e in self.events if e.type == "briscas.counted"]
        is_now = {
            "turn": play.turn - 1,
            "tricks": list(play.won),
            "scores": list(play.totals),
            "phase": self.table.phase,
            "stock_left": state.stock_left(self.table),
            "winner": play.winner - 1 if play.winner else None,
            "dealer": play.dealer - 1,
            "conceded": [seat - 1 for seat in play.conceded],
            "winners": [e.data.seat - 1 for e in self.events if e.type == "trick.won"],
            "briscas": list(counted[-1]) if counted else [],
        }
        for key, value in told.items():
            if key in {"hands", "table"}:
                named = state.hand_of if key == "hands" else state.laid_by
                for seat, held in value.items():
                    assert self._codes(named(int(seat) + 1)) == sorted(held), (key, seat)
            else:
                assert is_now[key] == (PHASES.get(value, value) if key == "phase" else value), key


def exposed(position: Position) -> list[int]:
    """The cards that were turned up, in order."""
    return [e.data.card for e in position.events if isinstance(e.data, CardExposed)]


def with_play(table: Table, **changed: Any) -> Table:
    """The table with another state of the match."""
    return replace(table, play=replace(play_of(table), **changed))
