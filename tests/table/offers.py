"""What `options` lists, sent back as a client sends it: encoded, decoded by the door's codec, decided."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from dealer.http.messages import AnyCommand
from dealer.http.seats import check
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.events import ChipsRejected
from dealer.rules.frame.game import Option
from dealer.rules.frame.refusal import Refusal
from dealer.table import hosting
from dealer.table.aggregate import Outcome, handle
from dealer.table.authority import Caller, Role, to_act
from shoe.corte import contribution_commit
from tests.table.cut import secret
from tests.table.rig import HOST, LOG, OTHER_HOST, Rig

STRANGERS = ("pid_stranger", "pid_other_stranger")
Offer = tuple[str, Role, Option, int]
"""Who may do what, and the amount, or the place of a cut, that is chosen."""

_decoder: msgspec.json.Decoder[cmd.Command] = msgspec.json.Decoder(AnyCommand)


class Offers:
    """All that is offered at a table, to everybody.

    Whoever commits to a cut has to open the same, so where everybody cuts is kept.
    """

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self._cuts: dict[tuple[int, int], int] = {}

    def __iter__(self) -> Iterator[Offer]:
        """Every option of every seat, of hosts in the name of a seat and in their own, and of a stranger."""
        rig = self.rig
        for seat, held in rig.table.seats.items():
            if not held.bot:
                yield from self._each(held.pid, "player", rig.options(seat))
            yield from self._each(HOST, "host", hosting.for_seat(rig.game, rig.table, rig.chance, seat))
        for stranger in STRANGERS:
            if not rig.table.seat_of(stranger):
                yield from self._each(stranger, "player", rig.options(0, stranger))
        for host in (HOST, OTHER_HOST):
            yield from self._each(host, "host", hosting.options(rig.game, rig.table, host))

    def _each(self, sender: str, role: Role, options: list[Option]) -> Iterator[Offer]:
        for option in options:
            for chosen in self._chosen(option):
                yield sender, role, option, chosen

    def _chosen(self, option: Option) -> set[int]:
        """The least, the most and something between; what has been committed to is opened as it is."""
        if option.min is None or option.max is None:
            return {0}
        assert 1 <= option.min <= option.max
        if option.type == "cut_reveal":
            cut = self._cuts[self._place(option)]
            assert option.min <= cut <= option.max
            return {cut}
        return {option.min, (option.min + option.max) // 2, option.max}

    def _place(self, option: Option) -> tuple[int, int]:
        shuffle: int = self.rig.view()["cut"]["shuffle"]
        return shuffle, option.fields["seat"]

    def document(self, option: Option, chosen: int) -> dict[str, Any]:
        """The body: the option as it stands, and what is the sender's own."""
        shown: dict[str, Any] = msgspec.to_builtins(option)
        body = {"type": shown["type"], **shown.get("fields", {})}
        if "decision" in shown:
            body["decision"] = shown["decision"]
        if option.type == "cut_commit":
            cut, number = self.rig.view()["cut"], option.fields["seat"]
            mine = secret(number)
            body["commit"] = contribution_commit(LOG, cut["shuffle"], cut["commitment"], number, chosen, mine)
        elif option.type == "cut_reveal":
            body |= {"cut": chosen, "reveal": secret(option.fields["seat"])}
        elif chosen:
            body["amount"] = chosen
        return body

    def decided(self, offer: Offer) -> Outcome:
        """What comes of it on the table as it stands, which is no refusal; nothing of it is played."""
        sender, role, option, chosen = offer
        command = _decoder.decode(json.dumps(self.document(option, chosen)))
        check(command, host=role == "host")
        rig, person = self.rig, sender
        internal: cmd.Command | cmd.Internal = command
        if isinstance(command, cmd.SeatBot):
            person = f"pid_bot_{command.seat}"
        if isinstance(command, cmd.BuyIn):
            act = to_act(rig.table, Caller(sender, role, sender), command, rig.now)
            assert not isinstance(act, Refusal), (act, offer)
            internal = cmd.Receive(command.amount, f"stack:{act.seat}", act.person, rig.hold())
        act = to_act(rig.table, Caller(sender, role, person), internal, rig.now)
        outcome = act if isinstance(act, Refusal) else handle(rig.game, rig.table, rig.chance, act)
        assert not isinstance(outcome, Refusal), (outcome, offer)
        assert type(outcome.events[0].data) is not ChipsRejected, offer
        return outcome

    def take(self, offer: Offer) -> None:
        """Do it."""
        _, _, option, chosen = offer
        outcome = self.decided(offer)
        if option.type == "cut_commit":
            self._cuts[self._place(option)] = chosen
        self.rig.accept(outcome)

    def check(self) -> None:
        """All of it is taken."""
        for offer in self:
            self.decided(offer)
