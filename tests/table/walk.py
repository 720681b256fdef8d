"""A table in the hands of people who do anything at all, and what has to be true all the time.

A walk is data: a list of steps, each three numbers that a test draws. What they mean depends on the table.
"""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from dealer.rules.bacara.commands import AnnounceBank, Call, Deal, Draw, NextRound, Settle, Show, Stand
from dealer.rules.bacara.points import total
from dealer.rules.bacara.state import SPEAKING
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import CardExposed, ShoeSealed
from dealer.rules.frame.game import Option
from dealer.rules.frame.refusal import Refusal
from dealer.table.aggregate import handle
from dealer.table.authority import Caller, Role, to_act
from shoe.shoe import Shoe
from tests.table.chores import do_chores, play_bot
from tests.table.rig import HOST, OTHER_HOST, WORDS, Rig, pid, seeds, stake, unstake

Step = tuple[int, int, int]

SEATS = (1, 2, 11, 1001)
PEOPLE = (*SEATS, 7)
"""The last of them never sits: there are five seats a paño, and he wants the seventh."""
KINDS = 35
"""What a step may be; from `CALM` on it is nobody's command."""
CALM = 23
CHORES = (
    Call(call="place_bets"),
    Call(call="last_call"),
    Call(call="no_more_bets"),
    AnnounceBank(),
    Deal(),
    Show(),
    Settle(),
    NextRound(),
)
VOIDS: tuple[cmd.Correction, ...] = ("void_round", "void_shoe", "resume")
RARELY = 60
"""A table is closed by a step of a larger amount only, so that most walks go far before."""


class Walk:
    """A small table with four people, a stranger, a host and a bot."""

    def __init__(self, luck: int, **chosen: Any) -> None:
        self._luck = luck
        self._known: dict[int, list[str]] = {}
        self.rig = Rig(luck=luck, **chosen)
        for seat in SEATS:
            self.rig.sit(seat, 60)
        self.rig.host(cmd.SeatBot(seat=12, policy="steady"), "pid_12")
        self.rig.buy_in(12, 60)
        do_chores(self.rig, self._luck)

    def step(self, step: Step) -> None:
        """Somebody tries something, and the house does its chores."""
        kind, who, amount = step
        seat = PEOPLE[who % len(PEOPLE)]
        on = ("right", "left")[amount % 2]
        tries: list[tuple[cmd.Command, str, Role]] = [
            (stake(on, 1 + amount % 20), pid(seat), "player"),
            (stake(on, amount), pid(seat), "player"),
            (Draw(), pid(self._on_turn()), "player"),
            (Stand(), pid(self._on_turn()), "player"),
            (unstake(on, amount), pid(seat), "player"),
            (Draw(), pid(seat), "player"),
            (Stand(), pid(seat), "player"),
            (cmd.Sit(seat=seat), pid(seat), "player"),
            (cmd.Join(), pid(seat), "player"),
            (cmd.Leave(), pid(seat), "player"),
            (cmd.CashOut(), pid(seat), "player"),
            (CHORES[amount % len(CHORES)], HOST, "host"),
            (cmd.Expire(decision=self.rig.table.decision()), HOST, "host"),
            (Draw(seat=max(1, amount % 13)), HOST, "host"),
            (stake(on, 3), HOST, "host"),
            (cmd.Pause(), HOST, "host"),
            (cmd.Resume(), HOST, "host"),
            (cmd.Resume(), OTHER_HOST, "host"),
            (cmd.ProposeCorrection(kind=VOIDS[amount % len(VOIDS)]), HOST, "host"),
            (cmd.ApproveCorrection(), (HOST, OTHER_HOST)[amount % 2], "host"),
            (self._approval(), OTHER_HOST, "host"),
            (self._correction(amount), HOST, "host"),
            (cmd.CloseTable(now=amount % 2 == 1) if amount > RARELY else NextRound(), HOST, "host"),
        ]
        assert len(tries) == CALM
        if kind < CALM:
            command, sender, role = tries[kind]
            self.rig.attempt(command, sender, role)
        elif kind < CALM + 2:
            place = f"stack:{self.rig.table.seat_of(pid(seat))}"
            self.rig.attempt(cmd.Receive(amount, place, pid(seat), self.rig.hold()), pid(seat), "player")
        elif kind < CALM + 4:
            play_bot(self.rig)
        elif kind == CALM + 4:
            gap = (self.rig.now - 100 * amount, self.rig.now - amount)
            self.rig.attempt(cmd.MoveDeadlines((gap,)), "croupier", "system")
        else:
            self._time()
        do_chores(self.rig, self._luck)

    def _approval(self) -> cmd.ApproveCorrection:
        proposal = self.rig.table.proposal
        return cmd.ApproveCorrection(proposal=proposal.seq) if proposal else cmd.ApproveCorrection()

    def _correction(self, amount: int) -> cmd.ProposeCorrection:
        """Some chips of one of the last rounds, between the bank and a seat, one way or the other."""
        ends = ("bank", f"stack:{SEATS[amount % len(SEATS)]}")
        origin, to = ends if amount % 3 else ends[::-1]
        last = max(1, self.rig.table.round - amount % 2)
        shift = cmd.Shift(1 + amount % 30, origin, to)
        return cmd.ProposeCorrection(kind="result", moves=(shift,), reason="agreement", round=last)

    def _on_turn(self) -> int:
        """Who holds the hand that is to speak, 0 for nobody."""
        turn = [d.seats[0] for d in self.rig.due() if d.kind == "timeout" and d.seats]
        return turn[0] if turn and self.rig.table.phase in SPEAKING else 0

    def _time(self) -> None:
        waiting = [d for d in self.rig.due() if d.kind == "timeout" and d.until is not None]
        if waiting:
            self.rig.expire()

    def check_options(self, pick: int) -> None:
        """Whatever is offered is taken, with the least, the most and some amount between; words not, are not.

        Nothing of it is played: each command is decided on the table as it stands.
        """
        table = self.rig.table
        for seat, held in table.seats.items():
            offered = self.rig.options(seat)
            for option in offered:
                for amount in _amounts(option, pick):
                    assert not isinstance(self._decide(held.pid, option, amount), Refusal), option
            for word in WORDS.keys() - {o.type for o in offered}:
                assert isinstance(self._decide(held.pid, Option(word), 0), Refusal)
        for option in self.rig.options(0):
            assert not isinstance(self._decide("pid_new", option, 0), Refusal), option

    def _decide(self, sender: str, option: Option, amount: int) -> object:
        rig = self.rig
        if option.type == "buy_in":
            place = f"stack:{rig.table.seat_of(sender)}"
            command: cmd.Command | cmd.Internal = cmd.Receive(amount, place, sender, rig.hold())
        else:
            document = {"type": option.type, **option.fields}
            if option.decision:
                document["decision"] = option.decision
            if amount:
                document["amount"] = amount
            kinds = {k.__struct_config__.tag: k for k in (*cmd.PUBLIC, *rig.game.commands)}
            command = msgspec.convert(document, kinds[option.type])
        act = to_act(rig.table, Caller(sender, "player", sender), command, rig.now)
        assert not isinstance(act, Refusal)
        return handle(rig.game, rig.table, rig.chance, act)

    def check_shown(self) -> None:
        """The view has no nonce and no face of a card that lies face down; a hand is its holder's alone."""
        rig, table = self.rig, self.rig.table
        shown = json.dumps(rig.view())
        assert not any(nonce in shown for nonces in self._nonces().values() for nonce in nonces)
        hidden = [p for hand in table.hands.values() for p in hand if p not in table.faces]
        faces = [face for hand in rig.view()["hands"].values() for face in hand]
        assert faces.count("") == len(hidden)
        assert table.playing or not hidden
        for seat in (0, *table.seats, 99):
            held = [h for h, holder in table.play.holders.items() if holder == seat and seat]
            held += ["bank"] if seat and seat == table.play.banker else []
            own = [p for h in held for p in table.hands.get(h, ())] if table.playing else []
            assert [card["pos"] for card in rig.hand(seat)] == own
            assert bool(rig.words(seat)) is (seat == self._on_turn() and seat > 0)
        if table.status == "closed":
            assert (table.chips, rig.due(), set(rig.secrets.values())) == ({}, [], {None})

    def check_log(self) -> None:
        """Each nonce is in the log once, in the event that turns its card, or not at all (S-20 b)."""
        turned = {(e.data.shuffle, e.data.pos): e.seq for e in self.rig.events if e.type == "card.exposed"}
        whole = b"".join(self.rig.stored)
        for shuffle, nonces in self._nonces().items():
            for pos, nonce in enumerate(nonces):
                seq = turned.get((shuffle, pos))
                assert whole.count(nonce.encode()) == (0 if seq is None else 1)
                assert seq is None or nonce.encode() in self.rig.stored[seq]

    def check_coups(self) -> None:
        """Cards of each coup, and its chips, keep the bounds of section 15.4."""
        rig = self.rig
        for number in range(1, rig.table.round + 1):
            told = rig.game.history([e for e in rig.events if e.round == number])
            if told["results"]:
                _check_coup(told)
        exposed = [(d.shuffle, d.card) for d in rig.of(CardExposed)]
        assert len(set(exposed)) == len(exposed)

    def _nonces(self) -> dict[int, list[str]]:
        """Of all cards of the shoes so far, by shuffle number."""
        for sealed in self.rig.of(ShoeSealed):
            if sealed.shuffle not in self._known:
                shoe = Shoe(sealed.transcript, self._seed(sealed.shuffle))
                self._known[sealed.shuffle] = [shoe.nonce(p) for p in range(shoe.deck.size)]
        return self._known

    def _seed(self, shuffle: int) -> bytes:
        return seeds(shuffle, 1, self._luck)[0]


def _check_coup(told: dict[str, Any]) -> None:
    """Properties 2, 4 and 5 of section 15.4, and that a coup moves chips from hand to hand only."""
    cards = {hand: [c["code"][:-2] for c in shown["cards"]] for hand, shown in told["hands"].items()}
    two = {hand: total(codes[:2]) for hand, codes in cards.items()}
    used = sum(len(codes) for codes in cards.values())
    panos = [hand for hand in cards if hand != "bank"]
    assert 2 * len(cards) <= used <= 3 * len(cards)
    if two["bank"] >= 8 or all(two[pano] >= 8 for pano in panos):
        assert used == 2 * len(cards)
    for hand, codes in cards.items():
        assert len(codes) == 2 or two[hand] <= 4
        assert told["hands"][hand]["points"] == total(codes)
    before, after = told["bank"]["before"], told["bank"]["after"]
    assert sum(n["net"] for n in told["net"]) == before - after
    assert after >= 0
    for stake_ in told["stakes"]:
        assert 0 <= stake_["covered"] <= stake_["amount"]


def _amounts(option: Option, pick: int) -> Sequence[int]:
    if option.min is None:
        return [0]
    most = option.min + 50 if option.max is None else option.max
    assert option.min <= most
    return sorted({option.min, most, option.min + pick % (most - option.min + 1)})
