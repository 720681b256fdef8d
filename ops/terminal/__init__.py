"""A table in the terminal: its log told in words while it is being played.

`Narrator` turns events into lines and touches nothing else; `Printer` writes them to a stream.
"""

from ops.terminal.narrator import Narrator
from ops.terminal.printer import Printer, wants_color

__all__ = ["Narrator", "Printer", "wants_color"]
