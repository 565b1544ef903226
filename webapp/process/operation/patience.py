"""Timeouts of requests that use the database, and which errors mean that it is unavailable."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

LONGEST = 2.5  # seconds a request waits for a lock, a connection or PostgreSQL
# Primary result codes of SQLite: BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL.
_SQLITE = frozenset((5, 6, 7, 8, 9, 10, 13, 14, 15))
# Classes of PostgreSQL's SQLSTATEs: connection, resources, operator intervention, system; and single ones: a
# read-only transaction, an expired lock_timeout, a deadlock, a serialization failure, an idle transaction.
_POSTGRESQL = ("08", "53", "57", "58", "25006", "55P03", "40P01", "40001", "25P03")


def unavailable(error: SQLAlchemyError) -> bool:
    """Whether the error means that the database is unavailable, rather than a bug of ours."""
    if isinstance(error, NoConnection):
        return True
    if not isinstance(error, DBAPIError) or error.orig is None:
        return False
    if error.connection_invalidated:
        return True
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE
    state = getattr(error.orig, "sqlstate", None)
    if state is None:
        return isinstance(error, OperationalError)
    return str(state).startswith(_POSTGRESQL)
