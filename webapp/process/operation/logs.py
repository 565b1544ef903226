"""Log lines: one JSON object per line on stderr, from every process and library, each message rate limited.

A line has `at`, `level`, `logger`, `process` and `message`; an event's facts and an error's traceback are
further fields. Nothing secret is logged: statements have no parameters (the engine's `hide_parameters`),
and PostgreSQL's details about rows and passwords in URLs are removed.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import time
from collections.abc import Hashable
from datetime import UTC, datetime
from types import TracebackType
from typing import TextIO, cast

from flask.logging import wsgi_errors_stream

A_MINUTE = 60.0  # seconds
MOST = 5  # lines of one message a minute; the next line counts the suppressed ones
MOST_KINDS = 1000  # different messages tracked a minute, to bound the memory
_PASSWORD = re.compile(r"(://[^/\s:@]*):[^/\s@]*@")
# PostgreSQL quotes whole rows there: names, addresses, password hashes.
_ROWS = re.compile(r"^(DETAIL|CONTEXT):.*\n?", re.MULTILINE)

log = logging.getLogger(__name__)


class Line(logging.Formatter):
    """Format a record as one JSON object; `extra={"facts": {...}}` adds fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, in ASCII, so that no input can forge another line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": _cleared(record.getMessage()),
            **getattr(record, "facts", {}),
        }
        if left_out := getattr(record, "left_out", 0):
            line["left_out"] = left_out
        if record.exc_info:
            line["error"] = _cleared(self.formatException(record.exc_info))
        return json.dumps(line, default=str)


def _cleared(text: str) -> str:
    return _PASSWORD.sub(r"\1:***@", _ROWS.sub("", text))


class Limit(logging.Filter):
    """Let each message through MOST times a minute.

    Messages are the same if they come from the same line of code with the same type of error. A record's
    `same` replaces that key; None exempts it from the limit.
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most
        self._lock = threading.Lock()
        self._until = 0.0
        self._seen: dict[Hashable, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write the record; adds the number of suppressed ones before it."""
        error = record.exc_info[0] if record.exc_info else None
        same: Hashable = getattr(record, "same", (record.pathname, record.lineno, error))
        if same is None:
            return True
        with self._lock:
            now = time.monotonic()
            if now >= self._until:
                self._until = now + A_MINUTE
                self._seen = {key: self._most - seen for key, seen in self._seen.items() if seen > self._most}
            seen = self._seen.get(same, 0)
            if seen < 0:  # suppressed in the minute before
                record.left_out = -seen
                seen = 0
            if same not in self._seen and len(self._seen) >= MOST_KINDS:
                return False
            self._seen[same] = seen + 1
        return seen < self._most


def install() -> None:
    """Have every logger of this process write such lines; may be called again."""
    root = logging.getLogger()
    if any(isinstance(handler.formatter, Line) for handler in root.handlers):
        return
    handler = logging.StreamHandler(cast("TextIO", wsgi_errors_stream))
    handler.setFormatter(Line())
    handler.addFilter(Limit())
    root.addHandler(handler)


def take_over(*names: str) -> None:
    """Route these libraries' loggers, Python's warnings and uncaught exceptions here too."""
    install()
    for name in names:
        library = logging.getLogger(name)
        library.handlers = [logging.NullHandler()]  # a logger without any would add its own again
        library.propagate = True
    logging.captureWarnings(True)
    sys.excepthook = _unforeseen
    threading.excepthook = lambda ended: _unforeseen(ended.exc_type, ended.exc_value, ended.exc_traceback)


def _unforeseen(
    kind: type[BaseException], error: BaseException | None, traceback: TracebackType | None
) -> None:
    if error is not None and not issubclass(kind, KeyboardInterrupt | SystemExit):
        log.critical("unforeseen error", exc_info=(kind, error, traceback))
