"""Every migration, up and down, with rows in every table: nothing that is kept on both sides is lost."""

from __future__ import annotations

import json
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
from flask_migrate import downgrade, revision, upgrade

import engine
from tests.webapp.furnished import at, opened
from webapp.game.moves import Kind, Move
from webapp.game.packing import pack, unpack
from webapp.game.turning import turned
from webapp.models.months import PARTITION  # whose rows are those of its table
from webapp.process.config import ROOT
from webapp.process.database import db, writing

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DIRECTORY = ScriptDirectory(str(ROOT / "migrations"))
SCRIPTS = list(DIRECTORY.walk_revisions())[::-1]

Rows = dict[str, list[dict[str, Any]]]  # table -> its rows, in the order of their keys

# What a row holds where a rule of its table forbids the value that its type would give.
FITTING: dict[tuple[str, str], Any] = {
    ("puzzle", "givens"): lambda n: f"{n}".ljust(81, "."),
    ("puzzle", "level"): lambda _n: 3,
    ("puzzle", "status"): lambda n: "approved" if n == 1 else "daily",
    ("daily", "level"): lambda _n: 3,
    ("exercise", "givens"): lambda n: f"{n}".ljust(81, "."),
    ("exercise", "digits"): lambda n: f"{n}".ljust(81, "."),
    ("attempt", "started_at"): lambda _n: NOW,
    ("attempt", "turn"): lambda _n: None,
    ("attempt", "evidence"): lambda n: json.dumps(
        {"shares": {"quick": 0.2, "pace": 0.1}, "nearest": None, "values": {"pace": n / 2.5}}
    ),
    ("rated_game", "score"): lambda _n: 0.5,
    ("packed_log", "month"): lambda _n: date(2026, 3, 1),
}
# What a migration changes in rows that were there, on purpose: (revision, up or down) -> columns.
CHANGED = {
    ("0003", "up"): {("player", "name")},  # no player had a password, so none had a name
    ("0022", "up"): {("player", "totp_secret")},  # sealed
    ("0022", "down"): {("player", "totp_secret")},  # and opened
}


@pytest.fixture
def empty(
    instance: Path, database_setting: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Flask]:
    """The app in its context, on a database with no table at all; each command would read all migrations."""
    monkeypatch.setattr(ScriptDirectory, "from_config", lambda _config: DIRECTORY)
    with opened(at(instance, **database_setting)) as app, app.app_context():
        yield app


def tables() -> list[sa.Table]:
    """The tables as they are now, those that others refer to first."""
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
    """What row `n` holds in a column: never the same in two rows, and true to every foreign key."""
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
    """Row `n` for every table, every column of it filled."""
    found = tables()
    with writing(), db.engine.begin() as connection:
        for table in found:
            row = {column.name: value(table, column, n) for column in table.columns}
            connection.execute(sa.insert(table), row)


def clear() -> None:
    """No row in any table."""
    found = tables()
    with writing(), db.engine.begin() as connection:
        for table in reversed(found):
            connection.execute(sa.delete(table))


def rows() -> Rows:
    """Everything in every table, as the database has it."""
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
    """The rows of tables that are there on both sides are the same in columns that are."""
    for name in before.keys() & after.keys():
        assert len(after[name]) == len(before[name]), name
        for old, new in zip(before[name], after[name], strict=True):
            for column in old.keys() & new.keys():
                if (name, column) not in changed:
                    assert new[column] == old[column], f"{name}.{column}"


@pytest.mark.slow
def test_every_migration_goes_up_and_down_and_up_with_rows_in_every_table(empty: Flask) -> None:
    del empty
    for script in SCRIPTS:
        print(script.revision)  # shown if it fails
        below = script.down_revision or "base"
        if below != "base":
            fill(1)
        older = rows()
        upgrade(revision=script.revision)
        newer = rows()
        assert_kept(older, newer, CHANGED.get((script.revision, "up"), set()))
        fill(2)
        full = rows()
        assert all(full.values())
        downgrade(revision=below)
        again = rows()
        assert again.keys() == older.keys()
        assert_kept(full, again, CHANGED.get((script.revision, "down"), set()) | {("puzzle", "status")})
        upgrade(revision=script.revision)
        there = sa.inspect(db.engine).get_table_names()
        assert {name for name in there if not PARTITION.fullmatch(name)} == {*full, "alembic_version"}
        clear()


def test_migrating_again_leaves_foreign_keys_checked(app: Flask) -> None:
    """The connection goes back to the pool, and the next write takes it."""
    with app.app_context():
        upgrade()
        if db.engine.dialect.name == "sqlite":
            assert db.session.scalar(sa.text("PRAGMA foreign_keys")) == 1


def test_the_models_are_what_the_migrations_make(app: Flask) -> None:
    done = app.test_cli_runner().invoke(args=["db", "check"])
    assert done.exit_code == 0, done.output


def test_a_new_migration_has_the_number_that_follows_and_is_empty(app: Flask, tmp_path: Path) -> None:
    copy = tmp_path / "migrations"
    shutil.copytree(ROOT / "migrations", copy)
    with app.app_context():
        revision(str(copy), "its purpose", autogenerate=True)
    (made,) = copy.glob(f"versions/{len(SCRIPTS) + 1:04}_its_purpose.py")
    assert "op." not in made.read_text().partition("def upgrade")[2]


def test_the_migrations_are_one_line() -> None:
    assert [script.down_revision for script in SCRIPTS[1:]] == [script.revision for script in SCRIPTS[:-1]]
    assert all(not script.is_branch_point for script in SCRIPTS)


def test_what_was_shown_is_not_known_of_older_puzzles(empty: Flask) -> None:
    """So they become no daily."""
    del empty
    upgrade(revision="0003")
    fill(1)
    upgrade(revision="0004")
    (puzzle,) = rows()["puzzle"]
    assert puzzle["shown_at"] == puzzle["created_at"]


def test_points_that_are_there_are_counted(empty: Flask) -> None:
    del empty
    upgrade(revision="0005")
    fill(1)
    upgrade(revision="0006")
    ((counted,), (score,)) = rows()["point_count"], rows()["score"]
    assert (counted["tenth"], counted["players"]) == (int(score["points"] * 10), 1)
    assert counted["starts_on"] == score["starts_on"]


def test_a_daily_goes_back_to_the_bank_where_there_are_none(empty: Flask) -> None:
    del empty
    upgrade(revision="0003")
    fill(2)
    assert rows()["puzzle"][0]["status"] == "daily"
    downgrade(revision="0002")
    assert rows()["puzzle"][0]["status"] == "approved"


def test_what_was_rated_takes_from_its_attempt_whether_it_had_help(empty: Flask) -> None:
    del empty
    upgrade(revision="0022")
    fill(1)
    fill(2)
    upgrade(revision="0023")
    assert [game["assisted"] for game in rows()["rated_game"]] == [True, False]


def test_what_speaks_against_a_solve_is_added_up(empty: Flask) -> None:
    """As it was judged: what a fast one has in it of knowing the digits twice."""
    del empty
    upgrade(revision="0043")
    fill(1)
    upgrade(revision="0044")  # with the partition of the logs
    fill(2)
    upgrade(revision="0045")
    assert [attempt["against"] for attempt in rows()["attempt"]] == pytest.approx([0.5, 0.3])


def test_games_in_a_turn_of_their_own_go_back_to_the_stored_puzzle(empty: Flask) -> None:
    del empty
    upgrade(revision="0039")
    fill(1)
    turn = engine.Transformation(transposed=True, digits=(2, 3, 4, 5, 6, 7, 8, 9, 1))
    log = [(turned(Move(1, Kind.DIGIT, (3,), digit=5), turn), NOW)]
    with writing(), db.engine.begin() as connection:
        lines = "".join(map(str, (1, *turn.rows, *turn.columns, *turn.digits)))
        connection.execute(sa.text("UPDATE attempt SET turn = :turn"), {"turn": lines})
        connection.execute(sa.text("UPDATE move SET kind = 'digit', cell = '27', digit = 6"))
        connection.execute(sa.text("UPDATE packed_log SET packed = :packed"), {"packed": pack(log)})
    downgrade(revision="0034")
    after = rows()
    assert (after["move"][0]["cell"], after["move"][0]["digit"]) == ("3", 5)
    ((move, _at),) = unpack(after["packed_log"][0]["packed"])
    assert (move.cell, move.digit) == ("3", 5)
