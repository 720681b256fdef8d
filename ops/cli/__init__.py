"""The command `croupier`. Each module holds one group of subcommands."""

import os
import sys
from importlib.metadata import version

from cyclopts import App
from cyclopts.config import Env

from ops.cli import bench, keys, serve, simulate, verify

app = App(
    name="croupier",
    help="A card-table croupier: tables as event-sourced logs, with proofs an auditor can check offline.",
    config=Env("CROUPIER_", command=False),
    version=version("croupier"),
    version_flags=["--version"],
    help_format="plaintext",
    result_action="return_int_as_exit_code_else_zero",
)
app.command(serve.serve)
app.command(serve.config)
app.command(keys.app)
app.command(simulate.app)
app.command(bench.bench)
app.command(verify.verify)


def main() -> None:
    """Run the command line; the exit code tells success (0), refusal (1) or wrong usage (2)."""
    code = 1
    try:
        code = app(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read us has gone, as `head` does. Python would complain of what is still in the buffer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
