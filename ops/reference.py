"""The reference pages of the documents that follow from the program: settings and metrics.

`python -m ops.reference docs` writes them anew (`make reference`).
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from cyclopts import App, Argument

from dealer.cage.ledger import CageCommand
from dealer.http.messages import COMMANDS
from dealer.rules.frame.commands import Internal
from dealer.rules.frame.refusal import Refusal
from ops.cli.commands import app
from ops.metrics import REASONS, Metrics, label_of
from ops.valkey.serverlog import TROUBLES

KINDS = ("bot", "chore", "timeout")
"""Kinds of deadlines (design 3)."""


def pages() -> dict[str, str]:
    """Each page by the name of its file."""
    return {"metrics.md": metrics_page(), "settings.md": settings_page()}


def command_types() -> list[str]:
    """Every value of the label `type`."""
    inside = (*get_args(Internal), *get_args(CageCommand), Refusal)
    return sorted({"hidden", *(label_of(kind.__name__) for kind in (*COMMANDS, *inside))})


def settings_page() -> str:
    """Every flag of `croupier serve`, with its name in the environment."""
    rows = (_setting(argument) for argument in _arguments(app["serve"]))
    return _page(
        "# Settings",
        "Every flag of `croupier serve`. Each may stand in the environment instead, under the name beside "
        "it; a flag counts for more than the environment, and that for more than the default. There a "
        "switch is set by `true`, and several files are separated by colons. `croupier config` shows what "
        "is in force and where it comes from. Other commands take those that say where the store is.",
        _table(("flag", "environment", "default", "takes", "meaning"), rows),
    )


def metrics_page() -> str:
    """Every family of metrics with its type and labels, and every value of each label."""
    hidden = sorted(label_of(kind.__name__) for kind in COMMANDS if kind.HIDDEN)
    return _page(
        "# Metrics",
        "`GET /metrics`, in Prometheus's text format. Whichever worker of a service answers, it answers for "
        "all of them; of what the others counted, the last two seconds may be missing. No label names a "
        "table, a person, a hand or a card, so the number of series does not grow with the tables.",
        _table(("metric", "type", "labels", "meaning"), _families()),
        "## Labels",
        f"- `type`, of a command: {_list(command_types())}. A refusal of {_list(hidden)} would "
        "tell of hidden cards, so all of them count as `hidden`, `refused`.\n"
        "- `code`, of a command: `accepted`, or the code of the refusal that the caller was given.\n"
        f"- `code`, of the embedded server's trouble: {_list(TROUBLES)}.\n"
        f"- `kind`, of a deadline: {_list(KINDS)}.\n"
        f"- `reason`, of what was kept out: {_list(REASONS)}. The two of connections count "
        "these, all others requests and streams, which are answered 429. The names are those of the "
        "settings, but for `guesses`, requests with a token that is nobody's, and `streams`.",
        "The rules in `ops/alerts.yml` watch over them; [operating](operating.md#alerts) says what to do.",
    )


def _arguments(command: App) -> Iterator[Argument]:
    for argument in command.assemble_argument_collection(parse_docstring=True):
        if argument.name.startswith("--"):
            yield argument


def _setting(argument: Argument) -> tuple[str, ...]:
    name = argument.name.removeprefix("--")
    default = argument.field_info.default
    shown = (
        ("no", "yes")[default] if isinstance(default, bool) else "" if default in {"", ()} else str(default)
    )
    return (
        f"`{argument.name}`",
        f"`CROUPIER_{name.upper().replace('-', '_')}`",
        f"`{shown}`" if shown else "",
        _takes(argument),
        str(argument.parameter.help).rstrip("."),
    )


def _takes(argument: Argument) -> str:
    """What may be given, in words."""
    if choices := argument.get_choices():
        return " or ".join(f"`{choice}`" for choice in choices)
    checks: Any = argument.parameter.validator
    for check in checks:
        return f"{check.gte} to {check.lte}"
    return {bool: "a switch", str: "text", Path: "a path"}.get(argument.hint, "files")


def _families() -> Iterator[tuple[str, ...]]:
    """The rows of all families; one of each labelled kind is made, so that its labels are known."""
    metrics = Metrics()
    metrics.answered(Refusal("accepted"), "accepted")
    metrics.rang(KINDS[0], 0)
    for family in sorted(metrics.families(), key=lambda family: family.name):
        name = f"{family.name}_total" if family.type == "counter" else family.name
        labels = sorted({label for sample in family.samples for label in sample.labels} - {"le"})
        yield f"`{name}`", family.type, ", ".join(f"`{label}`" for label in labels), family.documentation


def _list(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))
    return "\n".join(lines)


def _page(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def main(arguments: list[str]) -> None:
    """Write the pages into a directory."""
    (directory,) = arguments
    for name, text in pages().items():
        (Path(directory) / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
