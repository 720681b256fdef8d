"""The example log and the text it must give in each language.

`python -m tests.terminal.golden` writes the texts again from the stored log, after a change of
words or layout; read the difference before it is committed. With `--log` it first plays the log again: only
before a release, when events themselves have changed.
"""

import sys
from pathlib import Path

from dealer.rules.bacara.game import BACARA
from dealer.rules.frame.event import Event, encode
from dealer.table.aggregate import codec
from dealer.words import LANGUAGES
from ops.terminal import Narrator
from tests.terminal.played import play

LABEL = "an evening 2567"
HERE = Path(__file__).parent.parent / "examples" / "terminal"
LOG = HERE / "coup.jsonl"


def text_of(lang: str) -> Path:
    """The file of the expected text in a language."""
    return HERE / f"coup.{lang}.txt"


def stored() -> list[Event]:
    """The example log."""
    return [codec(BACARA).decode(line) for line in LOG.read_bytes().splitlines()]


def told(events: list[Event], lang: str, color: bool = False) -> list[str]:
    """All lines of a log."""
    narrator = Narrator(lang, color)
    return [line for event in events for line in narrator.lines(event)]


def main() -> None:
    """Write the example again."""
    if "--log" in sys.argv[1:]:
        LOG.write_bytes(b"".join(encode(event) + b"\n" for event in play(LABEL)))
    for lang in LANGUAGES:
        text_of(lang).write_text("\n".join([*told(stored(), lang), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
