"""`croupier config`: the settings in force, and where each comes from."""

from typing import Annotated, Any

import msgspec
from cyclopts import App, Parameter

from ops.cli.environment import PREFIX, given
from ops.cli.output import printable
from ops.settings import ServeSettings

SECRET = frozenset({"redis"})
"""Settings that are not shown: a URL may hold a password, in more than one place."""

_DEFAULTS = ServeSettings()

app = App(name="config")


@app.default
def config(
    *,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    settings: ServeSettings = _DEFAULTS,
) -> None:
    """Show the settings in force, and whether each comes from a flag, the environment or the default.

    Args:
        json: print one JSON object.
        settings: how the service would run.
    """
    values: dict[str, Any] = msgspec.to_builtins(settings, builtin_types=(), enc_hook=str)
    shown = {
        name: {
            "value": "(set)" if name in SECRET and value else value,
            "source": given.get(name, "default"),
            "environment": PREFIX + name.upper(),
        }
        for name, value in values.items()
    }
    if json:
        print(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())
        return
    for name, told in shown.items():
        flag = f"--{name.replace('_', '-')}"
        source = told["environment"] if told["source"] == "environment" else told["source"]
        print(f"{flag:<24}{_line(told['value']):<28}{source}")


def _line(value: Any) -> str:
    """A value on one line: several after a comma, nothing as a hyphen."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return printable(text) or "-"
