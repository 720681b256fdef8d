"""Where deep bots think: in a process of their own, so that nobody waits at the tables meanwhile.

Only this process holds the other end of its input; when this one is gone, even killed, it ends by itself.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Union

import msgspec
import structlog

from dealer.croupier.thinker import LENGTH_BYTES, Question, Thought, framed
from dealer.rules.frame.commands import Command
from dealer.rules.frame.game import Game

_PROGRAM = ("-P", "-m", "dealer.croupier.thinker")
_TRIES = 3
_PATIENCE_S = 10.0
"""A choice takes a fraction of a second; a process that says nothing for so long is taken for dead."""

log = structlog.get_logger()


class BotFailed(Exception):
    """A bot could not think: an exception of the policy, named, or a process that dies again and again."""


class NotAsked(Exception):
    """Nobody waits for the choice any more: the turn is over, or the house closes."""


class _Thinker(NamedTuple):
    process: Process
    questions: asyncio.StreamWriter
    thoughts: asyncio.StreamReader


class Backroom:
    """The one process of a node; it is started for the first question, and anew when it has died."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Lock()
        self._thinker: _Thinker | None = None
        self._closed = False

    async def choose(self, game: Game, question: Question, wanted: Callable[[], bool]) -> Command | None:
        """What the bot does; questions are answered in the order in which they come.

        Args:
            game: whose bot it is.
            question: its turn.
            wanted: whether it still is; a turn that ended while others were thought about costs nothing.

        Raises:
            BotFailed: nothing came of it.
            NotAsked: nothing is wanted of it any more.
        """
        async with self._one_at_a_time:
            for _ in range(_TRIES):
                if self._closed or not wanted():
                    raise NotAsked
                thinker = self._thinker or await self._start()
                try:
                    async with asyncio.timeout(_PATIENCE_S):
                        thought = await _ask(thinker, question)
                except (ConnectionError, TimeoutError, asyncio.IncompleteReadError) as trouble:
                    if isinstance(trouble, TimeoutError):
                        _kill(thinker)
                    await self._end()
                    if self._closed:
                        raise NotAsked from None
                    log.warning("thinker_died", code=thinker.process.returncode)
                except BaseException:  # an answer nobody waits for would be taken for the next one
                    await self._end()
                    raise
                else:
                    return _command(game, thought)
        raise BotFailed("its process dies again and again")

    async def close(self) -> None:
        """End the process; whatever was asked is asked again by whoever opens the house next."""
        self._closed = True
        if self._thinker is not None:
            _kill(self._thinker)
        async with self._one_at_a_time:
            await self._end()

    async def _start(self) -> _Thinker:
        """In a session of its own, or the terminal's Ctrl-C would end it under a draining service."""
        found = os.pathsep.join(path for path in sys.path if path)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *_PROGRAM,
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": found},
        )
        if process.stdin is None or process.stdout is None:
            raise ValueError("a process without the pipes that were asked for")
        self._thinker = _Thinker(process, process.stdin, process.stdout)
        return self._thinker

    async def _end(self) -> None:
        """At the end of its input it ends; what it still says is for nobody."""
        thinker, self._thinker = self._thinker, None
        if thinker is not None:
            thinker.questions.close()
            await thinker.thoughts.read()
            await thinker.process.wait()


def _kill(thinker: _Thinker) -> None:
    """End one that may hang; it keeps nothing."""
    with suppress(ProcessLookupError):
        thinker.process.kill()


async def _ask(thinker: _Thinker, question: Question) -> Thought:
    thinker.questions.write(framed(question))
    await thinker.questions.drain()
    length = int.from_bytes(await thinker.thoughts.readexactly(LENGTH_BYTES), "big")
    return msgspec.msgpack.decode(await thinker.thoughts.readexactly(length), type=Thought)


def _command(game: Game, thought: Thought) -> Command | None:
    if thought.trouble:
        raise BotFailed(thought.trouble)
    if thought.command is None:
        return None
    kinds: object = Union[tuple(game.commands)]  # noqa: UP007 - made of what the game knows
    command: Command = msgspec.convert(thought.command, kinds)
    return command
