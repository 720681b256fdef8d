"""Options that stand in the environment, and where a value in force comes from."""

import os
from dataclasses import fields
from pathlib import Path
from typing import get_args

from cyclopts import UNSET, App, ArgumentCollection, ValidationError
from cyclopts.config import Env

from ops.settings import ServeSettings

PREFIX = "CROUPIER_"

given: dict[str, str] = {}
"""Of the present command each option that is given, and by what: `flag` or `environment`."""

_SOURCES = {"cli": "flag", "env": "environment"}


class _Environment(Env):
    """An empty variable is as good as none: `${HOST:-}` in a compose file leaves one."""

    def __call__(self, app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        super().__call__(app, commands, arguments)
        for argument in arguments:
            argument.tokens[:] = [
                token for token in argument.tokens if token.value or token.source != self.source
            ]


ENVIRONMENT = _Environment(PREFIX, command=False)
"""Any option of any command may stand in the environment; a flag counts for more."""


def refuse_empty(_: App, __: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Refuse a flag with an empty text: as a host it would mean every address, as a path this directory.

    Raises:
        ValidationError: there is one.
    """
    for argument in arguments:
        if {str, Path}.isdisjoint((argument.hint, *get_args(argument.hint))):
            continue
        for token in argument.tokens:
            if not token.value and token.implicit_value is UNSET:
                raise ValidationError(argument=argument, value="", exception_message="It takes a text.")


def note_sources(_: App, __: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Keep what the command line's parser knows and the values alone do not tell."""
    given.clear()
    for argument in arguments:
        if argument.tokens:
            given[argument.name.lstrip("-").replace("-", "_")] = _SOURCES[argument.tokens[0].source]


def named(arguments: ArgumentCollection) -> set[str]:
    """The names that options have in the environment."""
    return {_variable(argument.name.lstrip("-")) for argument in arguments}


def unknown() -> set[str]:
    """Names in the environment that look like ours and are no setting of the service."""
    return {name for name in os.environ if name.startswith(PREFIX)} - {
        _variable(field.name) for field in fields(ServeSettings)
    }


def _variable(option: str) -> str:
    return PREFIX + option.upper().replace("-", "_")
