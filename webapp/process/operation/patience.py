"""How long anybody waits for the database: a request two seconds or so, and nobody behind a dead one.

A database may be down, locked, or frozen so that it never answers. Each request has a budget of seconds it
may wait; what it computes meanwhile costs nothing of it. Where one has waited in vain, the next requests fail
at once, except for one at a time that tries again: otherwise thirty clients would queue for eight threads
that wait. Outside of requests there is no budget: a worker may wait longer.
"""

from __future__ import annotations

import math
import select
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import psycopg
from flask import Flask
from psycopg.errors import _WaitTimeout
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

A_REQUEST = 2.25  # seconds a request may wait for the database in all: more than PostgreSQL's lock_timeout
LEAST = 0.25  # seconds that a healthy database has even when the budget is used up, to end a transaction
FOREVER = math.inf
A_TRY = 0.5  # seconds that one waits who tries what has just failed,
LONGEST_TRY = 1.5  # twice as long after each failure up to this: a busy machine may need more to connect
BRIEFLY = 0.1  # seconds to wait for another thread that tries what failed
# Primary result codes of SQLite: BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL.
_SQLITE = frozenset((5, 6, 7, 8, 9, 10, 13, 14, 15))
# Classes of PostgreSQL's SQLSTATEs: connection, resources, operator intervention, system; and single ones: a
# read-only transaction, an expired lock_timeout, a deadlock, a serialization failure, an idle transaction.
_POSTGRESQL = ("08", "53", "57", "58", "25006", "55P03", "40P01", "40001", "25P03")


@dataclass(slots=True)
class Budget:
    """Seconds a request may still wait, and has waited."""

    left: float
    waited: float = 0.0


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)


def begin(seconds: float | None = None) -> None:
    """Give this thread's request a new budget: A_REQUEST unless told otherwise."""
    _budget.set(Budget(A_REQUEST if seconds is None else seconds))


def waited() -> float:
    """Return how many seconds this request has waited for the database so far."""
    budget = _budget.get()
    return 0.0 if budget is None else budget.waited


@contextmanager
def waiting(otherwise: float) -> Iterator[float]:
    """Charge the time inside to the request's budget.

    Gives the seconds it may take: `otherwise` outside of requests.
    """
    budget = _budget.get()
    if budget is None:
        yield otherwise
        return
    began = time.monotonic()
    try:
        yield max(LEAST, budget.left)
    finally:
        took = time.monotonic() - began
        budget.left -= took
        budget.waited += took


class Breaker:
    """Lets one at a time try what has just failed for another.

    Raises sqlalchemy.exc.TimeoutError for the others.
    """

    def __init__(self) -> None:
        self._down = False
        self._trying = threading.Lock()
        self.a_try = A_TRY  # seconds that the next attempt may take

    @property
    def down(self) -> bool:
        """Whether the last attempt failed."""
        return self._down

    def failed(self) -> None:
        """Report a failure seen elsewhere."""
        if self._down:
            self.a_try = min(2 * self.a_try, LONGEST_TRY)
        self._down = True

    def worked(self) -> None:
        """Report a success seen elsewhere."""
        self._down, self.a_try = False, A_TRY

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Try inside; a database error counts as failure, anything else does not."""
        alone = self._down
        if alone and not self._trying.acquire(timeout=BRIEFLY):
            raise NoConnection("the database does not answer")
        try:
            yield
            self.worked()
        except DBAPIError:
            self.failed()
            raise
        finally:
            if alone:
                self._trying.release()


answering = Breaker()  # whether this process's database answers
replica_answering = Breaker()  # and its replica, if it has one


class Pool(QueuePool):
    """Hands out connections that answer, or fails soon."""

    breaker = answering

    def connect(self) -> PoolProxiedConnection:
        """Return a connection; one that has not been lost, where the engine makes sure."""
        with self.breaker.attempt():
            return super().connect()


class ReplicaPool(Pool):
    """The same of a replica, which may be away while the database is not."""

    breaker = replica_answering


class Connection(psycopg.Connection[Any]):
    """A connection to PostgreSQL that waits no longer than the request may."""

    breaker = answering
    longest = FOREVER  # seconds for one step

    def ping(self) -> None:
        """Raise OperationalError if the connection is lost.

        The server is silent while nobody asks it anything, unless it ends the connection: so it has to answer
        only if there is something to read, or after it has not answered others.
        """
        if self.closed or self.breaker.down or _readable(self.fileno()):
            self.execute("SELECT 1")
            self.rollback()

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Run a step of psycopg's protocol; when the time is up, the connection is closed."""
        with waiting(FOREVER) as seconds:
            seconds = min(seconds, self.breaker.a_try if self.breaker.down else self.longest)
            limit = seconds if timeout is None and seconds < FOREVER else timeout
            try:
                return super().wait(gen, interval=interval, timeout=limit)
            except _WaitTimeout:
                if timeout is not None:
                    raise
                self.breaker.failed()
                self.close()  # its protocol is in the middle of something
                raise psycopg.OperationalError("the database did not answer in time") from None


def _readable(file: int) -> bool:
    waiting = select.poll()
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(0))


class ReplicaConnection(Connection):
    """A connection to a replica, for which there is always another to ask."""

    breaker = replica_answering
    longest = A_TRY


def connect(kind: type[Connection], *arguments: Any, **parameters: Any) -> Connection:
    """Open a connection to PostgreSQL, unless the request has used up its time."""
    budget = _budget.get()
    if budget is not None and budget.left <= 0:
        raise psycopg.OperationalError("the database did not answer in time")
    with waiting(FOREVER):
        return kind.connect(*arguments, **parameters)


def unavailable(error: SQLAlchemyError) -> bool:
    """Whether this says that the database cannot be used now, rather than that we used it wrongly."""
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


def init_app(app: Flask) -> None:
    """Give every request its budget."""

    @app.url_value_preprocessor  # before those of blueprints, of which one looks tokens up
    def begin_request(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
        begin()

    @app.teardown_request
    def end_request(_error: BaseException | None) -> None:
        _budget.set(None)
