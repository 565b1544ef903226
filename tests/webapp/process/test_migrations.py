"""The upgrade of a database of the last release, with rows in every table: what both have is preserved."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask

from tests.webapp.stocked import at, opened
from webapp.game.packing import pack
from webapp.models.months import PARTITION  # partitions, which share their table's rows
from webapp.process.commands.schema import alembic, upgrade
from webapp.process.config import ROOT
from webapp.process.database import db, writing

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DIRECTORY = ScriptDirectory(str(ROOT / "migrations"))
SCRIPTS = list(DIRECTORY.walk_revisions())[::-1]

A_PARTITION = (
    "CREATE TABLE IF NOT EXISTS packed_log_2026_03 PARTITION OF packed_log"
    " FOR VALUES FROM ('2026-03-01') TO ('2026-04-01')"
)
Rows = dict[str, list[dict[str, Any]]]  # table -> its rows, in the order of their keys

# Values for columns whose constraint forbids the default of their type.
FITTING: dict[tuple[str, str], Any] = {
    ("puzzle", "givens"): lambda n: f"{n}".ljust(81, "."),
    ("puzzle", "level"): lambda _n: 3,
    ("puzzle", "status"): lambda n: "approved" if n == 1 else "daily",
    ("daily", "level"): lambda _n: 3,
    ("exercise", "givens"): lambda n: f"{n}".ljust(81, "."),
    ("exercise", "digits"): lambda n: f"{n}".ljust(81, "."),
    ("attempt", "started_at"): lambda _n: NOW,
    ("attempt", "turn"): lambda _n: None,
    ("attempt", "evidence"): lambda _n: None,
    ("rated_game", "score"): lambda _n: 0.5,
    ("packed_log", "month"): lambda _n: date(2026, 3, 1),
}
# The columns whose data the upgrade changes on purpose.
CHANGED: set[tuple[str, str]] = set()
MADE_ANEW = {"score"}  # from the points that the upgrade gives


@pytest.fixture
def empty(
    instance: Path, database_setting: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Flask]:
    """The app in its context, on a database without tables; each command would read all migrations."""
    monkeypatch.setattr(ScriptDirectory, "from_config", lambda _config: DIRECTORY)
    with opened(at(instance, **database_setting)) as app, app.app_context():
        yield app


def tables() -> list[sa.Table]:
    """Return the current tables, referenced ones first."""
    with db.engine.connect() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
    return _tables(str(db.engine.url), revision)


@cache
def _tables(_url: str, _revision: str | None) -> list[sa.Table]:
    metadata = sa.MetaData()
    metadata.reflect(db.engine)
    return [
        table
        for table in metadata.sorted_tables
        if table.name != "alembic_version" and not PARTITION.fullmatch(table.name)
    ]


def value(table: sa.Table, column: sa.Column[Any], n: int) -> Any:
    """Return the value of a column in row `n`: unique, and a valid foreign key."""
    for key in column.foreign_keys:
        return value(key.column.table, key.column, n)
    if (table.name, column.name) in FITTING:
        return FITTING[table.name, column.name](n)
    match column.type:
        case sa.Boolean():
            return n == 1
        case sa.DateTime():
            return NOW + timedelta(hours=n)
        case sa.Date():
            return date(2026, 1, n)
        case sa.Float() | sa.Numeric():
            return n + 0.5
        case sa.Integer():
            return n
        case sa.String():
            return f"{column.name}{n}"[: column.type.length]
        case sa.LargeBinary():
            return pack([]) if table.name == "packed_log" else bytes([0, n])
    raise AssertionError(f"say what a {column.type!r} can hold: {table.name}.{column.name}")


def fill(n: int) -> None:
    """Insert row `n` into every table, with every column filled."""
    found = tables()
    with writing(), db.engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text(A_PARTITION))
        for table in found:
            row = {column.name: value(table, column, n) for column in table.columns}
            connection.execute(sa.insert(table), row)


def clear() -> None:
    """Delete all rows of all tables."""
    found = tables()
    with writing(), db.engine.begin() as connection:
        for table in reversed(found):
            connection.execute(sa.delete(table))


def rows() -> Rows:
    """Return all rows of all tables, as stored."""
    found: Rows = {}
    with db.engine.connect() as connection:
        for table in tables():
            everything = sa.select(sa.text("*")).select_from(sa.table(table.name))
            ordered = connection.execute(
                everything.order_by(*(sa.column(column.name) for column in table.primary_key.columns))
            )
            found[table.name] = [dict(row._mapping) for row in ordered]
    return found


def assert_kept(before: Rows, after: Rows, changed: set[tuple[str, str]]) -> None:
    """Assert that tables on both sides have the same rows in the columns on both sides."""
    for name in (before.keys() & after.keys()) - MADE_ANEW:
        assert len(after[name]) == len(before[name]), name
        for old, new in zip(before[name], after[name], strict=True):
            for column in old.keys() & new.keys():
                if (name, column) not in changed:
                    assert new[column] == old[column], f"{name}.{column}"


@pytest.mark.slow
def test_a_database_of_the_last_release_upgrades_with_rows_in_every_table(empty: Flask) -> None:
    upgrade(revision=SCRIPTS[0].revision)
    fill(1)
    fill(2)
    before = rows()
    upgrade()
    assert_kept(before, rows(), CHANGED)
    clear()
    runner = empty.test_cli_runner()
    for words in (["verify"], ["db", "check"]):
        done = runner.invoke(args=words)
        assert done.exit_code == 0, done.output


def test_a_database_that_was_half_migrated_by_hand_says_what_to_do(empty: Flask) -> None:
    upgrade(revision=SCRIPTS[0].revision)
    with writing(), db.engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE puzzle_vote (id INTEGER PRIMARY KEY)"))
    done = empty.test_cli_runner().invoke(args=["db", "upgrade"])
    assert done.exit_code == 1
    assert re.search('table puzzle_vote already exists|"puzzle_vote" already exists', done.output)
    assert "Restore the last backup" in done.output
    with db.engine.connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == SCRIPTS[0].revision


def test_migrating_again_leaves_foreign_keys_checked(app: Flask) -> None:
    """The connection returns to the pool, and the next write uses it."""
    with app.app_context():
        upgrade()
        if db.engine.dialect.name == "sqlite":
            assert db.session.scalar(sa.text("PRAGMA foreign_keys")) == 1


def test_a_new_migration_has_the_number_that_follows_and_is_empty(app: Flask, tmp_path: Path) -> None:
    copy = tmp_path / "migrations"
    shutil.copytree(ROOT / "migrations", copy)
    with app.app_context():
        alembic("revision", "its purpose", folder=copy, autogenerate=True)
    (made,) = copy.glob(f"versions/{int(SCRIPTS[-1].revision) + 1:04}_its_purpose.py")
    assert "op." not in made.read_text().partition("def upgrade")[2]


def test_the_migrations_are_one_line() -> None:
    assert [script.down_revision for script in SCRIPTS[1:]] == [script.revision for script in SCRIPTS[:-1]]
    assert all(not script.is_branch_point for script in SCRIPTS)
