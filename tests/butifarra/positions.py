"""A hand in the middle: a table as the sheet's examples describe it, and the commands of their steps."""

from collections.abc import Mapping
from typing import Any

from dealer.rules.butifarra import cards, playing
from dealer.rules.butifarra.bidding import Contract
from dealer.rules.butifarra.commands import WORDS
from dealer.rules.butifarra.state import Play, play_of
from dealer.rules.frame.commands import Command
from dealer.rules.frame.state import Table
from dealer.rules.matches.state import hand_of
from dealer.rules.registry import GAMES
from dealer.rules.tricks.commands import Concede
from dealer.rules.tricks.commands import Play as PlayCard
from tests.butifarra.examples import PHASES, bid, code, ids, options, trump
from tests.matches import positions as matches

GAME = GAMES["butifarra"]


class Position(matches.Position):
    """A hand in which tricks are played, for `bu_run`; seats and sides are those of the wire."""

    def __init__(self, example: Mapping[str, Any]) -> None:
        chosen = options(dict(example))
        held = [ids(hand) for hand in example["hands"]]
        out = [card for hand in held for card in hand]
        rest = [card for card in range(cards.DECK.size) if card not in out]
        super().__init__(GAME, cards.DECK, [*out, *rest])
        told, leader = example["contract"], example["turn"] + 1
        contract = Contract(trump(told["trump"]), told["mult"], told["leader"] + 1, told["side"] + 1)
        play = Play(
            match=1,
            running=True,
            dealer=example.get("dealer", 0) + 1,
            scores=tuple(example.get("scores", (0, 0))),
            won=tuple(example.get("tricks", (0, 0))),
            trump=contract.trump,
            turn=leader,
            leader=leader,
            raw=tuple(example.get("raw", (0, 0))),
            hands=example.get("done", 0),
            contract=contract,
        )
        self.table = Table(
            **self.around(4),
            options=chosen,
            profile="seed",
            shoe=self.shoe(cards.DECK.size),
            hands={
                hand_of(seat): tuple(self.places[card] for card in hand) for seat, hand in enumerate(held, 1)
            },
            phase="tricks",
            play=play,
        )

    def do(self, step: Mapping[str, Any]) -> None:
        """One step of an example, and what it says of it."""
        if "assert" in step:
            self._holds(step["assert"])
            return
        for card in step["line"].split() if "line" in step else ():
            assert self.give(play_of(self.table).turn, PlayCard(card=card)) == "", card
        if "line" not in step:
            assert self.give(step["seat"] + 1, self._command(step)) == code(step.get("error", "")), step

    @staticmethod
    def _command(step: Mapping[str, Any]) -> Command:
        if "play" in step:
            return PlayCard(card=step["play"])
        return word(*bid(step["bid"])) if "bid" in step else Concede()

    def _holds(self, told: Mapping[str, Any]) -> None:
        play = play_of(self.table)
        is_now = {
            "turn": play.turn - 1,
            "tricks": list(play.won),
            "raw": list(play.raw),
            "scores": list(play.scores),
            "phase": self.table.phase,
            "winner": play.winner - 1 if play.winner else None,
            "dealer": play.dealer - 1,
            "winners": [e.data.seat - 1 for e in self.events if e.type == "trick.won"],
        }
        for key, value in told.items():
            if key in {"hands", "legal"}:
                for seat, faces in value.items():
                    assert sorted(self._cards(key, int(seat) + 1)) == sorted(ids(faces)), (key, seat)
            else:
                assert is_now[key] == (PHASES[value] if key == "phase" else value), key

    def _cards(self, key: str, seat: int) -> list[int]:
        if key == "legal":
            return playing.legal(self.table, self.chance, seat)
        return [self.lying[pos] for pos in self.table.hands[hand_of(seat)]]


def word(name: str, offer: str = "") -> Command:
    """A word of the bidding as the command it is."""
    kind = next(each for each in WORDS if each.__struct_config__.tag == name)
    offered: Any = {"trump": offer} if offer else {}
    return kind(**offered)
