"""The bare fan-out does what it is compared for: append durably, then tell all who listen."""

import asyncio
import json
from pathlib import Path
from typing import cast

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from redis.asyncio import Redis

from dealer.http import frames
from dealer.rules.frame.commands import Sit
from dealer.rules.frame.event import encode
from ops.bench.broadcast import FRAME_BYTES, application
from ops.bench.fanout import EVENTS
from ops.bench.store import valkey
from ops.bench.yardstick import LIBRARY, Appender
from tests.bench.test_yardstick import PATH, STAKE
from tests.table.rig import Rig, stake


async def test_all_are_told_what_is_on_disk(tmp_path: Path) -> None:
    """Each listener gets one frame a command, with the event that was appended; who leaves gets no more."""
    async with valkey(tmp_path, None) as running, Redis(unix_socket_path=str(running.socket)) as store:
        await store.function_load(LIBRARY)
        client: TestClient[web.Request, web.Application]
        async with TestClient(TestServer(application(Appender(store)))) as client:
            server = cast("web.AppRunner", client.server.runner).server
            listening = [await client.get("/v1/tables/7/events") for _ in range(3)]
            for listener in listening:
                assert await listener.content.readuntil(b"\n\n") == frames.sync(0)
            for sequence in range(1, 4):
                key = {"Idempotency-Key": f"k-{sequence}"}
                answer = await client.post(PATH, data=STAKE, headers=key)
                assert (await answer.json())["last"] == sequence
                told = [await listener.content.readuntil(b"\n\n") for listener in listening]
                assert told[0] == told[1]
                assert len(told[0]) == FRAME_BYTES
                identity, kind, data, filler = told[0].rstrip().split(b"\n")
                assert (identity, kind, filler[:1]) == (b"id: %d" % sequence, b"event: event", b":")
                assert json.loads(data.removeprefix(b"data: "))["key"] == f"k-{sequence}"
                if sequence == 1:
                    listening.pop().close()
                    while server is not None and len(server.connections) == 4:
                        await asyncio.sleep(0)
        assert await store.xlen("t:7") == 3


def test_the_frame_is_as_large_as_the_services() -> None:
    """A stake brings two events, and they are about as many bytes as the bare fan-out tells (design 9)."""
    rig, player = Rig(house_bank=1_000), f"pid_{'0' * 32}"
    rig.send(Sit(seat=1), player, "player")
    rig.buy_in(1, 100)
    rig.fund()
    made = rig.send(stake("right", 1), player, "player")
    told = [frames.event(event.seq, encode(event)) for event in made]
    assert len(told) == EVENTS
    assert 0.8 * FRAME_BYTES < sum(map(len, told)) < 1.2 * FRAME_BYTES
