"""Copy a site from SQLite to PostgreSQL, comparing every row on both sides.

Everything is one transaction: a copy that is interrupted leaves no row behind and is simply run again. Values
are passed as SQLite stores them; PostgreSQL parses them into its types and rejects invalid ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import psycopg
import sqlalchemy as sa
from flask import Flask
from psycopg import sql
from sqlalchemy.dialects import sqlite

from webapp.models.months import provide
from webapp.process.commands import schema
from webapp.process.commands.reporting import Trouble
from webapp.process.commands.schema import upgrade
from webapp.process.config import Settings, database_url
from webapp.process.database import close, db, sqlite_module, write_tx
from webapp.site.storage import places

STEP = 20_000  # rows in memory


def target_url(text: str) -> str:
    """Validate and complete the URL of the target database. Raises Trouble."""
    try:
        url = database_url(text, Path())
    except ValueError as error:
        raise Trouble(f"--to: {error}") from None
    if not url.startswith("postgresql"):
        raise Trouble("--to: expected postgresql://HOST/DATABASE.")
    return url


def copy(
    make: Callable[[Settings], Flask],
    settings: Settings,
    to: str,
    now: datetime,
    progress: Callable[[str, int], object] = lambda _table, _rows: None,
) -> dict[str, int]:
    """Copy the site to the PostgreSQL database `to`; returns each table's number of rows. Raises Trouble.

    make: creates an app from settings, to create the tables with.
    progress: called with a table and the number of its rows copied since the last call.
    """
    file = places.site_file(settings)
    if file is None:
        raise Trouble("The site is on PostgreSQL already. Use `flask backup` and `flask restore` to move it.")
    if not file.is_file():
        raise Trouble(f"There is no site at {file} yet.")
    with places.alone_with(file, now) as readable:
        if not readable:
            raise Trouble(f"{file} is damaged. Restore a backup first.")
        own = schema.revisions()[-1]
        with sqlite_file(file).connect() as source:
            if (revision := places.revision(source.connection.driver_connection)) != own:
                raise Trouble(
                    f"The site’s schema is at revision {revision}, and this release needs {own}. "
                    "Run `flask db upgrade` first."
                )
            with places.postgresql(to) as empty:
                there = places.rows(empty)
                if there and ("alembic_version" not in there or sum(there.values()) > 1):
                    raise Trouble(f"{places.shown(to)} has tables already. Copy to an empty database.")
            months = source.execute(sa.text("SELECT DISTINCT month FROM packed_log")).scalars().all()
            with make(replace(settings, database_url=to)).app_context():
                upgrade()
                with write_tx():
                    provide(list(map(date.fromisoformat, months)))
                db.session.remove()
                close()
            copied = {}
            with server(to).begin() as target:
                for table in db.metadata.sorted_tables:  # in the order of their references
                    _copy_table(source, target, table, progress)
                    copied[table.name] = compare(source, target, table)
                target.execute(sa.text("ANALYZE"))
    return copied


def sqlite_file(file: Path) -> sa.Engine:
    """Return an engine for a file that nothing can write to: it has no journal and is read without locks."""
    address = f"{file.as_uri()}?immutable=1"
    return sa.create_engine("sqlite://", creator=lambda: sqlite_module()[0].connect(address, uri=True))


def server(url: str) -> sa.Engine:
    """Return an engine for PostgreSQL without the site's timeouts."""
    return sa.create_engine(url, poolclass=sa.NullPool, connect_args={"options": "-c timezone=UTC"})


def _copy_table(
    source: sa.Connection,
    target: sa.Connection,
    table: sa.Table,
    progress: Callable[[str, int], object],
) -> None:
    """Copy the rows, and let new ones be numbered after them."""
    names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
    query = sa.select(table).order_by(*table.primary_key.columns)
    read, written = source.connection.driver_connection, target.connection.driver_connection
    assert read is not None and written is not None
    rows = read.execute(str(query.compile(dialect=sqlite.dialect())))
    try:
        with written.cursor().copy(into) as copying:
            while part := rows.fetchmany(STEP):
                for values in part:
                    copying.write_row(values)
                progress(table.name, len(part))
    except (psycopg.DataError, psycopg.IntegrityError) as error:
        where = error.diag.message_detail or (error.diag.context or "").partition("\n")[0]
        raise Trouble(
            f"PostgreSQL refuses a row of {table.name}: {error.diag.message_primary} ({where[:200]})."
        ) from None
    for column in table.primary_key.columns:
        sequence = sa.func.pg_get_serial_sequence(places.quoted(table.name), column.name)
        if target.scalar(sa.select(sequence)) is not None:
            last = sa.func.coalesce(sa.func.max(column), 1)
            target.execute(sa.select(sa.func.setval(sequence, last, sa.func.count() > 0)).select_from(table))


def compare(source: sa.Connection, target: sa.Connection, table: sa.Table) -> int:
    """Compare the rows of a table by the sum of their hashes. Returns how many. Raises Trouble."""
    found = []
    for connection in (source, target):
        rows = hashes = 0
        for row in connection.execute(sa.select(table), execution_options={"yield_per": STEP}):
            rows, hashes = rows + 1, hashes + hash(str(row))
        found.append((rows, hashes))
    (here, _), (there, _) = found
    if found[0] != found[1]:
        raise Trouble(f"The copy of {table.name} differs: {here:,} rows in SQLite, {there:,} in PostgreSQL.")
    return here
