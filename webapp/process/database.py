"""Database setup: SQLite's journal and locks, PostgreSQL's limits, and `write_tx()`.

Reads begin a plain transaction. Writes happen inside `write_tx()`, which takes SQLite's write lock at its
start; a write anywhere else raises. Measured on two cores with 16 connections: a third of deferred writes
fail at any busy timeout, and immediate transactions halve the throughput of reads.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, cast

import sqlalchemy as sa
from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Engine
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import ConnectionPoolEntry

from webapp.process.operation import patience

log = logging.getLogger(__name__)

THREADS = 4  # of a web process; each has a connection
OWNER_ALONE = 0o600
# PostgreSQL's SQLSTATEs for an expired lock_timeout, a deadlock, and a serialization failure.
TRY_AGAIN = ("55P03", "40P01", "40001")


class Base(DeclarativeBase):
    """Base of all models; constraint names are fixed so that migrations can name them."""

    __table__: ClassVar[sa.Table]  # narrows SQLAlchemy's type: a model can also map a query

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


may_write: ContextVar[bool] = ContextVar("may_write", default=False)

db = SQLAlchemy(model_class=Base)

_process_lock = threading.Lock()
_writes = object()


class Busy(Exception):
    """A write couldn't get its locks in time; the request can be repeated."""


class WriteOutsideTransaction(RuntimeError):
    """A write outside `write_tx()`: a programming error."""


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
        "SQLite %s can lose pages in WAL mode: using the slower journal_mode=TRUNCATE. "
        "A Python with SQLite 3.51.3 or later has the faster one.",
        sqlite3.sqlite_version,
    )
    return sqlite3, "TRUNCATE"


def rows_changed(statement: sa.Update | sa.Delete) -> int:
    """Execute a statement in the session. Returns the number of rows changed or deleted."""
    result = cast("sa.CursorResult[Any]", db.session.execute(statement))
    return result.rowcount


def engine_options(database_url: str) -> dict[str, Any]:
    """Return the options of `create_engine` for this database."""
    pool = {
        "pool_size": THREADS,
        "max_overflow": 0,
        "pool_timeout": patience.LONGEST,
        "hide_parameters": True,  # errors are logged, and parameters are personal data
    }
    if database_url.startswith("sqlite"):
        return pool | {
            "module": sqlite_module()[0],
            "connect_args": {"timeout": patience.LONGEST, "check_same_thread": False},
        }
    limits = "-c statement_timeout=5000 -c lock_timeout=2000"
    limits += " -c idle_in_transaction_session_timeout=10000"
    # Notice a lost server within ten seconds, also in the worker, which waits longer for locks.
    network = {"connect_timeout": 2, "tcp_user_timeout": 10_000, "keepalives_idle": 5}
    network |= {"keepalives_interval": 2, "keepalives_count": 3}
    return pool | {"pool_pre_ping": True, "connect_args": {"options": f"{limits} -c timezone=UTC", **network}}


def prepare(engine: Engine) -> None:
    """Register this module's event listeners on a new engine."""
    for happening in ("do_execute", "do_executemany", "do_execute_no_params"):
        event.listen(engine, happening, _refuse_stray_writes)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(
            engine,
            "begin",
            lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE" if may_write.get() else "BEGIN"),
        )
    else:
        from webapp.process.operation.postgresql import Connection

        event.listen(
            engine,
            "do_connect",
            lambda _dialect, _entry, given, named: Connection.connect(*given, **named),
        )


def _refuse_stray_writes(_cursor: Any, statement: str, *_more: Any) -> None:
    if not may_write.get() and statement.lstrip()[:6].upper() in ("INSERT", "UPDATE", "DELETE"):
        raise WriteOutsideTransaction(statement)


def _set_up_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # we issue BEGIN ourselves
    for pragma in (
        f"journal_mode={sqlite_module()[1]}",
        "synchronous=FULL",
        "foreign_keys=ON",
        "trusted_schema=OFF",
        "temp_store=MEMORY",
        "cache_size=-4000",  # KiB per connection; each thread has one, and a large import fills them all
        "journal_size_limit=67108864",
        "mmap_size=0",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


@contextmanager
def writing(*, seen: bool = True) -> Iterator[None]:
    """Allow writes in this context without `write_tx()`, for migrations.

    seen: whether players other than the writer may see the result.
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
    """Return an object that changes with each write of this process that others may see."""
    return _writes


@contextmanager
def write_tx(*, seen: bool = True) -> Iterator[None]:
    """One write transaction on `db.session`: committed at the end, rolled back on any error.

    Discards what the session has read before, since it belongs to an older snapshot. Raises Busy if the
    lock isn't available in time. seen: as in `writing`.
    """
    if may_write.get():
        raise WriteOutsideTransaction("write_tx() does not nest")
    session = db.session
    # One thread of this process at a time writes to SQLite; PostgreSQL has its own locks.
    alone = _process_lock if db.engine.dialect.name == "sqlite" else threading.Lock()
    if not alone.acquire(timeout=patience.LONGEST):
        raise Busy("this process is already writing")
    try:
        if session.registry.has():
            # PostgreSQL may have ended the idle read already, and we don't need it
            with suppress(sa.exc.DBAPIError):
                session.rollback()
        with writing(seen=seen):
            try:
                session.connection()
                yield
                session.commit()
            except BaseException:
                session.rollback()
                raise
    except sa.exc.DBAPIError as error:
        code = getattr(error.orig, "sqlite_errorcode", None)
        locked = code is not None and code & 0xFF == sqlite3.SQLITE_BUSY
        if locked or getattr(error.orig, "sqlstate", None) in TRY_AGAIN:
            raise Busy(str(error)) from None
        raise
    finally:
        alone.release()


def upsert(table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    """Return an INSERT into `table` with `on_conflict_do_update` and `on_conflict_do_nothing`.

    Both databases use the same syntax, but SQLAlchemy has a class for each. Needs an app context.
    """
    on_postgresql = db.engine.dialect.name == "postgresql"
    return postgresql.insert(table) if on_postgresql else sqlite.insert(table)


def hold_lock(*key: int) -> None:
    """Hold a named lock until the end of the current `write_tx()`.

    key: one number, or two, for the kind of thing and its id; the two forms never collide. Take several locks
    in ascending order, so that no two transactions deadlock. SQLite has one writer and needs no locks.
    """
    if db.engine.dialect.name == "postgresql":
        db.session.execute(sa.select(sa.func.pg_advisory_xact_lock(*key)))


def make_private(file: str) -> None:
    """Make a database file readable by its owner only; SQLite gives the journal the same mode."""
    path = Path(file)
    with suppress(OSError):  # if the folder is missing, the first connection reports it
        path.touch(mode=OWNER_ALONE)
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(FileNotFoundError, PermissionError):  # leave a file of another user as it is
            each.chmod(OWNER_ALONE)


def init_app(app: Flask, database_url: str) -> None:
    """Bind the database to a Flask app; see `engine_options`."""
    app.config["SQLALCHEMY_DATABASE_URI"] = database_url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(database_url)
    db.init_app(app)

    @app.teardown_appcontext  # runs before the extension's own handler, which raises
    def end_session(_error: BaseException | None) -> None:
        """End the context's session, even if its connection was dropped meanwhile.

        The response is already complete; an error here would turn it into a 500.
        """
        try:
            db.session.remove()
        except sa.exc.SQLAlchemyError:
            with suppress(sa.exc.SQLAlchemyError):
                db.session().invalidate()
            db.session.registry.clear()

    with app.app_context():
        for engine in db.engines.values():
            if engine.dialect.name == "sqlite" and engine.url.database:
                make_private(engine.url.database)
            prepare(engine)


def close() -> None:
    """Close idle connections, before this process exits or forks."""
    for engine in db.engines.values():
        engine.dispose()
