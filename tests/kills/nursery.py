"""A process that has loaded the service and forks one whenever it is told, to die where it is told.

It reads plans from its standard input, one a line, and says what becomes of each: `born <pid>`, the service's
own line with its address, `ended <code>`. To fork is ten times faster than to start anew.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import iscoroutinefunction
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from dealer.http.answers import KEY_HEADER
from ops.cli import main
from tests.kills.points import ANSWER
from tests.valkey.conftest import servers_in

OPENED = "dealer.croupier.node:Node.open"
LOADED = "tests.ops.loaded"
"""What is to be there before anybody is born."""


class Stop(msgspec.Struct, frozen=True):
    """A kill at a point.

    Attributes:
        after: when the point is passed, not when it is reached.
        number: of the passing at which it happens, counted since the stop before.
        only: name of the type of command that counts, all if empty.
        server: it is the store's server that is killed, not whoever passes. A service that does not keep time
            yet would refuse to start then, so only later passings count.
    """

    point: str
    after: bool
    number: int = 1
    only: str = ""
    server: bool = False


class Plan(msgspec.Struct, frozen=True):
    """One life.

    Attributes:
        data: directory of the store.
        stops: one after the other; none for a life without an end.
        tuned: constants by `module:name` that let rare things happen sooner.
    """

    data: str
    stops: tuple[Stop, ...] = ()
    tuned: dict[str, float] = {}


class Fuse:
    """Counts who passes, and kills.

    Args:
        stops: when, in their order.
        data: where the server is.
    """

    def __init__(self, stops: tuple[Stop, ...], data: Path) -> None:
        self._left = deque(stops)
        self._data = data
        self._passed = 0
        self._open = False

    def meet(self, point: str, args: tuple[Any, ...], *, after: bool) -> None:
        """Somebody passes a point."""
        stop = self._left[0] if self._left else None
        if point == OPENED and after:
            self._open = True
        if stop is None or (stop.point, stop.after) != (point, after) or not _counts(stop, args):
            return
        victims = [os.getpid()]
        if stop.server:
            victims = servers_in(self._data) if self._open else []
        if victims:
            self._passed += 1
        if self._passed == stop.number:
            self._passed = 0
            self._left.popleft()
            for pid in victims:
                os.kill(pid, signal.SIGKILL)

    def wrap(self, point: str) -> None:
        """Put the fuse around a function, wherever it is called from."""
        owner, name, function = found(point)

        @wraps(function)
        async def waited(*args: Any, **more: Any) -> Any:
            self.meet(point, args, after=False)
            answer = await function(*args, **more)
            self.meet(point, args, after=True)
            return answer

        @wraps(function)
        def called(*args: Any, **more: Any) -> Any:
            self.meet(point, args, after=False)
            answer = function(*args, **more)
            self.meet(point, args, after=True)
            return answer

        setattr(owner, name, waited if iscoroutinefunction(function) else called)


def found(point: str) -> tuple[Any, str, Callable[..., Any]]:
    """Where a function or a constant lives, its name there, and itself."""
    module, _, path = point.partition(":")
    holder, _, name = path.rpartition(".")
    owner: Any = import_module(module)
    if holder:
        owner = attrgetter(holder)(owner)
    return owner, name, getattr(owner, name)


def _counts(stop: Stop, args: tuple[Any, ...]) -> bool:
    """Whether this passing is one that is meant."""
    if stop.point == ANSWER:
        return KEY_HEADER in args[0].headers  # what was asked without a key changes nothing
    return not stop.only or type(args[1].command).__name__ == stop.only


def nurse() -> None:
    """Serve plans until the input ends."""
    import_module(LOADED)
    for line in sys.stdin:
        plan = msgspec.json.decode(line, type=Plan)
        pid = os.fork()
        if pid == 0:
            live(plan)
        _say("born", pid)
        _, status = os.waitpid(pid, 0)
        _say("ended", os.waitstatus_to_exitcode(status))


def _say(what: str, number: int) -> None:
    sys.stdout.write(f"{what} {number}\n")
    sys.stdout.flush()


def live(plan: Plan) -> None:
    """Be a service."""
    for name, value in plan.tuned.items():
        owner, constant, _ = found(name)
        setattr(owner, constant, value)
    fuse = Fuse(plan.stops, Path(plan.data))
    for point in {OPENED, *(stop.point for stop in plan.stops)}:
        fuse.wrap(point)
    sys.argv = ["croupier", "serve", "--port", "0", "--data", plan.data]
    main()
