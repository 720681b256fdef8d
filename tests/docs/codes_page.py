"""docs/codes.md: every code an error answer may carry, found in the sources that answer with it."""

import ast
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path

import msgspec

import dealer
from dealer.croupier.order import NEVER_STORED
from dealer.http.problems import status_of
from dealer.words import LANGUAGES
from dealer.words.language import read

SOURCES = Path(dealer.__file__).parent
_DECIDED = "Refusal"
"""What a table or the book has decided; a `Problem` or an `Answer` comes before they are asked."""

HEAD = (
    "# Codes\n\n"
    "An error answer is a problem ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). Programs read "
    "`code` and `params`. `detail` is the sentence for people; where several are shown, it is the first for "
    "which all `params` are there. A code that was released keeps its meaning.\n\n"
    "`kept` says whether the answer stays under its [Idempotency-Key](api.md#send-it-again): **yes**, it "
    "does, and a new attempt wants a new key; **no**, mend the request and send it under the same key; "
    "**decided**, it stays if the table or the book has decided it, and not if the request never got so far."
)


class Use(msgspec.Struct, frozen=True):
    """A place in the sources that answers with a code.

    Attributes:
        door: answered before any table or the book has decided.
        params: names of its parameters.
        status: the HTTP status, where it is not that of the code.
    """

    code: str
    door: bool
    params: frozenset[str] = frozenset()
    status: int = 0


def page() -> str:
    """The page: a table for each status."""
    found = uses()
    statuses = sorted({status_of(use.code) for use in found})
    tables = (f"## {status}\n\n{_table(found, status)}" for status in statuses)
    return "\n\n".join([HEAD, *tables]) + "\n"


def _table(found: tuple[Use, ...], status: int) -> str:
    head = ("code", "`params`", "kept", *LANGUAGES)
    codes = sorted({use.code for use in found if status_of(use.code) == status})
    rows = (_row(code, [use for use in found if use.code == code]) for code in codes)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


@cache
def uses() -> tuple[Use, ...]:
    """All places in the sources that answer with a code."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES.rglob("*.py")}
    return tuple(use for path, tree in trees.items() for use in uses_in(tree, "http" in path.parts))


def uses_in(tree: ast.Module, door: bool) -> Iterator[Use]:
    """Those of one source: codes that are made into an answer there, and those that a table hands on."""
    answered: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="Refusal" | "Problem" | "Answer" as kind), args=[first, *_]):
                for code in _texts(first):
                    answered.add(code)
                    yield Use(code, kind != _DECIDED, frozenset(_params(node)), _status(node))
    if not door:
        handed_on = {*_texts(tree)} & read(LANGUAGES[0]).refusals.keys()
        yield from (Use(code, door) for code in handed_on - answered)


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _params(call: ast.Call) -> Iterator[str]:
    """The names of the parameters of an answer; those of an option with bounds are two more."""
    for given in call.args[1:2]:
        for node in ast.walk(given):
            if isinstance(node, ast.Dict):
                for key in node.keys:
                    yield from _texts(key) if key else ("max", "min")


def _status(call: ast.Call) -> int:
    for keyword in call.keywords:
        if keyword.arg == "status":
            match keyword.value:
                case ast.Constant(value=int(status)):
                    return status
                case ast.Attribute(attr=name):
                    return HTTPStatus[name].value
    return 0


def _row(code: str, found: list[Use]) -> tuple[str, ...]:
    params = sorted({name for use in found for name in use.params})
    others = sorted({use.status for use in found} - {0, status_of(code)})
    also = f" (or {', '.join(map(str, others))})" if others else ""
    return (
        f"`{code}`{also}",
        ", ".join(f"`{name}`" for name in params),
        _kept(code, found),
        *(_sentences(code, lang) for lang in LANGUAGES),
    )


def _kept(code: str, found: list[Use]) -> str:
    if code in NEVER_STORED or all(use.door for use in found):
        return "no"
    return "decided" if any(use.door for use in found) else "yes"


def _sentences(code: str, lang: str) -> str:
    told = read(lang).refusals[code]
    return told if isinstance(told, str) else "<br>".join(told)
