"""What is told of the embedded server's health: each trouble once, and its end."""

from collections.abc import Callable

import structlog

from ops.valkey import serverlog
from ops.valkey.refused import StoreRefused

_log = structlog.get_logger("ops.valkey")

Hook = Callable[[str, str], None]
"""Told of each change in the server's health: a code (`SERVER_BACK` when it serves again) and a sentence."""
SERVER_BACK = "server_back"


def log_trouble(code: str, sentence: str) -> None:
    """The hook of a service that has none of its own: one line in the log."""
    tell = _log.info if code == SERVER_BACK else _log.error
    tell("store_health", code=code, reason=sentence)


class Outage:
    """What is told of the time in which the server does not serve.

    Attributes:
        code: of the trouble, empty when there is none.
    """

    def __init__(self, hook: Hook) -> None:
        self._hook = hook
        self.code = ""

    def told(self, trouble: StoreRefused) -> None:
        """Tell a trouble, unless it is known, or this only says that the server ended and more is known."""
        if trouble.code != self.code and not (self.code and trouble.code == serverlog.ENDED):
            self.code = trouble.code
            self._hook(trouble.code, trouble.sentence)

    def over(self, sentence: str) -> None:
        """The server serves again."""
        self.code = ""
        self._hook(SERVER_BACK, sentence)
