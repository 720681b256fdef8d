"""The server-side functions: their text, their version, and getting them into the engine."""

import re
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

from dealer.journal.errors import JournalError

NAME = "croupier_journal"
TEXT = files("dealer.journal").joinpath("journal.lua").read_text(encoding="utf-8")


def version_of(text: str) -> int:
    """The version a library's text declares, 0 if it declares none."""
    found = re.search(r"^local VERSION = (\d+)$", text, re.MULTILINE)
    return int(found[1]) if found else 0


VERSION = version_of(TEXT)
APPEND = f"journal_append_{VERSION}"
CLAIM = f"journal_claim_{VERSION}"
SNAP = f"journal_snap_{VERSION}"


async def install(send: Callable[..., Awaitable[Any]]) -> None:
    """Load the library unless the very same text is there.

    The text, not only the version, is compared: a comment set right counts as the same version.

    Args:
        send: Sends a command and returns its reply.

    Raises:
        JournalError: The store has a later version; this node is too old for it.
    """
    libraries = await send("FUNCTION", "LIST", "LIBRARYNAME", NAME, "WITHCODE")
    stored = _code(libraries[0]) if libraries else ""
    if stored == TEXT:
        return
    if version_of(stored) > VERSION:
        raise JournalError(
            f"the store's journal functions are of version {version_of(stored)}, not {VERSION}"
        )
    await send("FUNCTION", "LOAD", "REPLACE", TEXT)


def _code(library: list[Any]) -> str:
    fields = dict(zip(library[::2], library[1::2], strict=True))
    code: bytes = fields[b"library_code"]
    return code.decode()
