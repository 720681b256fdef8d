"""What tests say of themselves: for lists that tests and requirements name each other by."""

import ast
from functools import cache
from pathlib import Path

import msgspec

TESTS = Path(__file__).parent


class Told(msgspec.Struct, frozen=True):
    """One test.

    Attributes:
        module: its file under `tests/`.
        name: of the function.
        promise: its docstring.
        about: the docstring of its module.
    """

    module: str
    name: str
    promise: str
    about: str


@cache
def every_test() -> tuple[Told, ...]:
    """All test functions there are, methods included; to be asked by a test, not when it is collected."""
    return tuple(
        Told(
            module=path.relative_to(TESTS).as_posix(),
            name=node.name,
            promise=ast.get_docstring(node) or "",
            about=ast.get_docstring(tree) or "",
        )
        for path in sorted(TESTS.rglob("test_*.py"))
        for tree in [ast.parse(path.read_text("utf-8"))]
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )
