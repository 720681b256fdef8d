"""All subcommands. Each module holds one group of them, and is imported when it is called."""

from collections.abc import Iterator
from importlib.metadata import version

import structlog
from cyclopts import App, ArgumentCollection

from ops.cli.environment import ENVIRONMENT, named, note_sources, refuse_empty, unknown

log = structlog.get_logger()


def _warn(_: App, __: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Name what looks like a setting in the environment and is none, for instance for a slip of the pen."""
    strange = unknown() - named(arguments)
    if strange:  # only then all the other commands are worth their import
        for name in sorted(strange - {name for command in _all(app) for name in _options(command)}):
            log.warning("unknown_setting", setting=name)


def _all(group: App) -> Iterator[App]:
    yield group
    for word in group:
        if not word.startswith("-"):
            yield from _all(group[word])


def _options(command: App) -> set[str]:
    return named(command.assemble_argument_collection()) if command.default_command else set()


app = App(
    name="croupier",
    help="A card-table croupier: tables as event-sourced logs, with proofs an auditor can check offline.",
    config=(ENVIRONMENT, refuse_empty, note_sources, _warn),
    version=version("croupier"),
    version_flags=["--version"],
    help_format="plaintext",
    result_action="return_int_as_exit_code_else_zero",
)
app.command("ops.cli.serve:serve")
app.command("ops.cli.config:app", name="config")
app.command("ops.cli.backup:backup")
app.command("ops.cli.keys:app", name="keys")
app.command("ops.cli.simulate:app", name="simulate")
app.command("ops.cli.odds:odds")
app.command("ops.cli.bench:bench")
app.command("ops.cli.verify:verify")
app.command("ops.cli.replay:read_back", name="replay")


def run(words: list[str]) -> int:
    """Do what the words say; the exit code."""
    if not words or words[0] in app.help_flags:
        app.resolved_commands()  # who asks what there is reads it in each command's own words
    return int(app(words))
