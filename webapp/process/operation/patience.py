"""Timeouts of requests that use the database, and which errors mean that it is unavailable."""

from __future__ import annotations

from typing import Any

import psycopg
from flask import has_request_context
from psycopg.pq import TransactionStatus
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

LONGEST = 2.5  # seconds a request waits for a lock, a connection or PostgreSQL
# Primary result codes of SQLite: BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL.
_SQLITE = frozenset((5, 6, 7, 8, 9, 10, 13, 14, 15))
# Classes of PostgreSQL's SQLSTATEs: connection, resources, operator intervention, system; and single ones: a
# read-only transaction, an expired lock_timeout, a deadlock, a serialization failure, an idle transaction.
_POSTGRESQL = ("08", "53", "57", "58", "25006", "55P03", "40P01", "40001", "25P03")


class Connection(psycopg.Connection[Any]):
    """A connection that times out, within a request, on a server that accepts packets but doesn't answer.

    PostgreSQL's own timeouts don't run while it is frozen, and TCP sees every packet acknowledged.
    """

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Run a step of the protocol; the connection is closed if there is no answer in time."""
        if timeout is not None or not has_request_context():
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, LONGEST)
        except psycopg.OperationalError:
            if self.info.transaction_status == TransactionStatus.ACTIVE:
                self.close()
            raise


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
        return isinstance(error.orig, psycopg.OperationalError)
    return str(state).startswith(_POSTGRESQL)
