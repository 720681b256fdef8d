"""The service's own log: one line of JSON an occurrence, to standard error or a file.

The log of events is the record of play; here stands only what an operator must know of the service.
Accepted commands write no line.
"""

import logging
from typing import TextIO

import msgspec
import structlog


def _render(logger: object, name: str, entry: structlog.typing.EventDict) -> str:
    return msgspec.json.encode(entry, enc_hook=str).decode()


def set_up(level: str, stream: TextIO) -> None:
    """Send everything from `level` up to the stream. Exceptions carry their traceback, never local values."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=stream),
        cache_logger_on_first_use=True,
    )
