"""The time that commands are given: the engine's, carried on by the node's monotonic clock."""

import time


class Clock:
    """Engine time in ms that never goes back, whatever the engine or a fail-over says."""

    def __init__(self) -> None:
        self._offset_ms: float | None = None
        self._latest_ms = 0

    def sync(self, engine_ms: float, at_s: float) -> None:
        """Take over the engine's time.

        Args:
            engine_ms: What the engine said.
            at_s: The monotonic time, in seconds, to which that belongs.
        """
        self._offset_ms = engine_ms - at_s * 1000

    def now(self) -> int:
        """The engine's time now, ms; after a step back it stands still until the engine catches up.

        Raises:
            RuntimeError: It was never synchronised.
        """
        if self._offset_ms is None:
            raise RuntimeError("the clock was never synchronised: open the journal first")
        self._latest_ms = max(self._latest_ms, int(self._offset_ms + time.monotonic() * 1000))
        return self._latest_ms
