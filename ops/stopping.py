"""What tells a service to stop, and how it is heeded before there is anything to stop.

Nothing is imported here that takes time: the entry point needs it first.
"""

import os
import signal
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What tells a service to stop: Ctrl-C, whoever runs it, and the closing of its terminal."""


def heeded() -> list[signal.Signals]:
    """Those of `STOPPING` that count for this process; who was started by `nohup` outlives the terminal."""
    hung_up = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    return [number for number in STOPPING if number is not signal.SIGHUP or hung_up]


def nothing_begun() -> None:
    """From now until others are set, whatever tells the service to stop ends this process at once, with 0."""
    for number in heeded():
        signal.signal(number, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    """No clean-up, for there is nothing yet, and an exception in the midst of an import may get lost."""
    os._exit(0)
