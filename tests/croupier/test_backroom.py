"""Deep bots think in a process of their own (design 3)."""

import asyncio
import io
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from structlog.typing import EventDict

from dealer.croupier.backroom import Backroom, BotFailed, NotAsked
from dealer.croupier.node import Node, created_id
from dealer.croupier.tables import TableDesk
from dealer.croupier.thinker import LENGTH_BYTES, Question, Thought, framed, main
from dealer.rules.butifarra.events import (
    BidPassed,
    TrumpContested,
    TrumpDelegated,
    TrumpInsisted,
    TrumpNamed,
)
from dealer.rules.frame.commands import OpenTable, SeatBot, Sit
from dealer.rules.frame.game import Deep, Option
from dealer.rules.registry import GAMES
from dealer.rules.tricks.events import CardPlayed
from dealer.table.aggregate import codec
from dealer.table.practice import Practice
from dealer.table.view import hand, options, recalled
from tests.croupier.spy import until
from tests.croupier.world import HOST, World, act, fresh, order

GAME = GAMES["butifarra"]
ACTS = (BidPassed, CardPlayed, TrumpContested, TrumpDelegated, TrumpInsisted, TrumpNamed)
NO_CLOCK = {"bid_ms": 0, "play_ms": 0, "bot_think_ms": 1, "first_dealer": 1, "corte": "off"}


def _question(policy: str = "steady") -> Question:
    """A dealer's turn in the bidding."""
    table = Practice(GAME, "seed", "", {"first_dealer": 1}, 1)
    while table.view()["turn"] != 1:
        table.wait()
    held = [dict(card) for card in table.hand(1)]
    return Question(GAME.id, policy, dict(table.view()), held, list(table.options(1)))


def _always() -> bool:
    """The choice is wanted."""
    return True


def _process(room: Backroom) -> asyncio.subprocess.Process:
    """The process that thinks there."""
    assert room._thinker is not None
    return room._thinker.process


@pytest.fixture
async def room() -> AsyncIterator[Backroom]:
    """One that is closed afterwards."""
    room = Backroom()
    yield room
    await room.close()


async def _seated(world: World, node: Node) -> TableDesk:
    """A table where a person deals and deep bots sit around."""
    key = fresh("open_")
    table = created_id("tbl", HOST, key)
    opening = OpenTable(GAME.id, "seed", "", NO_CLOCK, ())
    assert (await node.create_table(order(node, opening, key=key), table)).accepted
    await act(node, table, Sit(seat=1), await world.account(node))
    for seat in (2, 3, 4):
        await act(node, table, SeatBot(seat=seat, policy="steady"))
    desk = await node.table(table)
    await until(lambda: desk.state.phase == "bidding")
    return desk


async def test_nobody_waits_while_a_bot_thinks(
    world: World, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """The node asks another process for what a deep bot does; killed, it is made anew and no turn is lost."""

    def here(*_: Any) -> None:
        raise AssertionError("a deep bot thinks where others wait")

    known = GAME.policies["steady"]
    monkeypatch.setattr(GAME, "policies", {"steady": Deep(here)})
    node = await world.node()
    desk = await _seated(world, node)
    person = desk.principal_of(desk.state.seats[1].pid)
    killed: set[int] = set()
    while len(desk.state.play.taken) < 2:
        if desk.state.play.turn == 1:
            seen = recalled(GAME, desk.state), hand(GAME, desk.state, desk.chance, 1)
            command = known(*seen, options(GAME, desk.state, desk.chance, 1))
            assert command is not None
            await act(node, desk.aggregate.removeprefix("t/"), command, person)
        elif desk.state.play.taken and not killed:
            killed.add(_process(node._backroom).pid)
            os.kill(min(killed), signal.SIGKILL)
        await until(lambda: desk.state.play.turn == 1 or len(desk.state.play.taken) > len(killed))
    events = [codec(GAME).decode(stored).data for stored in await world.plain.read(desk.aggregate)]
    acted = [(each.seat, each.source) for each in events if isinstance(each, ACTS)]
    assert {source for seat, source in acted if seat > 1} == {"bot"}
    assert len([each for each in events if isinstance(each, CardPlayed)]) >= 8
    assert [e["code"] for e in logs if e["event"] == "thinker_died"] == [-signal.SIGKILL]
    process = _process(node._backroom)
    assert process.pid not in killed
    await node.close()
    assert process.returncode == -signal.SIGKILL


async def test_questions_are_answered_as_the_bot_would(room: Backroom) -> None:
    """What comes of the other process is what the policy says; one process answers all questions in turn."""
    asked = _question()
    commands = await asyncio.gather(*(room.choose(GAME, asked, _always) for _ in range(3)))
    assert commands == 3 * [GAME.policies["steady"](asked.view, asked.hand, asked.options)]


async def test_a_bot_that_fails(room: Backroom) -> None:
    """What goes wrong in the other process is named here, without a word about cards; then it goes on."""
    with pytest.raises(BotFailed, match=r"^KeyError$"):
        await room.choose(GAME, _question("unknown"), _always)
    process = _process(room)
    asked = _question("quick")
    assert await room.choose(GAME, asked, _always) == GAME.policies["quick"](
        asked.view, asked.hand, asked.options
    )
    assert _process(room) is process


async def test_an_answer_nobody_waits_for(room: Backroom) -> None:
    """A question that is dropped takes its process along, so that the next one gets its own answer."""
    dropped = asyncio.create_task(room.choose(GAME, _question(), _always))
    await until(lambda: room._thinker is not None)
    dropped.cancel()
    await asyncio.wait({dropped})
    assert dropped.cancelled()
    assert room._thinker is None


async def test_a_turn_that_is_over_costs_nothing(room: Backroom) -> None:
    """A question that waited while its turn ended is not thought about: others wait behind it."""
    with pytest.raises(NotAsked):
        await room.choose(GAME, _question(), lambda: False)
    assert room._thinker is None


async def test_a_process_that_hangs(
    room: Backroom, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """One that says nothing is taken for dead: it is ended and the question asked again; so at closing."""
    asked = _question("quick")
    answer = await room.choose(GAME, asked, _always)
    hanging = _process(room)
    hanging.send_signal(signal.SIGSTOP)
    patience = iter((0.1, 60.0))

    def wanted() -> bool:
        monkeypatch.setattr("dealer.croupier.backroom._PATIENCE_S", next(patience))
        return True

    assert await room.choose(GAME, asked, wanted) == answer
    assert hanging.returncode == -signal.SIGKILL
    assert [e["code"] for e in logs if e["event"] == "thinker_died"] == [-signal.SIGKILL]
    _process(room).send_signal(signal.SIGSTOP)
    waiting = asyncio.create_task(room.choose(GAME, asked, _always))
    await asyncio.sleep(0)
    await room.close()
    with pytest.raises(NotAsked):
        await waiting


async def test_a_process_that_cannot_live(
    room: Backroom, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """After a few tries the turn is given up; its deadline comes again."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(BotFailed):
        await room.choose(GAME, _question(), _always)
    assert len([e for e in logs if e["event"] == "thinker_died"]) == 3


def test_it_ends_with_whoever_asks() -> None:
    """A process that is killed leaves none behind that thinks for it and would still hold its errors open."""
    script = (
        "import asyncio\n"
        "from dealer.croupier.backroom import Backroom\n"
        "async def main():\n"
        "    await Backroom()._start()\n"
        "    print('started', flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as asking:
        assert asking.stdout is not None
        assert asking.stdout.readline() == b"started\n"
        asking.kill()
        assert asking.communicate(timeout=60)[1] == b""


def test_the_thinker_by_itself() -> None:
    """It answers one question after the other and ends with its input; nothing to do is an answer too."""
    nothing = Question(GAME.id, "quick", {}, [], [Option("concede")])
    questions = io.BytesIO(framed(nothing) + framed(_question("unknown")))
    thoughts = io.BytesIO()
    main(questions, thoughts)
    assert thoughts.getvalue() == framed(Thought()) + framed(Thought(trouble="KeyError"))
    assert len(framed(Thought())) > LENGTH_BYTES
