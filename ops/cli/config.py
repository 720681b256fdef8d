"""`croupier config`: the settings in force, and where each comes from."""

from typing import Annotated, Any

import msgspec
from cyclopts import App, ArgumentCollection, Parameter
from cyclopts.config import Env

from ops.cli.output import printable
from ops.settings import Settings

ENVIRONMENT = Env("CROUPIER_", command=False)
"""Any option of any command may stand in the environment; a flag counts for more."""
SECRET = frozenset({"redis"})
"""Settings that are not shown: a URL may hold a password, in more than one place."""

_SOURCES = {"cli": "flag", "env": "environment"}
_DEFAULTS = Settings()
_given: dict[str, str] = {}


def _note_sources(_: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Keep what the command line's parser knows and the values alone do not tell."""
    _given.clear()
    for argument in arguments:
        if argument.tokens:
            _given[argument.name.lstrip("-").replace("-", "_")] = _SOURCES[argument.tokens[0].source]


app = App(
    name="config",
    config=(ENVIRONMENT, _note_sources),
)


@app.default
def config(
    *, json: Annotated[bool, Parameter(name="--json", negative=())] = False, settings: Settings = _DEFAULTS
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
            "source": _given.get(name, "default"),
            "environment": f"CROUPIER_{name.upper()}",
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
