"""Write the logs of the present version: `python -m tests.golden.make`, before each release of it."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from dealer.cage.snapshot import FORM
from dealer.table.snapshot import form
from tests.golden.played import CAGE, TABLES, book

HERE = Path(__file__).parent
VERSION = version("croupier")


def write(folder: Path, name: str, stored: Sequence[bytes], packed: bytes) -> None:
    """A log, one event a line, and the state it leads to, as people can read it."""
    (folder / f"{name}.jsonl").write_bytes(b"".join(event + b"\n" for event in stored))
    text = msgspec.json.format(msgspec.json.encode(msgspec.msgpack.decode(packed)), indent=1)
    (folder / f"{name}.state.json").write_bytes(text + b"\n")


def main() -> None:
    """Write all of them."""
    folder = HERE / VERSION
    folder.mkdir(exist_ok=True)
    for name, play in TABLES.items():
        rig = play()
        write(folder, name, rig.stored, form(rig.game).pack(rig.table))
    played = book()
    write(folder, CAGE, played.stored, FORM.pack(played.cage))


if __name__ == "__main__":
    main()
