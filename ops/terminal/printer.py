"""Writes what the narrator says to a stream."""

from collections.abc import Iterable, Mapping
from typing import TextIO

from dealer.rules.frame.event import Event
from dealer.words import Words
from ops.terminal.narrator import Narrator
from ops.terminal.paint import Paint


def wants_color(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to use colours: on a terminal that has them, unless `NO_COLOR` is set to anything."""
    return stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


class Printer:
    """One table on one stream.

    Errors of the stream (a closed pipe) are the caller's to handle.

    Args:
        stream: where the lines go; what its encoding cannot say becomes `?`.
        lang: the language of the lines.
        environ: the environment, for `NO_COLOR` and `TERM`.

    Raises:
        ValueError: there is no such language.
    """

    def __init__(self, stream: TextIO, lang: str, environ: Mapping[str, str]) -> None:
        color = wants_color(stream, environ)
        self._stream = stream
        self._words = Words(lang)
        self._paint = Paint(color)
        self._narrator = Narrator(lang, color)

    def header(self, address: str) -> None:
        """Say where the house can be reached.

        Args:
            address: of the service, such as `http://127.0.0.1:8080`.
        """
        root = address.rstrip("/")
        api, docs = self._words.line("api"), self._words.line("docs")
        width = max(len(api), len(docs)) + 2
        self._write(
            [
                self._paint("strong", "croupier"),
                f"  {api:<{width}}{root}/v1",
                f"  {docs:<{width}}{root}/docs",
                "",
            ]
        )

    def recall(self, event: Event) -> None:
        """Take in an event that was told before, so that what follows it is understood."""
        self._narrator.lines(event)

    def show(self, event: Event) -> None:
        """Tell the next event of the table's log."""
        self._write(self._narrator.lines(event))

    def _write(self, lines: Iterable[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        if text:
            encoding = self._stream.encoding or "utf-8"
            self._stream.write(text.encode(encoding, "replace").decode(encoding))
            self._stream.flush()
