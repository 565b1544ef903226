"""Statements that are compiled once: they do what SQLAlchemy does with them, on both databases."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.statements import noted
from webapp.models import Heartbeat
from webapp.process.database import db, rows_of, writing
from webapp.process.operation.statements import Statement, WriteOutsideTransaction

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 3, 1, 9, 30, 0, 250_000, tzinfo=UTC)
_TABLE = Heartbeat.__table__
ADD = Statement(sa.insert(_TABLE), ["worker", "seen_at"])
MOVE_ON = Statement(sa.update(_TABLE).where(_TABLE.c.worker == sa.bindparam("who")), ["seen_at"])
ALL = Statement(sa.select(_TABLE.c.worker, _TABLE.c.seen_at).order_by(_TABLE.c.worker))
ONE = Statement(sa.select(_TABLE.c.seen_at).where(_TABLE.c.worker == sa.bindparam("who")))


def test_values_go_in_and_come_out_as_with_sqlalchemy(app: Flask) -> None:
    away = NOW.astimezone(timezone(timedelta(hours=8)))
    with app.app_context():
        with writing(), db.engine.begin() as connection:
            assert ADD.changed(connection, *({"worker": who, "seen_at": away} for who in "ab")) == 2
            assert MOVE_ON.changed(connection, {"who": "b", "seen_at": NOW + timedelta(hours=1)}) == 1
            assert MOVE_ON.changed(connection, {"who": "c", "seen_at": NOW}) == 0
        expected = [("a", NOW), ("b", NOW + timedelta(hours=1))]
        assert rows_of(ALL, {}) == expected
        assert rows_of(ONE, {"who": "b"}) == [(NOW + timedelta(hours=1),)]
        assert [
            tuple(row) for row in db.session.execute(sa.select(_TABLE).order_by(_TABLE.c.worker))
        ] == expected
        assert rows_of(ALL, {}) == expected  # in the session's transaction


def test_who_watches_the_engine_sees_them(app: Flask) -> None:
    with app.app_context():
        unseen = rows_of(ALL, {})
        with noted(db.engine) as sent:
            assert rows_of(ALL, {}) == unseen
        assert len(sent) == 1


def test_a_write_that_nothing_allows_is_refused(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        with pytest.raises(WriteOutsideTransaction):
            ADD.changed(connection, {"worker": "a", "seen_at": NOW})
        with pytest.raises(WriteOutsideTransaction):
            connection.execute(sa.insert(_TABLE).values(worker="a", seen_at=NOW))


def test_what_the_driver_raises_is_sqlalchemys(app: Flask) -> None:
    with app.app_context(), writing(), db.engine.connect() as connection:
        ADD.changed(connection, {"worker": "a", "seen_at": NOW})
        with pytest.raises(sa.exc.IntegrityError):
            ADD.changed(connection, {"worker": "a", "seen_at": NOW})
        connection.rollback()


def test_a_connection_lost_while_nobody_used_it_is_replaced(app: Flask) -> None:
    with app.app_context():
        if db.engine.dialect.name != "postgresql":
            pytest.skip("SQLite has nobody at the other end")
        pid = Statement(sa.select(sa.func.pg_backend_pid()))
        (before,) = rows_of(pid, {})[0]
        url = db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with closing(psycopg.connect(url)) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (before,))
        assert rows_of(pid, {})[0] != (before,)
