"""A public script, played at several tables of one service, and all that anybody hears of it."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest

from dealer.croupier.refused import SEALED
from dealer.croupier.tables import TableDesk
from dealer.http.answers import encode
from dealer.journal.wire import decode_record
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import CardExposed
from dealer.rules.frame.state import Table
from dealer.table.aggregate import codec, replay
from dealer.table.view import view as view_of
from tests.journal.server import Server
from tests.secrecy import doors, sinks
from tests.secrecy.games import TRIALS
from tests.secrecy.guest import Guest
from tests.secrecy.known import Known, codes_in, values_in
from tests.secrecy.trial import HOST, Trial
from tests.secrecy.wire import Wire
from tests.secrecy.world import STEP_MS, World, opened

WORLDS = ("one", "other")
OFTEN = 0.25
"""At so many of the points at which cards lie face down, commands are tried that nobody is offered."""
_TIME_OF_DAY = re.compile(r'"timestamp":"[^"]*"')
_OF_TIME = re.compile(rb"^(croupier_append_(seconds|batch)_|Content-Length).*$", re.MULTILINE)
"""Among the figures: how long something took, what had to wait meanwhile, and how many digits that has."""
_FEED_ID = re.compile(rb"\b[0-9]{13}-[0-9]+\b")
_BY_CLOCK = (b":pulse", b":gaps")
"""Keys that hold the engine's own time."""


class Told(msgspec.Struct, frozen=True):
    """One world, as all who are in it hear of it.

    Attributes:
        heard: by name, in order: what was asked, and the answer.
        names: of all values in any of it that depend on a seed.
    """

    heard: Mapping[str, Sequence[tuple[str, bytes]]]
    names: Mapping[bytes, bytes]


class _Page(msgspec.Struct):
    events: list[msgspec.Raw]


class Played:
    """A table while its script is played.

    Attributes:
        guests: by seat.
        name: what it is called in both worlds.
        over: whether the script is at its end.
        wires: what goes to each who follows the table, by name.
    """

    def __init__(self, world: World, trial: Trial, name: str) -> None:
        self.guests: dict[int, Guest] = {}
        self.name = name
        self.over = False
        self.wires: dict[str, Wire] = {}
        self._world = world
        self._trial = trial
        self._shown: dict[int, str] = {}
        self._known: Known | None = None
        self._events: list[Event] = []
        self._phase = (0, "")

    async def open(self, which: int, stack: AsyncExitStack) -> None:
        """Open the table and let people and bots sit down; everybody follows it."""
        world, host = self._world, self._world.hosts[0]
        self._id = await world.table(self._trial.body, self._trial.shoes[which])
        self._path = f"/v1/tables/{self._id}"
        self._desk: TableDesk = await world.node.table(self._id)
        self._told = Table(log=self._desk.state.log)
        for seat, chips in self._trial.people.items():
            self.guests[seat] = guest = await world.player(chips)
            await self._give(guest, {"type": "sit", "seat": seat})
            await self._give(guest, {"type": "buy_in", "amount": chips})
        for seat, chips in self._trial.bots.items():
            await self._give(host, {"type": "seat_bot", "seat": seat, "policy": self._trial.policy})
            await self._give(host, {"type": "buy_in", "seat": seat, "amount": chips})
        watching = {"host": host, "auditor": world.auditor, "spectator": world.spectator}
        for name, guest in {**watching, **self.named()}.items():
            self.wires[name] = await stack.enter_async_context(world.follow(guest, self._id))

    async def _give(self, guest: Guest, command: Mapping[str, Any]) -> None:
        await guest.made(f"{self._path}/commands", command)

    def named(self) -> dict[str, Guest]:
        """Who sits here."""
        return {f"{self.name} seat {seat}": guest for seat, guest in self.guests.items()}

    @property
    def known(self) -> Known:
        """What is secret here, and what follows from it."""
        return Known(self._desk, self._events)

    async def step(self, chance: random.Random) -> None:
        """One command, and before it everything that can be read and tried."""
        host = self._world.hosts[0]
        self._world.now += STEP_MS
        view = await host.seen(self._path)
        if not self._trial.over(view):
            await self._world.ring(self._id)
            view = await host.seen(self._path)
        for seat in self._trial.insiders(view):
            if seat in self.guests:
                self.guests[seat].inside = True
        await self._replay()
        if self._phase != (phase := (view["round"], view["phase"])):
            self._phase = phase
            await self._look(view, chance)
        lies = any("" in hand for hand in view["hands"].values())
        if self._trial.over(view) or (lies and chance.random() < OFTEN):
            await self._try(view, chance)
        if self._trial.over(view):
            await self._blunder(view)
            await self._end(chance)
        else:
            options = {seat: await self._options(guest) for seat, guest in self.guests.items()}
            given = self._trial.act(chance, view, options)
            if given is not None:
                seat, command = given
                await self._give(host if seat == HOST else self.guests[seat], command)

    async def _options(self, guest: Guest, seat: int = 0) -> Any:
        told = await guest.seen(f"{self._path}/options" + (f"?seat={seat}" if seat else ""))
        return told["options"]

    def _outsiders(self) -> list[Guest]:
        return [guest for guest in self.guests.values() if not guest.inside]

    async def _look(self, view: Any, chance: random.Random) -> None:
        """Everybody looks, and somebody reads all there is; nobody finds a card not open and not his own."""
        world, state = self._world, self._desk.state
        hidden = [pos for hand in state.hands.values() for pos in hand if pos not in self._shown]
        readers = [world.hosts[0], world.auditor, world.spectator, *self._outsiders()]
        everything = chance.choice(readers)
        for guest in readers:
            asked = doors.first(self._path)
            if guest is everything:
                asked += doors.others(self._path, view, hidden[:1])
            if guest is readers[1]:
                asked += doors.of_house(self._path, view)
            before = len(guest.heard)
            await guest.all(asked)
            self._check(b"".join(answer for _, answer in guest.heard[before:]), guest)
        await world.stranger.all(doors.OF_ALL)

    async def _replay(self) -> None:
        """The log, as anybody may read it, gives the state and its view, byte for byte (fairness 2.7)."""
        auditor, game, seq = self._world.auditor, self._desk.game, self._told.seq
        page = await auditor.ask("GET", f"{self._path}/events?limit=500&after={seq}")
        raw = msgspec.json.decode(page.partition(b"\n\n")[2], type=_Page).events
        events = list(map(codec(game).decode, map(bytes, raw)))
        self._events += events
        self._told = replay(game, self._told, events)
        assert self._told == self._desk.state
        shown = await auditor.ask("GET", self._path)
        told = encode(view_of(game, self._told))
        assert shown.partition(b"\n\n")[2].startswith(told[:-1]), (
            "what follows is of the house, not the table"
        )
        deck = self._told.deck
        for event in events:
            if isinstance(event.data, CardExposed) and deck is not None:
                self._shown[event.data.pos] = deck.code(event.data.card)
        if self._known is None and self._told.shoe is not None:
            self._known = self.known

    def _check(self, text: bytes, guest: Guest) -> None:
        state, known = self._desk.state, self._known
        if known is None or state.shoe is None:
            return
        seat = next((seat for seat, each in self.guests.items() if each is guest), 0)
        hands = self._desk.game.holds(state, seat) if seat else ()
        shoe = self._desk.chance.current(state.shoe)
        own = {pos for hand in hands for pos in state.hands.get(hand, ())}
        positions = {known.nonces[value][1] for value in values_in(text) if value in known.nonces}
        assert positions <= self._shown.keys() | own
        codes = codes_in(text)
        assert codes <= {*self._shown.values(), *(shoe.deck.code(shoe.card(pos)) for pos in own)}

    async def _try(self, view: Any, chance: random.Random) -> None:
        """Some try all they are not told is legal, a host in the name of whoever is on turn."""
        host, other = self._world.hosts
        chores = {option.type for option in self._desk.game.host_options(self._desk.state)}
        awaited = {seat for due in view["due"] for seat in due["seats"]}
        for seat in awaited | {chance.choice(view["seats"])["seat"]}:
            told = await self._options(host, seat)
            await host.all(doors.tries(self._desk.game, self._path, told, seat, chores))
        for guest in dict.fromkeys(
            (self._world.spectator, *chance.choices([other, *self._outsiders()], k=2))
        ):
            told = await self._options(guest)
            await guest.all(doors.tries(self._desk.game, self._path, told, also=chores))
        after = await host.seen(self._path)
        assert after == view, "a refusal has changed something"
        await doors.pause_and_propose(self._path, host, other)

    async def _blunder(self, view: Any) -> None:
        """An insider on turn says every bare word that his cards do not allow, and nobody can tell which."""
        hidden = {
            str(kind.__struct_config__.tag)
            for kind in self._desk.game.commands
            if kind.HIDDEN and not any(field.required for field in msgspec.structs.fields(kind))
        }
        for guest in (self.guests.get(seat) for due in view["due"] for seat in due["seats"]):
            if guest is not None and guest.inside:
                allowed = {option["type"] for option in await self._options(guest)}
                for word in sorted(hidden - allowed):
                    answer = await guest.ask("POST", f"{self._path}/commands", {"type": word})
                    assert answer.startswith(b"409"), answer

    async def _end(self, chance: random.Random) -> None:
        """Two hosts void the round, unless its shoe ends with it, and nobody sees what lay there."""
        host, other = self._world.hosts
        if self._trial.voids:
            await self._give(host, {"type": "propose_correction", "kind": "void_round"})
            await self._give(other, {"type": "approve_correction"})
        await self._replay()
        await self._look(await host.seen(self._path), chance)
        for wire in self.wires.values():
            await wire.heard(self._desk.state.seq)
        self.over = True

    def followed(self) -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
        """What went over each wire; of an insider's the public part."""
        guests = self.named()
        for name, wire in self.wires.items():
            inside = name in guests and guests[name].inside
            chunks = wire.chunks(private=not inside)
            yield f"{self.name} wire of {name}", [(str(n), chunk) for n, chunk in enumerate(chunks)]


async def play(server: Server, luck: int, which: int, patch: pytest.MonkeyPatch) -> Told:
    """Play the script of that number in one of the worlds."""
    chance = random.Random(luck)  # noqa: S311 - the same script in both worlds
    trials = [make(chance) for make in TRIALS]
    async with opened(server, WORLDS[which], patch) as world, AsyncExitStack() as stack:
        tables = [Played(world, trial, f"table {n}") for n, trial in enumerate(trials)]
        for table in tables:
            await table.open(which, stack)
        while playing := [table for table in tables if not table.over]:
            await chance.choice(playing).step(chance)
        await world.stranger.ask("GET", "/openapi.json")
        people = {"host": world.hosts[0], "other host": world.hosts[1], "auditor": world.auditor}
        people |= {"spectator": world.spectator, "stranger": world.stranger}
        names: dict[bytes, bytes] = {}
        heard: dict[str, Sequence[tuple[str, bytes]]] = {}
        for table in tables:
            people |= table.named()
            heard |= dict(table.followed())
            names |= {
                value: b"%b %b" % (table.name.encode(), name) for value, name in table.known.names.items()
            }
        heard |= {
            name: [(asked, _timeless(asked, told)) for asked, told in guest.heard]
            for name, guest in people.items()
        }
        heard["log"] = [
            ("", line.encode()) for line in _TIME_OF_DAY.sub("", world.log.getvalue()).splitlines()
        ]
        heard["store"] = [
            (repr(key), _kept(key, parts))
            for key, parts in sorted((await sinks.stored(world.redis)).items())
            if not key.endswith(_BY_CLOCK)
        ]
        return Told(heard, names)


def _timeless(asked: str, told: bytes) -> bytes:
    return _OF_TIME.sub(b"", told) if "/metrics" in asked else told


def _kept(key: bytes, parts: Sequence[bytes]) -> bytes:
    """What is stored under a key, without the engine's time; of what is sealed, how long it is."""
    if b":sec:" in key:
        parts = [b"%d" % len(part) for part in parts]
    elif b":idem:" in key:
        parts = [_record(part) for part in parts]
    return _FEED_ID.sub(b"", b"\n".join(parts))


def _record(stored: bytes) -> bytes:
    record = decode_record(stored)
    return b"%d" % len(stored) if record.body_hash == SEALED else stored
