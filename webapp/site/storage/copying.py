"""Copy a site from SQLite to PostgreSQL, comparing row counts and sums of every table on both sides.

Tables are filled in the order of their references, in transactions that also record the progress. So an
interrupted copy continues where it stopped, and no row is copied twice. Values are passed as SQLite stores
them; PostgreSQL parses them into its types and rejects invalid ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
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

STEP = 20_000  # rows per transaction
PROGRESS = "copy_progress"  # a table of the target, until the copy is complete
REFERENCES = "copy_reference"  # a table of the target: the dropped foreign keys, restored at the end
PART = 1_000_003  # a prime: large numbers are compared by the sums of their quotients and remainders by it
CLOSE = 1e-9  # relative tolerance for sums of floats, which depend on the order of addition


@dataclass(frozen=True, slots=True)
class Copied:
    """The result for one table."""

    table: str
    rows: int
    sums: int  # how many sums were compared


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
) -> list[Copied]:
    """Copy the site to the PostgreSQL database `to`. Raises Trouble.

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
            mark = f"{file.stat().st_size}-{_change_counter(file)}"
            with places.postgresql(to) as target:
                target.autocommit = True  # every step has its own transaction
                begun = _begun(target, to)
                if begun is not None and begun != mark:
                    raise Trouble(
                        f"{places.shown(to)} holds part of an older copy, and the site has changed since. "
                        "Empty that database, then start again."
                    )
                if begun is None:
                    _begin(target, mark)
                _create_tables(make, settings, to, _months(source))
                _put_references_aside(target)
                tables = [table for table in db.metadata.sorted_tables if table.name != "alembic_version"]
                for table in tables:
                    _copy_table(source, target, table, progress)
                copied = [compare(source, target, table) for table in tables]
                _check_references(target)
                _finish(target, tables)
    return copied


def _change_counter(file: Path) -> int:
    """Return SQLite's count of transactions that changed the file, from its header."""
    with file.open("rb") as opened:
        opened.seek(24)
        return int.from_bytes(opened.read(4), "big")


def _begun(target: psycopg.Connection, to: str) -> str | None:
    """Return the source of an unfinished copy on the target; None for an empty target. Raises Trouble."""
    tables = places.tables(target)
    if not tables:
        return None
    if PROGRESS not in tables:
        raise Trouble(f"{places.shown(to)} has tables already. Copy to an empty database.")
    row = target.execute("SELECT source FROM copy_progress WHERE table_name = ''").fetchone()
    return None if row is None else str(row[0])


def _months(source: Any) -> list[date]:
    """Return the months of the packed logs."""
    found = source.execute("SELECT DISTINCT month FROM packed_log")
    return [date.fromisoformat(month) for (month,) in found]


def _create_tables(
    make: Callable[[Settings], Flask], settings: Settings, to: str, months: Sequence[date]
) -> None:
    app = make(replace(settings, database_url=to))
    with app.app_context():
        upgrade()
        with write_tx():
            provide(months)
        db.session.remove()
        close()


def _begin(target: psycopg.Connection, mark: str) -> None:
    """Record the source on the target, before anything else."""
    with target.transaction():
        target.execute(
            "CREATE TABLE copy_progress (source text, table_name text PRIMARY KEY, after text[], rows bigint)"
        )
        target.execute("INSERT INTO copy_progress VALUES (%s, '', NULL, 0)", [mark])


def _put_references_aside(target: psycopg.Connection) -> None:
    """Record and drop all foreign keys, so that each is checked once, over all rows."""
    with target.transaction():
        target.execute("CREATE TABLE IF NOT EXISTS copy_reference (owner text, name text, definition text)")
        found = target.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0"
        ).fetchall()
        for owner, name, definition in found:
            target.execute("INSERT INTO copy_reference VALUES (%s, %s, %s)", [owner, name, definition])
            target.execute(f"ALTER TABLE {owner} DROP CONSTRAINT {places.quoted(name)}".encode())


def _check_references(target: psycopg.Connection) -> None:
    """Restore the foreign keys. Raises Trouble for a row with an invalid reference."""
    wanted = target.execute("SELECT owner, name, definition FROM copy_reference ORDER BY 1, 2").fetchall()
    for owner, name, definition in wanted:
        with target.transaction():
            try:
                target.execute(
                    f"ALTER TABLE {owner} ADD CONSTRAINT {places.quoted(name)} {definition}".encode()
                )
            except psycopg.errors.ForeignKeyViolation as error:
                raise Trouble(
                    f"A row of {owner} refers to one that is not there: {error.diag.message_detail}"
                ) from None
            target.execute("DELETE FROM copy_reference WHERE owner = %s AND name = %s", [owner, name])


def _copy_table(
    source: Any, target: psycopg.Connection, table: sa.Table, progress: Callable[[str, int], object]
) -> None:
    columns = list(table.columns)
    key = [columns.index(column) for column in table.primary_key.columns]
    row = target.execute(
        "SELECT after, rows FROM copy_progress WHERE table_name = %s", [table.name]
    ).fetchone()
    after, done = (None, 0) if row is None else row
    progress(table.name, done)
    names = sql.SQL(", ").join(sql.Identifier(column.name) for column in columns)
    into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
    while rows := source.execute(_page(table, after is not None), _typed(table, after)).fetchall():
        after = [str(rows[-1][index]) for index in key]
        done += len(rows)
        with target.transaction():
            try:
                with target.cursor().copy(into) as copying:
                    for values in rows:
                        copying.write_row(values)
            except psycopg.DataError as error:
                where = (error.diag.context or "").splitlines()[:1]
                raise Trouble(
                    f"PostgreSQL refuses a row of {table.name}: {error.diag.message_primary} "
                    f"({''.join(where)[:200]})."
                ) from None
            target.execute(
                "INSERT INTO copy_progress VALUES ('', %s, %s, %s) ON CONFLICT (table_name) "
                "DO UPDATE SET after = excluded.after, rows = excluded.rows",
                [table.name, after, done],
            )
        progress(table.name, len(rows))


def _page(table: sa.Table, later: bool) -> str:
    """Return the query for the next rows of a table by its key; `later`: after a given key."""
    key = list(table.primary_key.columns)
    query = sa.select(*(sa.type_coerce(column, sa.types.NullType()) for column in table.columns))
    if later:
        query = query.where(sa.tuple_(*key) > sa.text(f"({', '.join('?' * len(key))})"))
    return str(query.order_by(*key).compile(dialect=sqlite.dialect())) + f" LIMIT {STEP}"


def _typed(table: sa.Table, after: Sequence[str] | None) -> list[Any]:
    """Return the key of a row in the types that SQLite compares: numbers as numbers."""
    if after is None:
        return []
    numbers = [isinstance(column.type, sa.Integer) for column in table.primary_key.columns]
    return [int(value) if number else value for value, number in zip(after, numbers, strict=True)]


# Counting and summing


def compare(source: Any, target: psycopg.Connection, table: sa.Table) -> Copied:
    """Compare the number of rows and a sum over every column. Raises Trouble if they differ."""
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
    return Copied(table.name, here[0], len(sums))


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


def _finish(target: psycopg.Connection, tables: Sequence[sa.Table]) -> None:
    """Set the sequences after the copied rows, and drop the tables that recorded the copy's progress."""
    with target.transaction():
        for table in tables:
            for column in table.primary_key.columns:
                row = target.execute(
                    "SELECT pg_get_serial_sequence(%s, %s)", [places.quoted(table.name), column.name]
                ).fetchone()
                if row is not None and row[0] is not None:
                    last = sql.SQL("SELECT setval(%s, coalesce(max({}), 1), count(*) > 0) FROM {}")
                    names = sql.Identifier(column.name), sql.Identifier(table.name)
                    target.execute(last.format(*names), row)
        target.execute("DROP TABLE copy_progress, copy_reference")
        target.execute("ANALYZE")
