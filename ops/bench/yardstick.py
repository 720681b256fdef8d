"""The yardstick: the least a durable command through HTTP can cost on this stack.

Same aiohttp, uvloop and redis-py as the service, redis-py as shipped: default settings, hiredis, two
pipelines of whatever is waiting. A handler decodes a command, makes one durable append with idempotency and
answers. No rules, no access control, no metrics: what the service costs more than this is what it does more.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec
import uvloop
from aiohttp import web
from redis.asyncio import Redis

PIPELINES = 2
"""How many pipelines may be out at once; more only make them shorter."""

IDEMPOTENCY_TTL_MS = 24 * 3600 * 1000

LIBRARY = """#!lua name=yardstick
-- KEYS: stream, idempotency key. ARGV: its life in ms, channel, event.
-- Returns {sequence, 1 if it was written now, else 0}.
redis.register_function('yardstick_append', function(keys, argv)
  local known = redis.call('GET', keys[2])
  if known then
    return {tonumber(known), 0}
  end
  local sequence = redis.call('XLEN', keys[1]) + 1
  redis.call('XADD', keys[1], sequence .. '-0', 'e', argv[3])
  redis.call('SET', keys[2], sequence, 'PX', argv[1])
  redis.call('PUBLISH', argv[2], sequence)
  return {sequence, 1}
end)
"""

_FILLER = "." * 112
"""Brings an event to the size of an ordinary one, about 300 bytes."""


class Command(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A move, as far as the yardstick understands one."""

    amount: int = 0
    on: str = ""
    seat: int = 0
    type: str


class Event(msgspec.Struct, frozen=True, gc=False):
    """What is appended for a command."""

    actor: str
    at: int
    data: Command
    filler: str
    key: str
    log: str
    type: str
    v: int


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What the caller gets once the event is on disk."""

    code: str
    first: int
    last: int


_decode = msgspec.json.Decoder(Command).decode
_encode = msgspec.json.Encoder().encode


class Appending(Protocol):
    """Whatever appends a command's event."""

    def append(self, stream: str, key: str, channel: str, event: bytes) -> Awaitable[list[int]]:
        """Append one event durably; gives the sequence and whether it was new (1) or known (0)."""
        ...


class Appender:
    """Sends appends in pipelines: all that arrived while the earlier pipelines were out go together."""

    def __init__(self, store: Redis) -> None:
        self._idle = PIPELINES
        self._loop = asyncio.get_running_loop()
        self._store = store
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: list[tuple[tuple[Any, ...], asyncio.Future[list[int]]]] = []

    def append(self, stream: str, key: str, channel: str, event: bytes) -> asyncio.Future[list[int]]:
        """Append one event durably; the future gives the sequence and whether it was new (1) or known (0)."""
        future: asyncio.Future[list[int]] = self._loop.create_future()
        if not self._waiting:  # the first of a loop turn calls for a pipeline, the others of the turn join it
            self._loop.call_soon(self._depart)
        self._waiting.append(((stream, key, IDEMPOTENCY_TTL_MS, channel, event), future))
        return future

    def _depart(self) -> None:
        """Send what is waiting, if a pipeline is free."""
        if not self._waiting or not self._idle:
            return
        batch, self._waiting = self._waiting, []
        self._idle -= 1
        task = self._loop.create_task(self._carry(batch))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, batch: list[tuple[tuple[Any, ...], asyncio.Future[list[int]]]]) -> None:
        """Run one pipeline and hand each caller its own answer or error."""
        pipeline = self._store.pipeline(transaction=False)
        for arguments, _ in batch:
            pipeline.fcall("yardstick_append", 2, *arguments)
        try:
            replies: list[Any] = await pipeline.execute(raise_on_error=False)
        except Exception as error:  # noqa: BLE001 -- whatever it was, every caller of the batch must hear of it
            replies = [error] * len(batch)
        self._idle += 1
        self._depart()
        for (_, future), reply in zip(batch, replies, strict=True):
            if future.done():  # its caller went away
                continue
            if isinstance(reply, Exception):
                future.set_exception(reply)
            else:
                future.set_result(reply)


def application(appender: Appending) -> web.Application:
    """Make the server's one route."""

    async def handle(request: web.Request) -> web.Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return web.Response(status=400, text="Idempotency-Key is missing")
        try:
            command = _decode(await request.read())
        except msgspec.MsgspecError as error:
            return web.Response(status=400, text=str(error))
        table = request.match_info["id"]
        log = "yardstick/t/" + table
        event = Event(
            "pid_yardstick", int(time.time() * 1000), command, _FILLER, key, log, "command.accepted", 1
        )
        sequence, _ = await appender.append("t:" + table, "i:" + key, "c:" + table, _encode(event))
        return web.Response(
            body=_encode(Answer("accepted", sequence, sequence)), content_type="application/json"
        )

    app = web.Application()
    app.router.add_post("/v1/tables/{id}/commands", handle)
    return app


Make = Callable[[Appender], web.Application]


async def serve(port: int, socket: Path, make: Make) -> None:
    """Serve for ever; once ready, write the port that was taken to stdout as one line."""
    store = Redis(unix_socket_path=str(socket))
    await store.function_load(LIBRARY, replace=True)
    runner = web.AppRunner(make(Appender(store)), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, backlog=1024).start()
    sys.stdout.write(f"{runner.addresses[0][1]}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


def main(make: Make = application) -> None:
    """Run the yardstick as a process, or a server made of more than it."""
    parser = argparse.ArgumentParser(prog="python -m ops.bench.yardstick", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--socket", type=Path, required=True, help="Valkey's Unix socket")
    given = parser.parse_args()
    uvloop.run(serve(given.port, given.socket, make))


if __name__ == "__main__":
    main()
