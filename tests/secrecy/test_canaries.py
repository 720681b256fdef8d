"""Nothing told or kept holds what is secret (fairness S-20 b), and the log is all there is (S-20 c)."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from dealer.croupier.snapshots import EVERY, _Kept
from dealer.http.answers import encode
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CardExposed, SeedRevealed, SeedsCommitted, ShoeSealed
from dealer.rules.frame.state import Table
from dealer.table.aggregate import codec
from dealer.table.evolve import evolve
from dealer.table.snapshot import form
from dealer.table.view import view
from ops.replay.replay import replay
from shoe.corte import kbkdf
from shoe.shoe import Shoe
from tests.secrecy.evening import Evening, Left
from tests.secrecy.known import Known, Nonce, values_in
from tests.secrecy.sieve import Sieve, forms

ROUNDS = 500
WINDOW = 12
"""So many cards in a row are an order."""
TELLING: dict[type, set[str]] = {
    SeedsCommitted: {"commitment"},
    ShoeSealed: {"commitment", "root", "transcript"},
    CardExposed: {"nonce"},
    SeedRevealed: {"seed"},
}
"""The only events with values of 32 bytes, and what these are."""


async def test_many_rounds_leave_nothing_behind(tmp_path: Path) -> None:
    """S-20 b, c: no face, nonce, seed, order or token in log, figures, problems, store, streams, backup.

    What every table shows, keeps and is read back as follows from its public log alone (fairness 2.7).
    """
    evening = Evening(tmp_path)
    await evening.play(ROUNDS)
    assert evening.early == []
    needles: list[tuple[str, bytes]] = []
    for name, left in evening.tables.items():
        events = list(map(codec(left.desk.game).decode, left.log))
        known = Known(left.desk, events)
        _check_log(left, events, known)
        held = _check_replay(left, events)
        for person in evening.people:
            if person.table == name:
                heard = b"".join(person.wire.chunks()) + b"".join(told for _, told in person.guest.heard)
                seen = {known.nonces[value] for value in values_in(heard) if value in known.nonces}
                assert seen <= _turned(events) | held[person.seat]
                assert held[person.seat] <= seen
        needles += _secrets(name, known, _turned(events))
        control = Sieve((f"{nonce}", value) for value, nonce in known.nonces.items())
        assert control.found(evening.heard[f"wire of {name}"]) == {f"{each}" for each in _turned(events)}
    needles += [("token", token.encode()) for token in evening.tokens]
    needles += [("seal key", form) for form in forms(evening.seal_key)]
    sieve = Sieve(needles)
    for place, text in evening.heard.items():
        assert not sieve.found(text), place


def _turned(events: list[Event]) -> set[Nonce]:
    return {(e.data.shuffle, e.data.pos) for e in events if isinstance(e.data, CardExposed)}


def _check_log(left: Left, events: list[Event], known: Known) -> None:
    """A value of 32 bytes is where it belongs, and a nonce is that of the card which is turned with it."""
    for event, stored in zip(events, left.log, strict=True):
        values = values_in(stored)
        kinds = {known.names[value].decode().partition(" ")[0] for value in values}
        assert kinds <= TELLING.get(type(event.data), set()), event
        if isinstance(event.data, CardExposed):
            assert {known.nonces[value] for value in values} == {(event.data.shuffle, event.data.pos)}


def _check_replay(left: Left, events: list[Event]) -> dict[int, set[Nonce]]:
    """The log leads to what stands, is shown, is kept and is opened; by it, who has held which cards."""
    game, told = left.desk.game, replay(left.log)
    assert told.table == left.desk.state == left.opened
    assert left.view.startswith(encode(view(game, told.table))[:-1])
    kept = msgspec.msgpack.decode(left.kept[32:], type=_Kept) if left.kept else None
    held: dict[int, set[Nonce]] = {seat: set() for seat in told.table.seats}
    table = Table(log=told.table.log)
    for event in events:
        table = evolve(game, table, event)
        if kept is not None and table.seq + 1 == kept.range.size:
            assert form(game).unpack(kept.state) == table
        for seat in table.seats if table.playing and table.shoe else ():
            positions = {pos for hand in game.holds(table, seat) for pos in table.hands.get(hand, ())}
            held[seat] |= {(table.shoe.shuffle, pos) for pos in positions if table.shoe}
    assert kept is not None or len(events) < 2 * EVERY
    return held


def _secrets(table: str, known: Known, turned: set[Nonce]) -> Iterator[tuple[str, bytes]]:
    """What may stand nowhere: in no form if it is secret still, in no other than in the log if it was."""
    for value, nonce in known.nonces.items():
        public = value if nonce in turned else b""
        yield from (
            (f"{table} nonce {nonce}", f) for f in forms(bytes.fromhex(value.decode())) if f != public
        )
    for number, seed in known.seeds.items():
        public = seed.hex().encode() if number in known.revealed else b""
        yield from ((f"{table} seed {number}", form) for form in forms(seed) if form != public)
    for number, shoe in known.shoes.items():
        if number not in known.revealed:
            stream = kbkdf(known.seeds[number], "corte/1 shuffle", shoe.transcript.hash(), 64)
            yield from ((f"{table} stream", form) for form in forms(stream))
            yield from ((f"{table} order of {number}", form) for form in _orders(shoe))


def _orders(shoe: Shoe) -> Iterator[bytes]:
    """Cards in a row, as numbers, bytes or codes."""
    for first in range(shoe.deck.size - WINDOW):
        cards = shoe.order[first : first + WINDOW]
        yield from (between.join(map(str, cards)).encode() for between in (",", ", ", " "))
        yield from (between.join(map(shoe.deck.code, cards)).encode() for between in (",", '","', " "))
        yield bytes(cards)
        yield from (b"".join(card.to_bytes(2, order) for card in cards) for order in ("big", "little"))
