"""The command `croupier`. It heeds signals before it imports anything that takes time."""

import sys

from ops.stopping import nothing_begun


def main() -> None:
    """Run the command line; the exit code tells success (0), refusal (1) or wrong usage (2)."""
    code, words = 1, sys.argv[1:]
    if words[:1] == ["serve"]:
        nothing_begun()
    from ops import logs  # noqa: PLC0415 - only now, as all that follows
    from ops.cli import commands, output  # noqa: PLC0415 - likewise

    output.open_streams()
    logs.set_up("info", sys.stderr)
    try:
        code = commands.run(words)
        sys.stdout.flush()
    except OSError as trouble:
        code = output.give_up(trouble, code)
    sys.exit(code)
