"""The project's own files: what would be in a commit."""

import os
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

TREE = Path(os.environ.get("TREE_UNDER_TEST") or Path(__file__).parents[2]).resolve()
"""The source tree; named by the environment where the suite runs from a copy, against the wheel."""


def project() -> dict[str, Any]:
    """The tables of `pyproject.toml`."""
    return tomllib.loads((TREE / "pyproject.toml").read_text(encoding="utf-8"))


def files(*suffixes: str) -> list[Path]:
    """All files of the tree that `.gitignore` does not name, or those with one of these suffixes.

    Read without git, since a source archive has none.
    """
    lines = (TREE / ".gitignore").read_text(encoding="utf-8").split()
    found = _walk(TREE, (".git", *lines))
    return sorted(path for path in found if not suffixes or path.suffix in suffixes)


def _walk(folder: Path, ignored: tuple[str, ...]) -> Iterator[Path]:
    """Files below a folder; a pattern with a leading slash counts at the top only, as git has it."""
    for path in folder.iterdir():
        names = [path.name] if folder != TREE else [path.name, f"/{path.name}"]
        if any(fnmatch(name, pattern.rstrip("/")) for name in names for pattern in ignored):
            continue
        if path.is_dir():
            yield from _walk(path, ignored)
        else:
            yield path
