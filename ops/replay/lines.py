"""A log as a file: one event a line, or one page of `GET /v1/tables/{id}/events` a line."""

import msgspec

from ops.replay.broken import Broken


class _Page(msgspec.Struct):
    events: list[msgspec.Raw]


_page = msgspec.json.Decoder(_Page)


def stored_events(raw: bytes) -> list[bytes]:
    """The bytes of all events of a file in their order, as they were stored.

    Raises:
        Broken: a line is no JSON object.
    """
    found: list[bytes] = []
    for number, line in enumerate(raw.splitlines(), 1):
        try:
            found += map(bytes, _page.decode(line).events) if line.strip() else ()
        except msgspec.ValidationError:
            found.append(line)
        except (msgspec.DecodeError, RecursionError):
            raise Broken(f"line {number} is not JSON") from None
    return found
