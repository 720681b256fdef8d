"""The service's own log: one line of JSON an occurrence, to standard error or a file.

The log of events is the record of play; here stands only what an operator must know of the service.
Accepted commands write no line.
"""

import logging
from typing import TextIO

import msgspec
import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor

FIELDS = frozenset(
    {
        "aggregate",
        "code",
        "count",
        "data_dir",
        "decision",
        "dropped",
        "error",
        "event",
        "exception",
        "hold",
        "level",
        "method",
        "partition",
        "pid",
        "policy",
        "reason",
        "route",
        "seq",
        "setting",
        "timestamp",
        "waited_s",
    }
)
"""All that a line may tell; of what is not here, `dropped` says how many fields it was (fairness S-23)."""
_META = frozenset({"_record", "_from_structlog"})


def _allowed(logger: object, name: str, entry: EventDict) -> EventDict:
    """Leave out what nobody has looked at; two are structlog's own, and go before the line is written."""
    known = {key: value for key, value in entry.items() if key in FIELDS or key in _META}
    if len(known) < len(entry):
        known["dropped"] = len(entry) - len(known)
    return known


def _render(logger: object, name: str, entry: EventDict) -> str:
    return msgspec.json.encode(entry, enc_hook=str).decode()


def set_up(level: str, stream: TextIO) -> None:
    """Send everything from `level` up to the stream, what libraries and warnings say as well.

    Exceptions carry their traceback, never local values. A line that cannot be written is lost: a full disk
    or a closed pipe must not stop what was about to be told.
    """
    common: tuple[Processor, ...] = (
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _allowed,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=common, processors=[ProcessorFormatter.remove_processors_meta, _render]
        )
    )
    logging.raiseExceptions = False
    logging.captureWarnings(True)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    structlog.configure(
        processors=[*common, ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
