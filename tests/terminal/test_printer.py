"""The printer: where the lines go, and when they are coloured."""

import io

import pytest

from ops.terminal import Printer, wants_color
from tests.terminal.golden import stored, text_of


class Screen(io.StringIO):
    """A stream that says it is a terminal, as one does."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """It is one."""
        return True


def page(encoding: str) -> io.TextIOWrapper:
    """A file in an encoding, as a redirected standard output is one."""
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")


def test_colours_only_where_they_belong() -> None:
    """Colours need a terminal that has them; `NO_COLOR` set to anything but nothing switches them off."""
    assert wants_color(Screen(), {})
    assert wants_color(Screen(), {"NO_COLOR": "", "TERM": "xterm"})
    assert not wants_color(Screen(), {"NO_COLOR": "0"})
    assert not wants_color(Screen(), {"TERM": "dumb"})
    assert not wants_color(page("utf-8"), {"TERM": "xterm"})


@pytest.mark.parametrize(("environ", "colored"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_the_header_says_where_the_house_is(environ: dict[str, str], colored: bool) -> None:
    """The header names the API and its documentation once, whatever the address ends in."""
    screen = Screen()
    Printer(screen, "es", environ).header("http://127.0.0.1:8080/")
    text = screen.getvalue()
    assert "API            http://127.0.0.1:8080/v1\n" in text
    assert "documentación  http://127.0.0.1:8080/docs\n" in text
    assert ("\x1b[" in text) is colored


def test_a_redirected_table_is_the_plain_text() -> None:
    """Written to a file, an evening is exactly the narrator's text."""
    stream = page("utf-8")
    printer = Printer(stream, "es", {})
    for event in stored():
        printer.show(event)
    stream.seek(0)
    assert stream.read() == text_of("es").read_text(encoding="utf-8")


def test_what_was_told_before_is_understood_but_not_said_again() -> None:
    """A printer that is given the past first goes on with the very lines that follow it."""
    events = stored()
    whole, later = page("utf-8"), page("utf-8")
    first, second = Printer(whole, "en", {}), Printer(later, "en", {})
    for n, event in enumerate(events):
        if n < len(events) // 2:
            second.recall(event)
        else:
            second.show(event)
        first.show(event)
    for stream in (whole, later):
        stream.seek(0)
    text, rest = whole.read(), later.read()
    assert 0 < len(rest) < len(text)
    assert text.endswith(rest)


def test_a_poor_encoding_does_not_stop_the_house() -> None:
    """What the stream's encoding cannot say becomes a question mark, never an error."""
    stream = page("ascii")
    printer = Printer(stream, "es", {})
    for event in stored():
        printer.show(event)
    stream.seek(0)
    text = stream.read()
    assert "?Hagan juego, se?ores!" in text
    assert len(text) == len(text_of("es").read_text(encoding="utf-8"))
