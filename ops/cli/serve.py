"""`croupier serve` and `croupier config`."""

import asyncio
import os
import signal
import sys
from contextlib import ExitStack
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from ops import logs
from ops.demo import Demo
from ops.service import House, PortTaken, on_uvloop, running
from ops.settings import Settings
from ops.terminal.printer import Printer
from ops.valkey.directory import SERVICE_LOG, prepare
from ops.valkey.refused import StoreRefused

_DEFAULTS = Settings()


def serve(
    *,
    settings: Settings = _DEFAULTS,
    demo: Annotated[bool, Parameter(negative=())] = False,
    lang: Literal["es", "en"] = "es",
) -> int:
    """Run the service until it is told to stop (Ctrl-C, SIGTERM); then drain and stop.

    Args:
        settings: how the service runs.
        demo: also run a demonstration table of bots and tell its coups on the terminal.
        lang: language of the demonstration.
    """
    with ExitStack() as files:
        try:
            stream = sys.stderr
            if demo:
                path = prepare(settings.data) / SERVICE_LOG
                stream = files.enter_context(path.open("a", encoding="utf-8"))
            logs.set_up(settings.log_level, stream)
            with asyncio.Runner(loop_factory=on_uvloop()) as runner:
                runner.run(_serve(settings, lang if demo else ""))
        except (StoreRefused, PortTaken) as refused:
            print(f"croupier: {refused}", file=sys.stderr)
            return 1
    return 0


async def _serve(settings: Settings, lang: str) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with running(settings) as house:
        if not lang:
            print(f"croupier listens on {house.address}", flush=True)
            await stop.wait()
            return
        await _demonstrate(house, lang, stop)


async def _demonstrate(house: House, lang: str, stop: asyncio.Event) -> None:
    printer = Printer(sys.stdout, lang, os.environ)
    printer.header(house.address)
    playing = asyncio.create_task(Demo(house.node, printer).run())
    stopping = asyncio.create_task(stop.wait())
    done, _ = await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
    playing.cancel()
    stopping.cancel()
    await asyncio.gather(playing, stopping, return_exceptions=True)
    if playing in done:
        playing.result()


def config(*, settings: Settings = _DEFAULTS) -> None:
    """Show the settings in force, from flags and environment, as JSON.

    Args:
        settings: how the service would run.
    """
    shown = {**msgspec.to_builtins(settings, builtin_types=(), enc_hook=str)}
    if settings.redis:
        shown["redis"] = "(set)"
    print(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())
