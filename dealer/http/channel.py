"""All who follow one table here: what everybody gets, written once; what only one may see, beside it.

The public part goes out first and to all, whatever hands there are, so nobody can tell from it that somebody
else was sent his cards (fairness S-21).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from dealer.croupier.follow import Tail
from dealer.croupier.node import Node
from dealer.croupier.tables import TableDesk
from dealer.http import frames
from dealer.http.frames import OwnHand
from dealer.rules.frame.event import Event
from dealer.table.view import hand

Payload = tuple[bytes, bytes]
"""Frames as they are, and as an HTTP/1.1 chunk."""


class Listener(Protocol):
    """One connection."""

    @property
    def account(self) -> str:
        """Whose hand it is told, empty for nobody's."""

    def hear(self, last: int, news: Payload) -> None:
        """Be told of the events up to `last`."""

    def own(self, frame: bytes) -> None:
        """Be told of one's own hand."""


class Channel:
    """One table and its listeners.

    Args:
        desk: of the table; what it knows now is the beginning.

    Attributes:
        tail: the latest events, as they are sent.
    """

    def __init__(self, node: Node, desk: TableDesk) -> None:
        self.tail = Tail(node.journal, desk.aggregate, desk.state.seq, frames.event)
        self._desk = desk
        self._listeners: dict[Listener, None] = {}
        self._players: defaultdict[str, list[Listener]] = defaultdict(list)
        self._shown: dict[str, tuple[int, list[dict[str, object]]]] = {}
        self._end = node.listen(desk.aggregate, self._news)

    def close(self) -> None:
        """Hear nothing any more."""
        self._end()

    def join(self, listener: Listener) -> None:
        """Tell this one too from now on."""
        self._listeners[listener] = None
        if listener.account:
            self._players[listener.account].append(listener)

    def leave(self, listener: Listener) -> None:
        """Tell it nothing any more."""
        del self._listeners[listener]
        if listener.account:
            theirs = self._players[listener.account]
            theirs.remove(listener)
            if not theirs:
                del self._players[listener.account]
                self._shown.pop(listener.account, None)

    def hand_of(self, account: str) -> bytes:
        """The frame with somebody's present hand."""
        seat = self._desk.state.seat_of(self._desk.pid_of(account))
        self._shown[account] = seat, self._cards(seat)
        return self._frame(account)

    def _news(self, aggregate: str, events: Sequence[Event], stored: Sequence[bytes]) -> None:
        plain = b"".join(self.tail.add(stored))
        last, news = self.tail.last, (plain, frames.chunk(plain))
        for listener in self._listeners:
            listener.hear(last, news)
        if self._players:
            self._tell_hands()

    def _tell_hands(self) -> None:
        """Tell each player whose cards, or whose seat, are others than before."""
        nothing: tuple[int, list[dict[str, object]]] = (0, [])
        held = dict.fromkeys(self._shown, nothing)
        for seat, person in self._desk.state.seats.items():
            account = self._desk.principal_of(person.pid)
            if account in self._players:
                held[account] = seat, self._cards(seat)
        for account, now in held.items():
            if now != self._shown.get(account, nothing):
                self._shown[account] = now
                frame = self._frame(account)
                for listener in self._players[account]:
                    listener.own(frame)

    def _cards(self, seat: int) -> list[dict[str, object]]:
        if not seat:
            return []
        try:
            return hand(self._desk.game, self._desk.state, self._desk.chance, seat)
        except KeyError:  # of a shoe that is over already: what this node reads next says so
            return []

    def _frame(self, account: str) -> bytes:
        seat, cards = self._shown[account]
        return frames.hand(OwnHand(hand=cards, seat=seat, seq=self.tail.last))
