"""Options that are whole numbers: a fraction is refused, not rounded."""

import re
from collections.abc import Sequence

from cyclopts import Parameter, Token
from cyclopts.validators import Number

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")


def whole(least: int, most: int) -> Parameter:
    """How an option is read that takes a whole number from `least` to `most`; it annotates the type."""
    return Parameter(converter=_read, validator=Number(gte=least, lte=most))


def _read(kind: object, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    if not _WHOLE.fullmatch(text):
        raise ValueError("It takes a whole number.")
    return int(text)
