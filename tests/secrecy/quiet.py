"""The log of a service in a test's own hands."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from ops import logs


@contextmanager
def logged(stream: io.StringIO) -> Iterator[None]:
    """Everything that a service logs goes to the stream; afterwards all is as it was."""
    handlers, level = logging.root.handlers[:], logging.root.level
    logs.set_up("info", stream)
    structlog.configure(cache_logger_on_first_use=False)  # a logger that is kept would stay in this log
    try:
        yield
    finally:
        structlog.reset_defaults()
        logging.captureWarnings(False)
        logging.raiseExceptions = True
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
