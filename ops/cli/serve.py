"""`croupier serve`: the service, until it is told to stop."""

import asyncio
import contextlib
import os
import resource
import signal
import socket
import sys
from collections.abc import Coroutine
from contextlib import ExitStack
from types import FrameType
from typing import Any

import structlog

from dealer.croupier.tasks import end
from dealer.journal.errors import JournalError
from ops import logs, metrics
from ops.cli.output import Unwritten, writing
from ops.demo import Demo
from ops.figures import shared_figures
from ops.service import on_uvloop, running
from ops.settings import ServeSettings, Settings
from ops.stopping import STOPPING, heeded
from ops.terminal.printer import Printer
from ops.valkey.directory import SERVICE_LOG, prepare
from ops.valkey.refused import StoreRefused
from ops.workers import PortTaken, Workers, address_of, listening

_DEFAULTS = ServeSettings()
ORPHANED_S = 1.0
"""How often a worker looks whether its parent is still there."""

log = structlog.get_logger()


def serve(*, settings: ServeSettings = _DEFAULTS) -> int:
    """Run the service until it is told to stop (Ctrl-C, SIGTERM, a closed terminal); then drain and stop.

    Args:
        settings: how the service runs.
    """
    demo = settings.demo
    if demo and settings.workers > 1:
        print("croupier: the demonstration runs in one process; leave --workers out.", file=sys.stderr)
        return 2
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # seeds and keys are in memory (fairness S-15)
    with ExitStack() as files:
        try:
            stream = sys.stderr
            if demo:
                path = prepare(settings.data) / SERVICE_LOG
                stream = files.enter_context(path.open("a", encoding="utf-8"))
            logs.set_up(settings.log_level, stream)
            with listening(settings) as door:
                if settings.workers > 1:
                    return _serve_together(settings, door)
                return _serve_alone(_demonstrate(settings, door) if demo else _serve(settings, door))
        except (StoreRefused, PortTaken) as refused:
            return _refuse(str(refused))
        except JournalError as trouble:
            return _refuse(f"The store's journal cannot be used: {trouble}.")
        except Unwritten as lost:
            if not lost.nobody_reads:
                raise
            return 0
        except Exception:
            log.exception("service_failed")
            return _refuse(f"The service failed; {path} says why.") if demo else 1
        finally:
            for number in STOPPING:
                signal.signal(number, signal.SIG_IGN)  # all that is left to do is to end


def _serve_alone(service: Coroutine[Any, Any, None]) -> int:
    with asyncio.Runner(loop_factory=on_uvloop()) as runner:
        runner.run(service)
    return 0


def _serve_together(settings: Settings, door: socket.socket) -> int:
    """Several processes; each says for itself why it could not start."""
    parent = os.getpid()

    def work(place: int) -> int:
        metrics.share(figures, place)
        try:
            return _serve_alone(_serve(settings, door, parent=parent))
        except StoreRefused as refused:
            return _refuse(str(refused))
        except Exception:
            log.exception("service_failed")
            return 1

    with writing():
        print(f"croupier listens on {address_of(door)}", flush=True)
    with shared_figures() as figures:
        return Workers(settings.workers, work, lambda place: metrics.forget(figures, place)).run()


def _refuse(sentence: str) -> int:
    print(f"croupier: {sentence}", file=sys.stderr)
    return 1


async def _serve(settings: Settings, door: socket.socket, *, parent: int = 0) -> None:
    """Serve until told to stop; a worker also stops when its parent is gone, or nobody could stop it."""
    stop = _told_to_stop()
    async with running(settings, door) as house:
        if not parent:
            with writing():
                print(f"croupier listens on {house.address}", flush=True)
        while parent in {0, os.getppid()}:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), ORPHANED_S)
                return


async def _demonstrate(settings: ServeSettings, door: socket.socket) -> None:
    stop = _told_to_stop()
    printer = Printer(sys.stdout, settings.lang, os.environ)
    demo = Demo(printer, settings.pace)
    async with running(settings, door, demo.hear) as house:
        with writing():
            printer.header(house.address)
        playing = asyncio.create_task(demo.run(house.node))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        await end(playing, stopping)
        if not playing.cancelled():
            with writing():
                playing.result()
    with writing():
        demo.finish()


def _told_to_stop() -> asyncio.Event:
    """Set by the first signal that means it; further ones change nothing, down to the end of the process."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def tell(number: int, frame: FrameType | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(stop.set)

    for number in heeded():
        signal.signal(number, tell)
    return stop
