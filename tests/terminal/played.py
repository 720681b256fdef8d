"""A short evening at a table, played by the engine from a label: the same label, the same log.

The bank is small and the stop card high up, so that a few coups bring everything there is to tell: naturals,
a stake that is only partly covered, a coup without stakes, somebody leaving, the end of shoe and bank.
"""

from hashlib import sha256

from dealer.rules.bacara import commands as game
from dealer.rules.bacara.game import BACARA
from dealer.rules.frame import commands as cmd
from dealer.rules.frame.chance import Chance
from dealer.rules.frame.commands import Command, Internal
from dealer.rules.frame.event import Event
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table.aggregate import due, handle
from dealer.table.authority import Caller, Role, to_act
from dealer.table.view import hand, options, view

STACK = 1200
BANK = 400
STEP_MS = 30_000
COUPS = 6
EMPTY = 4
"""The coup nobody stakes in."""
HOST, ANNA, BERTO, CARLA, BOT = "pid_host", "pid_anna", "pid_berto", "pid_carla", "pid_bot"


class Evening:
    """The table, its clock and its log so far."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.table = Table(log="croupier.example/t/tbl_1")
        self.chance = Chance({})
        self.now = 1_790_000_000_000
        self.log: list[Event] = []

    def do(self, command: Command | Internal, pid: str = "croupier", role: Role = "system") -> None:
        """Send a command that must be taken, half a minute after the one before."""
        self.now += STEP_MS
        person = BOT if isinstance(command, cmd.SeatBot) else pid
        act = to_act(self.table, Caller(pid, role, person), command, self.now)
        assert not isinstance(act, Refusal), act
        done = handle(BACARA, self.table, self.chance, act)
        assert not isinstance(done, Refusal), (command, done)
        self.log += done.events
        self.table = done.table

    def sit_down(self) -> None:
        """Open the table, seat everybody, bring the chips."""
        seeds = tuple(sha256(f"{self.label} {n}".encode()).digest() for n in range(32))
        chosen = {"between_rounds_ms": 1000, "bot_think_ms": 0, "house_bank": BANK, "stop_card": 126}
        self.do(cmd.OpenTable("bacara", "seed", "dos-panos", chosen, seeds), HOST)
        self.do(cmd.Sit(seat=1), ANNA, "player")
        self.do(cmd.Sit(seat=11), BERTO, "player")
        self.do(cmd.SeatBot(seat=2, policy="steady"), HOST, "host")
        self.do(cmd.Join(), CARLA, "player")
        for place, pid in (("stack:1", ANNA), ("stack:11", BERTO), ("stack:2", BOT), ("stack:1001", CARLA)):
            self.do(cmd.Receive(STACK, place, pid, f"x_{self.now + STEP_MS}_1"))
        self.do(cmd.Receive(BANK, "bank", "house", f"x_{self.now + STEP_MS}_1"))

    def bots(self) -> None:
        """Let the bot on turn act."""
        for turn in due(BACARA, self.table):
            if turn.kind == "bot":
                (seat,) = turn.seats
                offered = options(BACARA, self.table, self.chance, seat)
                held = hand(BACARA, self.table, self.chance, seat)
                chosen = BACARA.policies["steady"](view(BACARA, self.table), held, offered)
                assert chosen is not None
                self.do(chosen, BOT, "bot")

    def stake(self) -> None:
        """Everybody stakes; on the left only while Berto is there."""
        number = self.table.round
        self.do(game.Stake(on="right", amount=20 + 5 * number), ANNA, "player")
        if 11 in self.table.seats:
            self.do(game.Stake(on="left", amount=30), BERTO, "player")
        self.bots()
        self.do(game.Stake(on="right", amount=15), CARLA, "player")
        if number % 2:
            self.do(game.Stake(on="left", amount=10), ANNA, "player")

    def withdraw(self) -> None:
        """Whatever a push left on the cloth goes back."""
        for lying in list(self.table.play.stakes.values()):
            pid = self.table.seats[lying.seat].pid
            self.do(game.Unstake(on=lying.on, amount=lying.amount), pid, "player")

    def speak(self) -> None:
        """Whoever is on turn says what he may; Berto lets his time run out in every second coup."""
        while self.table.phase.startswith("speak"):
            seat = due(BACARA, self.table)[0].seats[0]
            held = self.table.seats[seat]
            if held.bot:
                self.bots()
            elif held.pid == BERTO and self.table.round % 2 == 0:
                self.do(cmd.Expire(decision=self.table.decision()))
            else:
                legal = {option.type for option in options(BACARA, self.table, self.chance, seat)}
                self.do(game.Draw() if "draw" in legal else game.Stand(), held.pid, "player")

    def coup(self) -> None:
        """One coup, from the first call to the settlement."""
        if self.table.round == EMPTY:
            self.withdraw()
        else:
            self.stake()
        for _ in range(2):
            self.do(cmd.Expire(decision=self.table.decision()), HOST, "host")
        self.speak()


def play(label: str) -> list[Event]:
    """The log of a whole evening."""
    evening = Evening(label)
    evening.sit_down()
    while evening.table.playing:
        evening.coup()
        number = evening.table.round
        if number == COUPS - 1 and BACARA.may_leave(evening.table, 11):
            evening.do(cmd.Leave(), BERTO, "player")
        if number == COUPS or evening.table.phase != "between_rounds":
            break
        evening.do(cmd.Expire(decision=evening.table.decision()))
    return evening.log
