"""`flask verify`: data derived from the moves passes, and every kind of difference is found and named."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.season import season
from tests.webapp.visitors import SetClock
from webapp.models import Attempt, Move, Score
from webapp.process.database import db, write_tx, writing
from webapp.site.storage.verify import verify


@pytest.fixture
def played(inside: Flask, clock: SetClock) -> list[str]:
    assert inside.extensions["clock"] is clock
    return season(clock)


def found(clock: SetClock) -> list[str]:
    return verify(clock.time).shown


@pytest.mark.both_databases
def test_what_players_leave_follows_from_their_moves(played: list[str], clock: SetClock) -> None:
    findings = verify(clock.time)
    assert findings.shown == []
    assert findings.attempts == len(played)
    assert findings.moves > 30 * len(played)
    assert findings.dailies >= 3
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Score)), "points were not compared"


def test_every_kind_of_difference_is_found(played: list[str], clock: SetClock) -> None:
    first = Attempt.id == played[0]
    closed = sa.and_(first, Attempt.points.is_not(None))
    changes: list[tuple[Any, str]] = [
        (sa.update(Attempt).where(first).values(elapsed_ms=Attempt.elapsed_ms + 1), "elapsed_ms"),
        (sa.update(Attempt).where(first).values(last_seq=Attempt.last_seq - 1), "last_seq"),
        (sa.update(Attempt).where(first).values(assisted=True), "assisted"),
        (sa.update(Attempt).where(first).values(board=None), "the leaderboard"),
        (sa.update(Attempt).where(closed).values(points=101), "points"),
        (sa.update(Attempt).where(closed).values(points=None), "the leaderboard"),
        (sa.delete(Move).where(Move.attempt_id == played[0], Move.seq == 5), "the next move is 6"),
        (sa.update(Move).where(Move.attempt_id == played[0], Move.seq == 5).values(cell="81"), "the log"),
        (sa.update(Score).values(points=Score.points + 1), "points"),
    ]
    for change, named in changes:
        before = {table: db.session.execute(sa.select(table)).all() for table in _CHANGED}
        with write_tx():
            db.session.execute(change)
        assert any(named in line for line in found(clock)), named
        with write_tx():
            for table, rows in before.items():
                _put_back(table, [dict(row._mapping) for row in rows])
        assert found(clock) == [], f"after {named} was put back"


_CHANGED = [model.__table__ for model in (Attempt, Move, Score)]


def _put_back(table: Any, rows: list[dict[str, Any]]) -> None:
    if table.name == "attempt":
        this = sa.update(table).where(table.c.id == sa.bindparam("its_id"))
        names = [column.name for column in table.columns if column.name != "id"]
        values = {name: sa.bindparam(f"its_{name}", type_=table.c[name].type) for name in names}
        db.session.execute(this.values(values), [{f"its_{k}": v for k, v in row.items()} for row in rows])
        return
    db.session.execute(sa.delete(table))
    if rows:
        db.session.execute(sa.insert(table), rows)


def test_a_missing_table_is_a_difference(played: list[str], clock: SetClock) -> None:
    assert played
    with writing(), db.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE peek RENAME TO peeked"))
    try:
        assert verify(clock.time).shown == ["peek: the table is missing, but the replay gives one"]
    finally:
        with writing(), db.engine.begin() as connection:
            connection.execute(sa.text("ALTER TABLE peeked RENAME TO peek"))


def test_the_command_reports_differences_and_fails(app: Flask, played: list[str]) -> None:
    runner = app.test_cli_runner()
    well = runner.invoke(args=["verify"])
    assert (well.exit_code, well.output.splitlines()[-1]) == (0, "No differences found.")
    with write_tx():
        db.session.execute(sa.update(Attempt).where(Attempt.id == played[1]).values(elapsed_ms=1))
    badly = runner.invoke(args=["verify"])
    assert badly.exit_code == 1
    assert f"attempt {played[1]}: elapsed_ms is 1, but the replay gives" in badly.output
    assert badly.output.splitlines()[-1].endswith("differences found.")
