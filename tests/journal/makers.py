"""Short ways to make what the tests append."""

from dealer.journal import Entry, Extras

TABLE = "t/tbl_ab12"
NONE = Extras()


def entry(
    key: str, *events: bytes, principal: str = "acc_1", outcome: bytes = b'{"code":"accepted"}'
) -> Entry:
    """A command under `key` that made these events; without events it was refused."""
    return Entry(principal, key, f"hash of {key}", outcome, events)


def events(name: str, count: int) -> tuple[bytes, ...]:
    """As many different events, with every kind of byte in them."""
    return tuple(f"{name} {i} ñ\0\r\n".encode() + b"\xff" for i in range(count))
