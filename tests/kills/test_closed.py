"""A connection that closes under a call's hands, as it does when the server dies at that moment."""

import asyncio
from pathlib import Path

import pytest

from dealer.journal.pipeline import CONNECTION_TROUBLE, connector
from ops.service import on_uvloop
from ops.valkey.client import UNREACHABLE, client
from ops.valkey.embedded import start


@pytest.mark.parametrize("trouble", [CONNECTION_TROUBLE, UNREACHABLE], ids=["journal", "store"])
def test_a_closed_connection_is_a_lost_one(tmp_path: Path, trouble: tuple[type[Exception], ...]) -> None:
    """Platform 2.4: uvloop's own word for it counts, or whoever brings the server back would end by it."""

    async def ask() -> None:
        server = await start(tmp_path)
        redis = client(server.path, retry=False)
        connection = connector(redis)()
        await connection.connect()  # type: ignore[no-untyped-call]  # as redis-py ships it
        writer = connection._writer
        assert writer is not None
        writer.transport.abort()
        await writer.wait_closed()
        with pytest.raises(trouble):
            await connection.send_packed_command([b"PING\r\n"])
        await redis.aclose()
        await server.stop()

    with asyncio.Runner(loop_factory=on_uvloop()) as runner:
        runner.run(ask())
