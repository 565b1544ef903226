"""Access to a site's data: its SQLite files or its PostgreSQL database, without the site's own limits.

The services of this folder read and write whole databases. The site's engine has short timeouts and refuses
writes outside its transactions, so they open connections of their own.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import sqlalchemy as sa

from webapp.identity.workers import LATELY
from webapp.process import signing
from webapp.process.commands.reporting import Trouble
from webapp.process.config import Settings
from webapp.process.database import sqlite_module

if TYPE_CHECKING:
    import psycopg

PRIVATE = 0o600  # mode of every file written here: they hold addresses, password hashes and keys
JOBS = "jobs.sqlite"
DAMAGED = ".damaged"  # suffix for a replaced file that couldn't be read
LEAVING = 3.0  # seconds until a closed connection counts as in use
# Autovacuum has sessions too.
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)
_POSTGRESQL = Path("/usr/lib/postgresql")  # where Debian keeps each major version's programs


@contextmanager
def private(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write that only its owner reads; it is on the disk in the end."""
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, PRIVATE)) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def site_file(settings: Settings) -> Path | None:
    """Return the file of a site on SQLite; None on PostgreSQL."""
    parsed = sa.make_url(settings.database_url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return None
    return Path(parsed.database).absolute()


def keeps_secret(settings: Settings) -> bool:
    """Whether the site's key is in INSTANCE_PATH, and not in the environment."""
    secret = settings.instance_path / signing.FILE
    return secret.exists() and settings.secret_key in secret.read_text().splitlines()[:1]


def open_file(file: Path, wait: float = 30.0) -> Any:
    """Connect to a SQLite file, creating it if it is missing; the caller handles transactions."""
    return sqlite_module()[0].connect(file, timeout=wait, isolation_level=None)


def tables(connection: Any) -> list[str]:
    """Return the names of the tables in a SQLite file, or in PostgreSQL's schema `public`."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    if hasattr(connection, "pgconn"):
        query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    return [name for (name,) in connection.execute(query)]


def rows(connection: Any) -> dict[str, int]:
    """Return the number of rows in each table."""
    counted = {}
    for table in tables(connection):
        (counted[table],) = connection.execute(count_of(table)).fetchone()
    return counted


def revision(connection: Any) -> str | None:
    """Return the schema revision; None without tables of ours."""
    if "alembic_version" not in tables(connection):
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def count_of(table: str) -> str:
    return str(sa.select(sa.func.count()).select_from(sa.table(sa.quoted_name(table, quote=True))))


def quoted(name: str) -> str:
    """Return a name quoted for both databases."""
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def alone_with(file: Path, now: datetime) -> Iterator[bool]:
    """Lock a SQLite file against all sites. Yields whether it was readable.

    Checkpoints its journal first. Raises Trouble if a site has it open.
    """
    module = sqlite_module()[0]
    running = Trouble(f"A site is using {file}. Stop it first.")
    with closing(open_file(file, wait=0.0)) as connection:
        try:
            journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
            # Only the last connection can leave WAL mode; in other modes, idle connections are undetectable.
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            if journal != "wal" and _seen_lately(connection, now):
                raise running
            connection.execute("BEGIN EXCLUSIVE")
        except module.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise running from None
        except module.DatabaseError:  # not a database anymore
            yield False
            return
        yield True
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _seen_lately(connection: Any, now: datetime) -> bool:
    if "heartbeat" not in tables(connection):
        return False
    (seen,) = connection.execute("SELECT max(seen_at) FROM heartbeat").fetchone()
    return seen is not None and now - datetime.fromisoformat(f"{seen}+00:00") < LATELY


@contextmanager
def postgresql(url: str) -> Iterator[psycopg.Connection]:
    """Return a connection to PostgreSQL without timeouts. Raises Trouble if it fails."""
    import psycopg

    parsed = sa.make_url(url).set(drivername="postgresql")
    try:
        connection = psycopg.connect(
            parsed.render_as_string(hide_password=False), connect_timeout=10, options="-c timezone=UTC"
        )
    except psycopg.OperationalError as error:
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise Trouble(f"Cannot connect to {shown(url)}: {reason}") from None
    with closing(connection):
        yield connection


def shown(url: str) -> str:
    """Return a database's URL without its password."""
    return sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=True)


def others_connected(connection: psycopg.Connection) -> bool:
    """Whether other clients use this database; those that have just left are listed for another moment."""
    give_up = time.monotonic() + LEAVING
    while True:
        row = connection.execute(_OTHERS).fetchone()
        if row == (0,) or time.monotonic() > give_up:
            return row != (0,)
        time.sleep(0.1)
        connection.execute("SELECT pg_stat_clear_snapshot()")


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs: from PATH, else Debian's newest."""
    found = shutil.which(name)
    if found is not None:
        return found
    versions = sorted(_POSTGRESQL.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    if not versions:
        raise Trouble(
            f"{name} isn’t installed. It comes with PostgreSQL’s client programs: "
            "on Debian, `apt install postgresql-client`."
        )
    return str(versions[-1])


def libpq(url: str) -> tuple[str, dict[str, str]]:
    """Return the URL for PostgreSQL's programs, and an environment with the password."""
    parsed = sa.make_url(url).set(drivername="postgresql")
    environment = dict(os.environ)
    if parsed.password is not None:
        environment["PGPASSWORD"] = str(parsed.password)
    without = sa.URL.create(
        "postgresql", parsed.username, None, parsed.host, parsed.port, parsed.database, parsed.query
    )
    return without.render_as_string(), environment
