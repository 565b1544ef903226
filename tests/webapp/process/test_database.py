"""The rules of webapp/process/database.py, on real databases."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask

from webapp import create_app
from webapp.models import Heartbeat, Player
from webapp.process import database
from webapp.process.config import Settings
from webapp.process.database import Busy, WriteOutsideTransaction, db, wal_is_safe, write_tx, writing

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 4), True),
    ],
)
def test_wal_is_used_only_where_its_race_is_mended(version: tuple[int, int, int], safe: bool) -> None:
    assert wal_is_safe(version) is safe


def test_without_a_safe_sqlite_the_journal_is_truncated_and_a_warning_given(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "wal_is_safe", lambda _version: False)
    assert database.sqlite_module.__wrapped__() == (sqlite3, "TRUNCATE")
    assert "journal_mode=TRUNCATE" in caplog.text


def test_every_connection_is_durable_and_checks_foreign_keys(app: Flask) -> None:
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            pragmas = {
                name: db.session.scalar(sa.text(f"PRAGMA {name}"))
                for name in ("journal_mode", "synchronous", "foreign_keys", "trusted_schema", "busy_timeout")
            }
            full = 2
            assert pragmas == {
                "journal_mode": database.sqlite_module()[1].lower(),
                "synchronous": full,
                "foreign_keys": 1,
                "trusted_schema": 0,
                "busy_timeout": 2500,
            }
        else:
            assert db.session.scalar(sa.text("SHOW synchronous_commit")) == "on"
            assert db.session.scalar(sa.text("SHOW lock_timeout")) == "2s"


def test_a_write_outside_a_write_transaction_raises(app: Flask) -> None:
    with app.app_context():
        db.session.add(Player(created_at=NOW))
        with pytest.raises(WriteOutsideTransaction):
            db.session.flush()


def test_write_transactions_do_not_nest(app: Flask) -> None:
    with app.app_context(), write_tx(), pytest.raises(WriteOutsideTransaction), write_tx():
        pass


def test_an_error_undoes_everything_in_the_transaction(app: Flask) -> None:
    with app.app_context():
        with pytest.raises(RuntimeError), write_tx():
            db.session.add(Heartbeat(worker="w", seen_at=NOW))
            db.session.flush()
            raise RuntimeError
        assert db.session.get(Heartbeat, "w") is None


def test_a_read_that_the_server_has_ended_does_not_fail_the_write_after_it(app: Flask) -> None:
    with app.app_context():
        if db.engine.dialect.name != "postgresql":
            pytest.skip("SQLite ends no read")
        reader = db.session.scalar(sa.text("SELECT pg_backend_pid()"))
        with db.engine.connect() as other:
            other.execute(sa.text("SELECT pg_terminate_backend(:reader, 5000)"), {"reader": reader})
        with write_tx():
            db.session.add(Heartbeat(worker="w", seen_at=NOW))
        assert db.session.get(Heartbeat, "w") is not None


def test_writers_of_several_threads_wait_for_each_other_and_lose_nothing(app: Flask) -> None:
    """A deferred transaction would lose updates here or fail with 'database is locked'."""
    with app.app_context(), write_tx():
        db.session.add(Heartbeat(worker="w", seen_at=NOW))

    def add_seconds(_thread: int) -> None:
        for _ in range(25):
            with app.app_context(), write_tx():
                row = db.session.scalars(sa.select(Heartbeat).with_for_update()).one()
                row.seen_at += timedelta(seconds=1)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add_seconds, range(4)))
    with app.app_context():
        assert db.session.scalars(sa.select(Heartbeat.seen_at)).one() == NOW + timedelta(seconds=100)


def test_a_lock_that_is_not_to_be_had_in_time_is_busy(app: Flask) -> None:
    """SQLite locks the whole file, PostgreSQL the row; the response is the same."""
    with app.app_context():
        with write_tx():
            db.session.add(Heartbeat(worker="w", seen_at=NOW))
        elsewhere = lock_elsewhere(db.engine)
        with pytest.raises(Busy), write_tx():
            db.session.execute(sa.update(Heartbeat).values(seen_at=NOW))
        elsewhere.rollback()
        elsewhere.close()
        with write_tx():
            db.session.execute(sa.update(Heartbeat).values(seen_at=NOW))


@pytest.mark.parametrize("state", database.TRY_AGAIN)
def test_what_postgresql_says_may_be_tried_again_is_busy(app: Flask, state: str) -> None:
    with app.app_context():
        if db.engine.dialect.name != "postgresql":
            pytest.skip("states of PostgreSQL")
        with pytest.raises(Busy), write_tx():
            db.session.execute(sa.text(f"DO $$ BEGIN RAISE SQLSTATE '{state}'; END $$"))


def lock_elsewhere(engine: sa.Engine) -> Any:
    """Open a separate connection that holds the lock a write to `heartbeat` needs."""
    if engine.dialect.name == "sqlite":
        connection = database.sqlite_module()[0].connect(engine.url.database, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        return connection
    connection = psycopg.connect(
        engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    )
    connection.execute("UPDATE heartbeat SET worker = worker")
    return connection


def test_times_come_back_aware_and_in_utc(app: Flask) -> None:
    with app.app_context():
        with write_tx():
            db.session.add(Heartbeat(worker="w", seen_at=NOW.astimezone(timezone(timedelta(hours=8)))))
        seen_at = db.session.scalars(sa.select(Heartbeat.seen_at)).one()
        assert (seen_at, seen_at.tzinfo) == (NOW, UTC)


def test_a_naive_time_is_refused(app: Flask) -> None:
    with app.app_context(), pytest.raises(sa.exc.StatementError, match="aware"), write_tx():
        db.session.add(Heartbeat(worker="w", seen_at=datetime(2026, 3, 1)))
        db.session.flush()


def test_the_database_is_for_its_owner_alone(settings: Settings, tmp_path: Path) -> None:
    """The file, its journal, and one created with broader permissions."""
    file = tmp_path / "older.sqlite"
    file.touch(mode=0o644)
    file.with_name("older.sqlite-wal").touch(mode=0o644)
    app = create_app(replace(settings, database_url=f"sqlite:///{file}"))
    with app.app_context():
        with writing():
            db.session.execute(sa.text("CREATE TABLE one (id INTEGER)"))
            db.session.commit()
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("older.sqlite*")}
        db.session.remove()
        db.engine.dispose()
    assert set(modes.values()) == {0o600}, modes
    assert "older.sqlite" in modes
