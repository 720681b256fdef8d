"""Write the reference of events and codes anew: `python -m tests.docs.make`."""

from collections.abc import Mapping

from tests.docs import codes_page, events_page
from tests.project.tree import TREE

DOCS = TREE / "docs"


def pages() -> Mapping[str, str]:
    """Each page by the name of its file."""
    events = (DOCS / "events.md").read_text(encoding="utf-8")
    return {"codes.md": codes_page.page(), "events.md": events_page.page(events)}


def main() -> None:
    """Write all of them."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
