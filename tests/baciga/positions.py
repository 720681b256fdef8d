"""A hand in the middle: a table as the sheet's examples describe it, and the commands of their steps."""

from collections.abc import Mapping
from typing import Any

from dealer.rules.baciga import cards, state
from dealer.rules.baciga.commands import Declare, DrawStock, ExchangeSeven, ShowSeven
from dealer.rules.baciga.melds import Scored
from dealer.rules.baciga.state import Play, play_of
from dealer.rules.frame.commands import Command
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import hand_of
from dealer.rules.tricks import seats as order
from dealer.rules.tricks.commands import Concede
from dealer.rules.tricks.commands import Play as PlayCard
from shoe.cards import Deck
from tests.baciga.examples import GAME, MELDS, PHASES, code, options
from tests.matches import positions as matches


class Position(matches.Position):
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
        super().__init__(GAME, deck, lying)
        places = self.places
        hands = {
            hand_of(n): tuple(places[parse(card)] for card in hand)
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
            **self.around(number),
            options=chosen,
            shoe=self.shoe(deck.size - len(back)),
            hands=hands,
            faces=faces,
            phase="stock" if bottom else "last_tricks",
            play=play,
        )

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
        return sorted(cards.ANY.code(self.lying[pos]) for pos in self.table.hands.get(name, ()))

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
                named = hand_of if key == "hands" else state.laid_by
                for seat, held in value.items():
                    assert self._codes(named(int(seat) + 1)) == sorted(held), (key, seat)
            else:
                assert is_now[key] == (PHASES.get(value, value) if key == "phase" else value), key


def exposed(position: Position) -> list[int]:
    """The cards that were turned up, in order."""
    return [e.data.card for e in position.events if isinstance(e.data, CardExposed)]
