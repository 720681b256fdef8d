"""The command `croupier`. Each module holds one group of subcommands."""

import sys
from importlib.metadata import version

from cyclopts import App

from ops.cli import backup, bench, config, keys, odds, output, replay, serve, simulate, verify

app = App(
    name="croupier",
    help="A card-table croupier: tables as event-sourced logs, with proofs an auditor can check offline.",
    config=config.ENVIRONMENT,
    version=version("croupier"),
    version_flags=["--version"],
    help_format="plaintext",
    result_action="return_int_as_exit_code_else_zero",
)
app.command(serve.serve)
app.command(config.app)
app.command(backup.backup)
app.command(keys.app)
app.command(simulate.app)
app.command(odds.odds)
app.command(bench.bench)
app.command(verify.verify)
app.command(replay.read_back, name="replay")


def main() -> None:
    """Run the command line; the exit code tells success (0), refusal (1) or wrong usage (2)."""
    output.open_streams()
    code = 1
    try:
        code = app(sys.argv[1:])
        sys.stdout.flush()
    except OSError as trouble:
        code = output.give_up(trouble, code)
    sys.exit(code)
