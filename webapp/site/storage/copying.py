"""Copy a site from SQLite to PostgreSQL, comparing row counts and sums of every table on both sides.

Everything is one transaction: a copy that is interrupted leaves no row behind and is simply run again. Values
are passed as SQLite stores them; PostgreSQL parses them into its types and rejects invalid ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from flask import Flask
from flask_migrate import upgrade
from psycopg import sql
from sqlalchemy.dialects import postgresql, sqlite

from webapp.models.months import provide
from webapp.process.commands import schema
from webapp.process.commands.reporting import Trouble
from webapp.process.config import Settings, database_url
from webapp.process.database import close, db, sqlite_module, write_tx
from webapp.site.storage import places

STEP = 20_000  # rows in memory
PART = 1_000_003  # a prime: large numbers are compared by the sums of their quotients and remainders by it
CLOSE = 1e-9  # relative tolerance for sums of floats, which depend on the order of addition


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
) -> dict[str, tuple[int, int]]:
    """Copy the site to the PostgreSQL database `to`; returns each table's rows and sums. Raises Trouble.

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
        # Nothing can write to the file now. It has no journal, so it can be read without locks.
        with closing(sqlite_module()[0].connect(f"{file.as_uri()}?immutable=1", uri=True)) as source:
            own = schema.revisions()[-1]
            if (revision := places.revision(source)) != own:
                raise Trouble(
                    f"The site’s schema is at revision {revision}, and this release needs {own}. "
                    "Run `flask db upgrade` first."
                )
            with places.postgresql(to) as target:
                there = places.rows(target)
                if there and ("alembic_version" not in there or sum(there.values()) > 1):
                    raise Trouble(f"{places.shown(to)} has tables already. Copy to an empty database.")
            months = source.execute("SELECT DISTINCT month FROM packed_log").fetchall()
            with make(replace(settings, database_url=to)).app_context():
                upgrade()
                with write_tx():
                    provide([date.fromisoformat(month) for (month,) in months])
                db.session.remove()
                close()
            tables = db.metadata.sorted_tables  # in the order of their references
            with places.postgresql(to) as target, target.transaction():
                for table in tables:
                    _copy_table(source, target, table, progress)
                copied = {table.name: compare(source, target, table) for table in tables}
                _set_sequences(target, tables)
                target.execute("ANALYZE")
    return copied


def _copy_table(
    source: Any, target: psycopg.Connection, table: sa.Table, progress: Callable[[str, int], object]
) -> None:
    names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
    query = sa.select(table).order_by(*table.primary_key.columns)
    rows = source.execute(str(query.compile(dialect=sqlite.dialect())))
    try:
        with target.cursor().copy(into) as copying:
            while part := rows.fetchmany(STEP):
                for values in part:
                    copying.write_row(values)
                progress(table.name, len(part))
    except (psycopg.DataError, psycopg.IntegrityError) as error:
        where = error.diag.message_detail or (error.diag.context or "").partition("\n")[0]
        raise Trouble(
            f"PostgreSQL refuses a row of {table.name}: {error.diag.message_primary} ({where[:200]})."
        ) from None


# Counting and summing


def compare(source: Any, target: psycopg.Connection, table: sa.Table) -> tuple[int, int]:
    """Compare the number of rows and a sum over every column. Returns how many of each. Raises Trouble."""
    queries = []
    # SQLAlchemy leaves the constructors of its dialects untyped.
    dialects: tuple[sa.Dialect, ...] = sqlite.dialect(), postgresql.dialect()  # type: ignore[no-untyped-call]
    for dialect in dialects:
        sums: dict[str, sa.ColumnElement[Any]] = {"rows": sa.func.count()}
        for column in table.columns:
            sums |= {f"{column.name} ({what})": part for what, part in _sums(column, _SQL[dialect.name])}
        query = sa.select(*sums.values()).select_from(table)
        queries.append(str(query.compile(dialect=dialect, compile_kwargs={"literal_binds": True})))
    here: tuple[Any, ...] = source.execute(queries[0]).fetchone()
    there = target.execute(queries[1].encode()).fetchone()
    assert there is not None
    for name, mine, copied in zip(sums, here, there, strict=True):
        if not _equal(mine, copied):
            raise Trouble(
                f"The copy differs: {table.name}, {name}: {mine} in SQLite, {copied} in PostgreSQL."
            )
    return here[0], len(sums)


def _equal(mine: Any, copied: Any) -> bool:
    if isinstance(mine, float):
        return abs(mine - float(copied)) <= CLOSE * max(1.0, abs(mine))
    return bool(mine == (int(copied) if isinstance(copied, Decimal) else copied))


# Numbers derived from a value, in each database.
_SQL = {
    "sqlite": {
        "hexadecimal": "hex({})",
        "seconds": "CAST(strftime('%s', substr({}, 1, 19)) AS INTEGER)",
        "microseconds": "CAST(substr({}, 21, 6) AS INTEGER)",
        "code point": "coalesce(unicode({}), 0)",
    },
    "postgresql": {
        "hexadecimal": "upper(encode({}, 'hex'))",
        "seconds": "floor(extract(epoch FROM ({})::timestamptz))::bigint",
        "microseconds": "mod(extract(microseconds FROM ({})::timestamptz)::bigint, 1000000)",
        "code point": "coalesce(ascii({}), 0)",
    },
}


def _sums(column: sa.Column[Any], words: Mapping[str, str]) -> list[tuple[str, sa.ColumnElement[Any]]]:
    """Return the expressions to sum for a column: its values, or numbers derived from text and times."""
    count = ("values", sa.func.count(column))
    kind = column.type.impl if isinstance(column.type, sa.types.TypeDecorator) else column.type
    if isinstance(kind, sa.Boolean):
        return [count, ("true", sa.func.sum(sa.cast(column, sa.Integer)))]
    if isinstance(kind, sa.BigInteger):  # split, since SQLite rejects a sum beyond 64 bits
        whole = column // PART
        return [count, ("sum", sa.func.sum(column - whole * PART)), ("millions", sa.func.sum(whole))]
    if isinstance(kind, (sa.Integer, sa.Float)):
        return [count, ("sum", sa.func.sum(column))]
    text = places.quoted(column.name)
    if isinstance(kind, (sa.DateTime, sa.Date)):
        parts = {what: words[what].format(text) for what in ("seconds", "microseconds")}
    else:
        if isinstance(kind, sa.LargeBinary):
            text = words["hexadecimal"].format(text)
        parts = {"characters": f"length({text})"}
        for place in (1, 2, 7, 20):
            parts[f"character {place}"] = words["code point"].format(f"substr({text}, {place}, 1)")
    return [count, *((what, sa.func.sum(sa.literal_column(part))) for what, part in parts.items())]


def _set_sequences(target: psycopg.Connection, tables: list[sa.Table]) -> None:
    """Let new rows be numbered after the copied ones."""
    for table in tables:
        for column in table.primary_key.columns:
            row = target.execute(
                "SELECT pg_get_serial_sequence(%s, %s)", [places.quoted(table.name), column.name]
            ).fetchone()
            if row is not None and row[0] is not None:
                last = sql.SQL("SELECT setval(%s, coalesce(max({}), 1), count(*) > 0) FROM {}")
                target.execute(last.format(sql.Identifier(column.name), sql.Identifier(table.name)), row)
