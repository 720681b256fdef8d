"""The command `croupier`. Each module holds one group of subcommands."""

import sys
from importlib.metadata import version

from cyclopts import App
from cyclopts.config import Env

from ops.cli import bench, keys, serve, simulate

app = App(
    name="croupier",
    help="A card-table croupier: tables as event-sourced logs, with proofs an auditor can check offline.",
    config=Env("CROUPIER_", command=False),
    version=version("croupier"),
    version_flags=["--version"],
    help_format="plaintext",
)
app.command(serve.serve)
app.command(serve.config)
app.command(keys.app)
app.command(simulate.app)
app.command(bench.bench)


def main() -> None:
    """Run the command line; the exit code tells success (0), refusal (1) or wrong usage (2)."""
    sys.exit(app())
