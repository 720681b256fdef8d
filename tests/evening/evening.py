"""The evening itself: what happens at the table, scene by scene."""

import asyncio
import os
import signal
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self

from aiohttp import ClientSession

from dealer.croupier.tasks import end
from dealer.http.keyring import Keyring, Role
from dealer.journal import Journal
from ops.service import opened_store
from ops.settings import StoreSettings
from tests.evening.caller import Caller
from tests.evening.follower import Follower
from tests.evening.guest import Guest
from tests.ops.processes import Service

SEATS = {"ana": 1, "ben": 2, "carla": 11, "dan": 12}
BOTS = (3, 4)
CHIPS = 2_000
BANK = 1_000
OPTIONS = {
    "packs": 3,
    "bank_modes": ["volunteer", "auction", "lot"],
    "min_bank": 300,
    "corte": "optional",
    "cut_commit_ms": 5_000,
    "cut_reveal_ms": 5_000,
    "consent_ms": 5_000,
    "bank_offer_ms": 400,
    "auction_call_ms": 300,
    "betting_ms": 200,
    "last_call_ms": 50,
    "speak_ms": 1_000,
    "banker_ms": 3_000,
    "between_rounds_ms": 20,
    "bot_think_ms": 20,
}
"""No bank of the house, and short times: a real evening leaves the times as they are."""
KILL_AFTER_S = 0.002
"""A command is under way then, or just answered."""


class Evening:
    """The table and its people, who get up at the end of the block; what went wrong with one is raised.

    Attributes:
        hosts: two of them, since a void takes two.
        guests: by name.
        heard: what somebody hears who follows the table live.
        deaths: the log as it stood on disk after each kill.
    """

    def __init__(self, service: Service, session: ClientSession) -> None:
        self.table = ""
        self.hosts: list[Caller] = []
        self.guests: dict[str, Guest] = {}
        self.deaths: list[list[bytes]] = []
        self.heard: Follower
        self._service = service
        self._session = session
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._people = asyncio.TaskGroup()

    @property
    def callers(self) -> list[Caller]:
        """Everybody who says something."""
        return [*self.hosts, *self.guests.values()]

    # People come in.

    async def __aenter__(self) -> Self:
        await self._people.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks.values():
            task.cancel()
        await self._people.__aexit__(kind, error, trace)

    def _go(self, name: str, doing: Coroutine[Any, Any, None]) -> None:
        self._tasks[name] = self._people.create_task(doing)

    async def _keys(self, *wanted: tuple[Role, str]) -> list[str]:
        """New keys, which the service knows."""
        async with opened_store(StoreSettings(data=self._service.data)) as store:
            tokens = [(await Keyring(store.redis).add(role, account))[1] for role, account in wanted]
        for token in tokens:
            await Caller("", token, self._service, self._session).known()
        return tokens

    async def begun(self, mode: str = "dos-panos", **chosen: Any) -> None:
        """Two hosts open a table; bots and guests sit down, and guests play by themselves from now on."""
        hugo, hanna, auditor = await self._keys(("host", ""), ("host", ""), ("auditor", ""))
        for name, key in (("hugo", hugo), ("hanna", hanna)):
            self.hosts.append(Caller(name, key, self._service, self._session))
        host = self.hosts[0]
        options = chosen or OPTIONS
        body = {"game": "bacara", "profile": "seed", "mode": mode, "options": options}
        self.table = f"/v1/tables/{(await host.make('/v1/tables', body))['table']}"
        self.heard = Follower(auditor, self.table, self._service, self._session)
        self._go("follower", self.heard.follow())
        log = (await self.heard.next("table.opened"))["log"]
        for seat in BOTS:
            await self.host({"type": "seat_bot", "seat": seat, "policy": "steady"})
            await self.host({"type": "buy_in", "seat": seat, "amount": 300})
        accounts = []
        for name in SEATS:
            accounts.append((await host.make("/v1/accounts", {"external_ref": name}))["account"])
            await host.make("/v1/transfers", {"from": "house", "to": accounts[-1], "amount": CHIPS})
        keys = await self._keys(*(("player", account) for account in accounts))
        for (name, seat), key in zip(SEATS.items(), keys, strict=True):
            guest = Guest(name, key, seat, self._service, self._session)
            self.guests[name] = guest
            await guest.make(self.commands, {"type": "sit", "seat": seat})
            await guest.make(self.commands, {"type": "buy_in", "amount": CHIPS - 200})
        for name, guest in self.guests.items():
            self._go(name, guest.play(self.table, log))

    @property
    def commands(self) -> str:
        """Where commands go."""
        return f"{self.table}/commands"

    async def host(self, command: Any, number: int = 0) -> Any:
        """What a host does, who is right."""
        return await self.hosts[number].make(self.commands, command)

    async def insist(self, who: Caller, command: Any) -> None:
        """Say it until it is the moment for it."""
        while (await who.say(self.commands, command))[0] != 200:
            await asyncio.sleep(0.02)

    async def willing(self, *names: str) -> None:
        """These people take part in the cuts from now on."""
        for name in names:
            await self.guests[name].make(self.commands, {"type": "set_cut_willing", "willing": True})

    # The scenes.

    async def first_bank(self) -> None:
        """Ana offers a bank, and all others consent. Her shoe's first cut fails: Dan does not reveal."""
        await self.willing("ben", "carla", "dan")
        self.guests["dan"].shut = True
        self.guests["ana"].wants = {"offer_bank": BANK}
        await self.heard.next("bank.constituted", mode="volunteer")
        aborted = await self.heard.next("corte.aborted")
        self.guests["dan"].shut = False
        await self.heard.next("shoe.sealed", after=aborted["seq"])
        await self.willing("ana")
        await self.coups(1)

    async def coups(self, number: int) -> None:
        """Let some coups go by."""
        at = self.heard.last
        for _ in range(number):
            at = (await self.heard.next("round.ended", after=at))["seq"]

    async def killed(self, name: str, *kinds: str, power_cut: bool = False) -> None:
        """The service dies while a command of this person is under way, and comes back on the same data.

        The banker holds his tongue meanwhile, so that the coup is not over. A power cut takes Valkey along.
        """
        banker, guest = await self._banker(), self.guests[name]
        dead = asyncio.Event()

        def kill() -> None:
            valkey = self._service.valkey()
            self._service.kill()
            if power_cut:
                os.kill(valkey, signal.SIGKILL)
            dead.set()

        def warned() -> None:
            guest.before, banker.silent = {}, True
            asyncio.get_running_loop().call_later(KILL_AFTER_S, kill)

        guest.before = dict.fromkeys(kinds, warned)
        await dead.wait()
        self.deaths.append(await self._on_disk())
        banker.silent = False
        await asyncio.to_thread(self._service.start)
        await self.heard.next("round.ended", after=len(self.deaths[-1]) - 1)

    async def voided(self) -> None:
        """Two hosts void a coup whose cards are out; the banker is not asked to hurry."""
        banker = await self._banker()
        banker.silent = True
        proposal = {"type": "propose_correction", "kind": "void_round"}
        at, status = self.heard.last, 0
        while status != 200:
            at = (await self.heard.next("card.dealt", after=at))["seq"]
            status, _ = await self.hosts[0].say(self.commands, proposal)
        approval = {"type": "approve_correction", "kind": "void_round"}
        status, refused = await self.hosts[0].say(self.commands, approval)
        assert (status, refused["code"]) == (409, "second_person_needed")
        await self.host(approval, 1)
        banker.silent = False
        await self.heard.next("round.voided", after=at)

    async def dropped(self) -> None:
        """Dan may not leave in mid-coup, and drops out: his hand is played for him, and a host gets him up.

        Carla does not stake meanwhile, so that the hand of the left paño is his.
        """
        dan, carla = self.guests["dan"], self.guests["carla"]
        carla.stakes, dan.silent = False, True
        code = ""
        while code != "wrong_phase":
            view = await dan.see(self.table)
            if view["playing"] and any(stake["seat"] == dan.seat for stake in view["stakes"]):
                leave = {"type": "leave", "decision": view["due"][0]["decision"]}
                code = (await dan.say(self.commands, leave))[1]["code"]
        at = self.heard.last
        await self.heard.next("hand.drew", "hand.stood", after=at, seat=dan.seat, source="timeout")
        await end(self._tasks.pop(dan.name))
        carla.stakes = True
        await self.insist(self.hosts[0], {"type": "leave", "seat": dan.seat})

    async def auctioned(self) -> None:
        """Ana ends her bank by will; nobody offers another, and Carla outbids Ben."""
        self.guests["ana"].wants = {}
        self.guests["ben"].wants = {"bid_bank": BANK - 250}
        self.guests["carla"].wants = {"bid_bank": BANK}
        await self._given_up()
        banked = await self.heard.next("bank.constituted", mode="auction")
        assert banked["data"]["banker"] == self.guests["carla"].seat
        await self.coups(2)

    async def drawn(self) -> None:
        """Carla ends hers; nobody offers or bids, and Ana and Ben draw lots."""
        for guest in self.guests.values():
            guest.wants = {}
        for name in ("ana", "ben"):
            self.guests[name].wants = {"enter_lot": 1, "accept_bank": BANK}
        await self._given_up()
        await self.heard.next("lot.drawn")
        await self.heard.next("bank.constituted", mode="lot")
        await self.coups(1)

    async def _given_up(self) -> None:
        (await self._banker()).wants["end_bank"] = 1
        await self.heard.next("bank.ended", after=self.heard.last, reason="will")

    async def finished(self) -> None:
        """The shoe is played to its stop card, the next one is cut by three; then the table is closed."""
        stopped = await self.heard.next("stop_card.reached")
        await self.heard.next("shoe.sealed", after=stopped["seq"])
        await self.coups(2)
        await self.host({"type": "close_table"})
        await self.heard.next("table.closed")

    async def _banker(self) -> Guest:
        seat = (await self.hosts[0].see(self.table))["banker"]
        return next(guest for guest in self.guests.values() if guest.seat == seat)

    async def _on_disk(self) -> list[bytes]:
        async with opened_store(StoreSettings(data=self._service.data)) as store:
            journal = Journal(store.redis)
            await journal.open()
            stored = await journal.read(f"t/{self.table.rpartition('/')[2]}")
            await journal.close()
        return list(stored)
