"""The events of one table, told line by line; the course of a match of tricks is told by `Match`.

A face gets into a line only from `card.exposed`, or of a lot from `lot.drawn`: the narrator has no other
source of cards.
"""

from collections.abc import Callable, Mapping
from typing import Any

from dealer.rules.bacara import events as ev
from dealer.rules.bacara.history import paid_from_stacks
from dealer.rules.frame import events as frame
from dealer.rules.frame.event import Event
from ops.terminal import banks
from ops.terminal.coup import BANK, CARDS_DEALT, Coup, face
from ops.terminal.match import Match
from ops.terminal.notices import NOTICES
from ops.terminal.paint import WIDTH, pad
from ops.terminal.pieces import DOT, INDENT, Pieces
from ops.terminal.shoes import Shoes

_HAND = 11
"""Columns for the name of a hand."""
_SEAT = 10
_CARDS = 12
"""Columns for three cards, a ten among them."""
_ORDER = ("right", "left", "single", "punto", BANK, "tie", "punto_pair", "bank_pair")
_BANK_WORDS: Mapping[type, str] = {
    ev.BankOffered: "bank_offered",
    ev.BankConsented: "bank_consented",
    ev.BankRefused: "bank_refused",
    ev.BankBid: "bank_bid",
    ev.BankEntered: "bank_entered",
    ev.BankDeclined: "bank_declined",
}
"""The line for what a seat says of the bank."""


class Narrator:
    """Tells one table to somebody who watches it.

    It may begin anywhere in the log, and says nothing about what it has not seen. Types of events it does
    not know give no lines.

    Args:
        lang: the language of the lines.
        color: whether to use ANSI colours.

    Raises:
        ValueError: there is no such language.
    """

    def __init__(self, lang: str, color: bool) -> None:
        self._pieces = pieces = Pieces(lang, color)
        self._words, self._paint = pieces.words, pieces.paint
        self._seat, self._card, self._change = pieces.seat, pieces.card, pieces.change
        self._late, self._listed = pieces.late, pieces.listed
        self._shoes = Shoes(pieces)
        self._match = Match(pieces)
        self._coup = Coup()
        self._bank: int | None = None
        self._tell: Mapping[type, Callable[[Event, Any], list[str]]] = {
            frame.TableOpened: self._table_opened,
            **dict.fromkeys(NOTICES, self._notice),
            frame.CorrectionApproved: self._approved,
            frame.SeatTaken: self._seat_taken,
            frame.SeatLeft: self._seat_left,
            frame.PersonJoined: self._person_joined,
            frame.PersonLeft: self._person_left,
            frame.ChipsBoughtIn: self._bought_in,
            **dict.fromkeys(self._shoes.tell, self._of_the_shoe),
            frame.RoundStarted: self._round_started,
            frame.RoundEnded: self._round_ended,
            frame.CardDealt: self._card_dealt,
            frame.CardExposed: self._card_exposed,
            frame.LotDrawn: self._lot_drawn,
            ev.BankSought: self._bank_sought,
            **dict.fromkeys(_BANK_WORDS, self._bank_word),
            **dict.fromkeys(banks.TOLD, self._of_the_bank),
            ev.BankConstituted: self._bank_constituted,
            ev.BankEnded: self._bank_ended,
            ev.StakesOpened: self._stakes_opened,
            ev.StakesLastCalled: self._last_called,
            ev.StakesClosed: self._stakes_closed,
            ev.StakesCovered: self._stakes_covered,
            ev.HolderMoved: self._holder_moved,
            ev.HandDrew: self._drew,
            ev.HandStood: self._stood,
            ev.HandLaidDown: self._laid_down,
            ev.HandShown: self._shown,
            ev.PanoSettled: self._pano_settled,
            frame.ChipsMoved: self._chips_moved,
            ev.RoundSettled: self._round_settled,
            **self._match.tell,
        }

    def lines(self, event: Event) -> list[str]:
        """What there is to say about the next event of the log; often nothing."""
        teller = self._tell.get(type(event.data))
        return teller(event, event.data) if teller else []

    # The table and its people.

    def _table_opened(self, event: Event, data: frame.TableOpened) -> list[str]:
        words = self._words
        self._pieces.panos = data.options.get("panos", 1)
        players = str(data.options.get("players", ""))
        opened = words.line(
            "opened",
            table=event.log.rpartition("/")[2],
            game=words.game(data.game),
            mode=words.mode(data.mode) or words.line("players", count=players),
            profile=data.profile,
        )
        legend = words.line("legend_two" if self._pieces.panos == 2 else "legend_one")
        for option, line in (("standing", "legend_standing"), ("cut_spectators", "legend_watching")):
            if data.options.get(option):
                legend += DOT + words.line(line)
        return [self._paint("strong", opened), self._paint("dim", legend), ""]

    def _notice(self, event: Event, data: Any) -> list[str]:
        said = NOTICES[type(data)](self._words, event)
        return ["", self._paint("strong", said)] if said else []

    def _approved(self, event: Event, data: frame.CorrectionApproved) -> list[str]:
        self._bank = next((each.after for each in data.changes if each.place == BANK), self._bank)
        changes = self._listed(map(self._changed, data.changes), WIDTH - len(INDENT))
        return [*self._notice(event, data), *([INDENT + changes] if changes else [])]

    def _changed(self, change: frame.Change) -> str:
        kind, _, seat = change.place.partition(":")
        where = self._seat(int(seat)) if seat else self._words.line(kind)
        return f"{where} {self._change(change.after - change.before)}"

    def _seat_taken(self, event: Event, data: frame.SeatTaken) -> list[str]:
        if data.bot:
            return [self._words.line("bot_seated", seat=self._seat(data.seat), bot=data.bot)]
        return [self._words.line("seat_taken", seat=self._seat(data.seat))]

    def _seat_left(self, event: Event, data: frame.SeatLeft) -> list[str]:
        return [self._words.line("seat_left", seat=self._seat(data.seat))]

    def _person_joined(self, event: Event, data: frame.PersonJoined) -> list[str]:
        return [self._words.line("person_joined", seat=self._seat(data.seat))]

    def _person_left(self, event: Event, data: frame.PersonLeft) -> list[str]:
        return [self._words.line("person_left", seat=self._seat(data.seat))]

    def _bought_in(self, event: Event, data: frame.ChipsBoughtIn) -> list[str]:
        place, _, seat = data.place.partition(":")
        if place != "stack":
            return []
        amount = self._words.number(data.amount)
        return [self._words.line("bought_in", seat=self._seat(int(seat)), amount=amount)]

    # The shoe and the bank.

    def _of_the_shoe(self, event: Event, data: Any) -> list[str]:
        if isinstance(data, frame.ShoeSealed):
            self._match.seal(data.transcript.deck)
        return self._shoes.tell[type(data)](data)

    def _bank_sought(self, event: Event, data: ev.BankSought) -> list[str]:
        """The house is asked in silence: its bank is told when it stands."""
        return [] if data.mode == "house" else [self._words.line(f"sought_{data.mode or 'nobody'}")]

    def _of_the_bank(self, event: Event, data: Any) -> list[str]:
        kind = type(data)
        if self._bank is not None and kind in banks.ADDS:
            self._bank += banks.ADDS[kind] * data.amount
        told = banks.TOLD[kind](self._pieces, data)
        return [told] if told else []

    def _bank_word(self, event: Event, data: Any) -> list[str]:
        if isinstance(data, ev.BankOffered) and data.source == "automation":
            return [banks.asked(self._pieces, data)]
        words = self._words
        said = words.line(
            _BANK_WORDS[type(data)],
            seat=self._seat(data.seat),
            amount=words.number(getattr(data, "amount", 0)),
            candidate=self._seat(getattr(data, "candidate", 0)),
        )
        return [said + self._late(data.source)]

    def _lot_drawn(self, event: Event, data: frame.LotDrawn) -> list[str]:
        self._shoes.lot = data.shuffle
        drawn = zip(data.candidates, data.cards, strict=True)
        cards = [f"{self._seat(seat)} {self._card(face(opened.card))}" for seat, opened in drawn]
        winner = self._paint("strong", self._seat(data.winner))
        return [self._words.line("lot_drawn", cards=DOT.join(cards), seat=winner)]

    def _bank_constituted(self, event: Event, data: ev.BankConstituted) -> list[str]:
        self._bank = data.amount
        amount = self._words.number(data.amount)
        if data.banker:
            return [self._words.line("bank_seat", seat=self._seat(data.banker), amount=amount)]
        return [self._words.line("bank_house", amount=amount)]

    def _bank_ended(self, event: Event, data: ev.BankEnded) -> list[str]:
        self._bank = None
        words = self._words
        ended = self._paint("strong", words.line("bank_ended", reason=words.bank_ended(data.reason)))
        left = [words.line("bank_returned", amount=words.number(data.amount))] if data.amount else []
        return ["", ended, *left]

    # The coup, from the first call to the cards.

    def _round_started(self, event: Event, data: frame.RoundStarted) -> list[str]:
        self._coup = Coup()
        self._match.begin()
        left = "── " + self._words.line("coup", round=self._words.number(event.round)) + " "
        right = ""
        if self._bank is not None:
            right = " " + self._words.line("bank_now", bank=self._words.number(self._bank)) + " ──"
        return ["", self._paint("strong", left + "─" * (WIDTH - len(left) - len(right)) + right)]

    def _stakes_opened(self, event: Event, data: ev.StakesOpened) -> list[str]:
        return self._called("place_bets")

    def _last_called(self, event: Event, data: ev.StakesLastCalled) -> list[str]:
        return self._called("last_call")

    def _stakes_closed(self, event: Event, data: ev.StakesClosed) -> list[str]:
        self._coup.closed = True
        return self._called("no_more_bets")

    def _called(self, call: str) -> list[str]:
        return [INDENT + self._paint("call", self._words.call(call))]

    def _stakes_covered(self, event: Event, data: ev.StakesCovered) -> list[str]:
        self._coup.awaited = CARDS_DEALT * (len(data.holders) + 1)
        told = []
        for pano in _ORDER:
            plays = [s for s in data.stakes if s.on == pano and s.covered]
            if plays:
                sums = self._words.number(sum(s.covered for s in plays))
                each = (f"{self._seat(s.seat)} {self._part(s)}" for s in plays)
                width = WIDTH - len(INDENT) - _HAND - len(sums) - 2
                told.append(self._row(pano, pad(self._listed(each, width), width) + "  " + sums))
        return told

    def _card_dealt(self, event: Event, data: frame.CardDealt) -> list[str]:
        if not self._coup.deal(data.pos, data.to):
            return []
        hands = (
            f"{self._words.hand(hand)} {self._cards(hand)}" for hand in _ORDER if hand in self._coup.hands
        )
        return ["", INDENT + "    ".join(hands)]

    def _holder_moved(self, event: Event, data: ev.HolderMoved) -> list[str]:
        if data.reason == "first":
            return []
        hand, seat = self._words.hand(data.pano), self._seat(data.seat)
        return [INDENT + self._paint("dim", self._words.line("holder_moved", hand=hand, seat=seat))]

    # What the hands say.

    def _stood(self, event: Event, data: ev.HandStood) -> list[str]:
        return [self._said(data.hand, self._spoken(data, self._words.line("stand")))]

    def _drew(self, event: Event, data: ev.HandDrew) -> list[str]:
        self._coup.said[data.hand] = self._spoken(data, self._words.line("draw"))
        return []

    def _laid_down(self, event: Event, data: ev.HandLaidDown) -> list[str]:
        natural = self._words.line("natural", points=str(data.points))
        self._coup.said[data.hand] = self._spoken(data, self._paint("strong", natural))
        return []

    def _spoken(self, data: ev.HandDrew | ev.HandStood | ev.HandLaidDown, word: str) -> str:
        speaker = "" if data.hand == BANK else self._words.line("croupier")
        who = pad(self._seat(data.seat) if data.seat else speaker, _SEAT)
        return who + word + self._late(data.source)

    def _card_exposed(self, event: Event, data: frame.CardExposed) -> list[str]:
        coup = self._coup
        self._match.expose(data)
        hand = coup.expose(data.pos, data.card)
        if hand in coup.said and coup.told_in_full(hand):
            return [self._said(hand, coup.said.pop(hand))]
        return []

    def _said(self, hand: str, words: str) -> str:
        return self._row(hand, pad(self._cards(hand), _CARDS) + words)

    # The result.

    def _shown(self, event: Event, data: ev.HandShown) -> list[str]:
        first = next(iter(self._coup.hands), data.hand) == data.hand
        shown = self._row(data.hand, pad(self._cards(data.hand), _CARDS))
        line = shown + self._paint("strong", str(data.points))
        return ["", line] if first else [line]

    def _pano_settled(self, event: Event, data: ev.PanoSettled) -> list[str]:
        for stake in data.stakes:
            self._coup.net[stake.seat] = self._coup.net.get(stake.seat, 0) + stake.won
        words = self._words
        score = words.line("points", points=str(data.points), bank=str(data.bank_points))
        tone = {"pano": "gain", "bank": "loss"}.get(data.result, "dim")
        return [self._row(data.pano, self._paint(tone, words.result(data.result)) + ", " + score)]

    def _chips_moved(self, event: Event, data: frame.ChipsMoved) -> list[str]:
        for seat, paid in paid_from_stacks(data) if data.cause == "settlement" else ():
            self._coup.net[seat] = self._coup.net.get(seat, 0) - paid
        return []

    def _round_settled(self, event: Event, data: ev.RoundSettled) -> list[str]:
        self._bank = data.bank
        each = (f"{self._seat(seat)} {self._change(net)}" for seat, net in sorted(self._coup.net.items()))
        bank = self._words.line(
            "bank_change", bank=self._words.number(data.bank), change=self._change(data.net)
        )
        seats = self._listed(each, WIDTH - len(INDENT))
        return [INDENT + seats, INDENT + bank] if seats else [INDENT + bank]

    def _round_ended(self, event: Event, data: frame.RoundEnded) -> list[str]:
        if self._coup.hands or not self._coup.closed:
            return []
        return [INDENT + self._paint("dim", self._words.line("no_stakes"))]

    # Pieces of a line.

    def _part(self, stake: ev.CoveredStake) -> str:
        """What plays of a stake; where the bank does not answer for all of it, of how much."""
        covered = self._words.number(stake.covered)
        return covered if stake.covered == stake.amount else f"{covered}/{self._words.number(stake.amount)}"

    def _row(self, hand: str, rest: str) -> str:
        return INDENT + pad(self._words.hand(hand), _HAND) + rest

    def _cards(self, hand: str) -> str:
        return " ".join(self._card(face) for face in self._coup.cards(hand))
