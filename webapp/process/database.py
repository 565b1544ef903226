"""Database setup: SQLite's journal and locks, PostgreSQL's limits, and the only way to write.

Reads begin a plain transaction. Writes happen inside `write_tx()`, which takes SQLite's write lock at its
start; a write anywhere else raises. Measured on two cores with 16 connections: deferred writes fail in
a third of all cases whatever the busy timeout, immediate transactions for reads halve their throughput, and
a fair retry with one lock per process cuts the slowest percent from about 390 ms to 40 ms.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, cast

import psycopg
import sqlalchemy as sa
from flask import current_app
from flask_sqlalchemy import SQLAlchemy
from flask_sqlalchemy.session import Session as OneDatabase
from sqlalchemy import event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import ConnectionPoolEntry

from webapp.process.operation import patience
from webapp.process.operation.statements import (
    Statement,
    Values,
    WriteOutsideTransaction,
    may_write,
    refuse_stray_writes,
    watched,
)

log = logging.getLogger(__name__)

# Threads of a web process, each with a connection. On SQLite, a commit takes in all that waits: with eight
# instead of four, two cores store a tenth more batches. On PostgreSQL, where connections are dear, as many.
SQLITE_THREADS, POSTGRESQL_THREADS = 8, 4
OWNER_ALONE = 0o600
# PostgreSQL's SQLSTATEs for an expired lock_timeout, a deadlock, and a serialization failure.
TRY_AGAIN = ("55P03", "40P01", "40001")
WAIT_FOR_LOCK = 5.0  # seconds until a write gives up with `Busy`; a request has a budget for all it waits for


class Base(DeclarativeBase):
    """Base of all models; constraint names are fixed so that migrations can name them."""

    __table__: ClassVar[sa.Table]  # SQLAlchemy's type is wider: a model can also map a query

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


on_replica: ContextVar[bool] = ContextVar(
    "on_replica", default=False
)  # set by webapp/competition/replica.py alone
REPLICA = "replica"  # its engine among `db.engines`


class Session(OneDatabase):
    """Reads from the replica while `on_replica` says so; writes never go there."""

    def get_bind(self, *arguments: Any, **named: Any) -> Engine | Connection:
        """Return the engine for a statement."""
        if on_replica.get() and not may_write.get():
            return db.engines[REPLICA]
        return super().get_bind(*arguments, **named)


db = SQLAlchemy(model_class=Base, session_options={"class_": Session})

_process_lock = threading.Lock()
_writes = object()
# SQLite's file: whether it could be read and locked for writing when last tried.
_reading, _locking = patience.Breaker(), patience.Breaker()


class Busy(Exception):
    """A write could not get its locks in time; the request can be repeated."""


def wal_is_safe(version: tuple[int, int, int]) -> bool:
    """Whether this SQLite is free of the WAL-reset race, fixed in 3.51.3, 3.50.7 and 3.44.6."""
    if version >= (3, 51, 3):
        return True
    return version[:2] in ((3, 44), (3, 50)) and version >= {44: (3, 44, 6), 50: (3, 50, 7)}[version[1]]


@cache
def sqlite_module() -> tuple[ModuleType, str]:
    """Return the SQLite driver and journal mode: the standard driver if it is safe, else pysqlite3."""
    if wal_is_safe(sqlite3.sqlite_version_info):
        return sqlite3, "WAL"
    try:
        import pysqlite3
    except ImportError:
        pysqlite3 = None
    if pysqlite3 is not None and wal_is_safe(pysqlite3.sqlite_version_info):
        return pysqlite3, "WAL"
    log.warning(
        "SQLite %s can lose pages in WAL mode: using the slower journal_mode=TRUNCATE (update pysqlite3)",
        sqlite3.sqlite_version,
    )
    return sqlite3, "TRUNCATE"


def rows_changed(statement: sa.Update | sa.Delete) -> int:
    """Execute a statement in the session. Returns the number of rows changed or deleted."""
    result = cast("sa.CursorResult[Any]", db.session.execute(statement))
    return result.rowcount


def rows_of(statement: Statement, values: Values) -> list[tuple[Any, ...]]:
    """Return what one statement reads, by itself: for what is asked all the time.

    A session and a transaction around it would cost many times as much, and PostgreSQL answers each BEGIN and
    ROLLBACK too. If this context's session has begun to read, it reads this as well: with two connections for
    one thread, all threads at once would wait for each other's.
    """
    if db.session.registry.has() and db.session().in_transaction():
        return statement.rows(db.session.connection(), values)
    with db.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            return statement.rows(_committing(connection), values)
        if watched(connection):
            return statement.rows(connection, values)
        with _reading.attempt(), patience.waiting(WAIT_FOR_LOCK) as seconds:  # as at a BEGIN
            _wait_at_most(seconds, connection.connection.driver_connection)
            return statement.rows(connection, values)


def _committing(connection: Connection) -> Connection:
    """Return a connection of PostgreSQL's on which each statement is a transaction."""
    return connection.execution_options(isolation_level="AUTOCOMMIT")


def web_threads(database_url: str) -> int:
    """Return how many threads a web process has with this database, each with a connection."""
    return SQLITE_THREADS if database_url.startswith("sqlite") else POSTGRESQL_THREADS


def engine_options(database_url: str, *, pooled: bool = False, replica: bool = False) -> dict[str, Any]:
    """Return the options of `create_engine` for this database.

    pooled: it is a pool in transaction mode, where a session changes hands at the end of each transaction. So
    nothing is prepared in it, and the pool sets its limits (docs/deployment/pgbouncer.ini).
    """
    pool = {
        "pool_size": web_threads(database_url),
        "max_overflow": 0,
        "pool_timeout": patience.A_REQUEST,
        "poolclass": patience.ReplicaPool if replica else patience.Pool,
        "hide_parameters": True,  # errors are logged, and what is stored is nobody's business there
    }
    if database_url.startswith("sqlite"):
        return pool | {
            "module": sqlite_module()[0],
            "connect_args": {"timeout": WAIT_FOR_LOCK, "check_same_thread": False},
        }
    limits = "-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000"
    # A server that is cut off is noticed after ten seconds at most, even by a worker that waits for it.
    network = {"connect_timeout": 2, "tcp_user_timeout": 10_000, "keepalives_idle": 5}
    network |= {"keepalives_interval": 2, "keepalives_count": 3}
    session = {"prepare_threshold": None} if pooled else {"options": f"{limits} -c timezone=UTC"}
    return pool | {"connect_args": {**session, **network}}


def prepare(engine: Engine, *, replica: bool = False) -> None:
    """Register this module's event listeners on a new engine."""
    # Of the dialect: a listener of the engine itself would cost every statement, transaction and connection.
    for happening in ("do_execute", "do_executemany", "do_execute_no_params"):
        event.listen(engine, happening, refuse_stray_writes)
    if engine.dialect.name == "sqlite":
        journal_mode = sqlite_module()[1]

        def on_connect(connection: Any, _entry: ConnectionPoolEntry) -> None:
            connection.isolation_level = None  # we issue BEGIN ourselves
            for pragma in (
                f"journal_mode={journal_mode}",
                "synchronous=FULL",
                "foreign_keys=ON",
                "trusted_schema=OFF",
                "temp_store=MEMORY",
                "cache_size=-4000",  # KiB; each thread has one, and a large import fills them all
                "journal_size_limit=67108864",
                "mmap_size=0",
            ):
                connection.execute(f"PRAGMA {pragma}").close()

        event.listen(engine, "connect", on_connect)
        dialect: Any = engine.dialect
        dialect.do_begin = partial(
            _begin_sqlite, dialect.loaded_dbapi.OperationalError
        )  # for the same reason
    else:
        kind = patience.ReplicaConnection if replica else patience.Connection

        def on_do_connect(_dialect: Any, _entry: Any, arguments: Any, parameters: Any) -> Any:
            return patience.connect(kind, *arguments, **parameters)

        def on_checkout(connection: Any, _entry: ConnectionPoolEntry, _proxy: Any) -> None:
            try:
                connection.ping()
            except psycopg.OperationalError:
                raise sa.exc.InvalidatePoolError from None  # others will have lost theirs too

        event.listen(engine, "do_connect", on_do_connect)
        event.listen(engine, "checkout", on_checkout)


def _wait_at_most(seconds: float, driver: Any) -> None:
    driver.execute(f"PRAGMA busy_timeout={int(seconds * 1000)}").close()


def _begin_sqlite(failure: type[Exception], connection: Any) -> None:
    driver = connection.driver_connection
    if may_write.get():
        _begin_write(driver, failure)
    else:
        with _reading.attempt():
            _begin_read(driver, failure)


def _begin_read(driver: Any, failure: type[Exception]) -> None:
    """Begin to read, waiting for the lock now: a database that is locked fails here and nowhere later."""
    with patience.waiting(WAIT_FOR_LOCK) as seconds:
        _wait_at_most(seconds, driver)
        driver.execute("BEGIN").close()
        try:
            driver.execute("SELECT 1 FROM sqlite_schema LIMIT 1").close()
        except failure as error:
            driver.execute("ROLLBACK").close()
            raise sa.exc.OperationalError("BEGIN", None, error) from None


def _begin_write(driver: Any, failure: type[Exception]) -> None:
    """Begin to write.

    SQLite's own busy handler sleeps up to 100 ms and starves the longest waiter, so we retry every
    millisecond. What is read later keeps a timeout, for a crashed writer's journal that is recovered.
    """
    _wait_at_most(0, driver)
    try:
        with patience.waiting(WAIT_FOR_LOCK) as seconds:
            give_up = time.monotonic() + (min(seconds, patience.A_TRY) if _locking.down else seconds)
            while True:
                try:
                    driver.execute("BEGIN IMMEDIATE").close()
                    _locking.worked()
                    return
                except failure as error:
                    if "locked" not in str(error) and "busy" not in str(error):
                        raise
                    if time.monotonic() > give_up:
                        _locking.failed()
                        raise Busy(str(error)) from None
                time.sleep(0.001)
    finally:
        _wait_at_most(patience.A_REQUEST, driver)


@contextmanager
def writing(*, seen: bool = True) -> Iterator[None]:
    """Allow writes in this context without `write_tx()`, for migrations.

    seen: whether what is written may be seen by others than the player who writes it.
    """
    global _writes
    token = may_write.set(True)
    try:
        yield
    finally:
        may_write.reset(token)
        if seen:
            _writes = object()


def writes() -> object:
    """Return what is another object after each write of this process that others may see."""
    return _writes


@contextmanager
def write_tx() -> Iterator[None]:
    """One write transaction on `db.session`: committed at the end, rolled back on any error.

    Discards what the session has read before, since it belongs to an older snapshot. Raises Busy if the
    lock is not available in time.
    """
    with _only_writer(), _transaction():
        yield


@contextmanager
def _only_writer() -> Iterator[None]:
    """Exclude other threads of this process that write to SQLite; PostgreSQL has its own locks."""
    if may_write.get():
        raise WriteOutsideTransaction("write_tx() does not nest")
    if db.engine.dialect.name != "sqlite":
        yield
        return
    with patience.waiting(WAIT_FOR_LOCK) as seconds:
        # Where the file stays locked, one thread waits for it, and the others do not wait for that one.
        got = _process_lock.acquire(timeout=min(seconds, patience.BRIEFLY) if _locking.down else seconds)
    if not got:
        raise Busy("this process is already writing")
    try:
        yield
    finally:
        _process_lock.release()


@contextmanager
def _transaction() -> Iterator[None]:
    session = db.session
    _leave_snapshot()
    with writing(), _busy_if_locked():
        try:
            session.connection()
            yield
            session.commit()
        except BaseException:
            session.rollback()
            raise


def _leave_snapshot() -> None:
    """End what the session reads: it is older than the write to come, and holds one of the connections."""
    if db.session.registry.has():
        with suppress(sa.exc.DBAPIError):  # PostgreSQL may have ended an idle read, which we no longer need
            db.session.rollback()


@contextmanager
def _busy_if_locked() -> Iterator[None]:
    try:
        yield
    except sa.exc.DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) in TRY_AGAIN:
            raise Busy(str(error)) from None
        raise


Work = Callable[[Connection], Any]


@dataclass(eq=False, slots=True)
class _Write:
    work: Work
    alone: bool
    settled: threading.Event = field(default_factory=threading.Event)
    result: Any = None
    error: BaseException | None = None


def upsert(table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    """Return an INSERT into `table` with `on_conflict_do_update` and `on_conflict_do_nothing`.

    Both databases use the same syntax, but SQLAlchemy has a class for each. Needs an app context.
    """
    on_postgresql = db.engine.dialect.name == "postgresql"
    return postgresql.insert(table) if on_postgresql else sqlite.insert(table)


def hold_lock(*key: int) -> None:
    """Inside `write_tx()`: until its end no other transaction holds the lock of this name.

    key: one number, or a number for what is locked and one for which of its kind: two separate spaces. Take
    several in ascending order, so that no two transactions deadlock. SQLite, with one writer, needs none.
    """
    if db.engine.dialect.name == "postgresql":
        db.session.execute(sa.select(sa.func.pg_advisory_xact_lock(*key)))


def write_together(work: Work, *, alone: bool = False) -> Any:
    """Run `work` and return its result once committed, possibly together with the work of other threads.

    alone: only one player will see a difference, and on PostgreSQL it is one statement, which commits itself
    and so waits for one answer, not three.

    SQLite has one writer at a time and waits for the disk at each commit. So the thread that gets the lock
    commits all work waiting in this process. `work` may run in another thread, and a second time if a
    neighbor failed, so it may use only its connection, which costs less than a session. Raises what `work`
    raises, and Busy.
    """
    if db.engine.dialect.name != "sqlite":
        _leave_snapshot()
        with _only_writer(), writing(seen=not alone), _busy_if_locked():
            if alone:
                with db.engine.connect() as connection:
                    return work(_committing(connection))
            with db.engine.begin() as connection:
                return work(connection)
    waiting: deque[_Write] = current_app.extensions["waiting_writes"]
    write = _Write(work, alone)
    waiting.append(write)
    try:
        with _only_writer():
            if not write.settled.is_set():
                _settle(list(_taken(waiting)))
    except (Busy, WriteOutsideTransaction):
        with suppress(ValueError):
            waiting.remove(write)
            raise  # no other thread has taken it: nothing is stored
        write.settled.wait()
    if write.error is not None:
        raise write.error
    return write.result


def _taken(waiting: deque[_Write]) -> Iterator[_Write]:
    with suppress(IndexError):
        while True:
            yield waiting.popleft()


def _settle(waiting: list[_Write]) -> None:
    """Commit these together or, if one fails, one by one."""
    try:
        _leave_snapshot()
        seen = not all(write.alone for write in waiting)
        with writing(seen=seen), db.engine.begin() as connection:
            for write in waiting:
                write.result = write.work(connection)
        error: BaseException | None = None
    except BaseException as caught:
        if len(waiting) > 1 and not isinstance(caught, Busy):
            for write in waiting:
                _settle([write])
            return
        error = caught
    for write in waiting:
        write.error = error
        write.settled.set()


def for_its_owner_alone(file: str) -> None:
    """Let nobody else read a database file; SQLite gives its journal the same mode."""
    path = Path(file)
    with suppress(OSError):  # where there is no such folder, the first connection says so
        path.touch(mode=OWNER_ALONE)
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(FileNotFoundError, PermissionError):  # another's file, readable for us, stays as it is
            each.chmod(OWNER_ALONE)


def init_app(app: Any, database_url: str, *, pooled: bool = False, replica_url: str | None = None) -> None:
    """Bind the databases to a Flask app; see `engine_options`, and webapp/competition/replica.py."""
    app.extensions["waiting_writes"] = deque()
    app.config["SQLALCHEMY_DATABASE_URI"] = database_url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(database_url, pooled=pooled)
    if replica_url is not None:
        replica = {"url": replica_url} | engine_options(replica_url, replica=True)
        app.config["SQLALCHEMY_BINDS"] = {REPLICA: replica}
    db.init_app(app)
    app.teardown_appcontext(_end_session)  # before the extension's own, which raises
    with app.app_context():
        for name, engine in db.engines.items():
            if engine.dialect.name == "sqlite" and engine.url.database:
                for_its_owner_alone(engine.url.database)
            prepare(engine, replica=name == REPLICA)


def close() -> None:
    """Close the connections that nobody uses: of a process that ends, or is to fork."""
    for engine in db.engines.values():
        engine.dispose()


def _end_session(_error: BaseException | None) -> None:
    """End the context's session, even if its connection was dropped meanwhile.

    What was answered from it stays answered: an error here would turn the response into a 500.
    """
    try:
        db.session.remove()
    except sa.exc.SQLAlchemyError:
        with suppress(sa.exc.SQLAlchemyError):
            db.session().invalidate()
        db.session.registry.clear()
