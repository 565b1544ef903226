"""Logs of finished games are packed a day later, and every reader gets the same from them as before."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.season import season
from tests.webapp.visitors import SetClock
from webapp.competition import logs
from webapp.models import Attempt, Move, PackedLog, Player
from webapp.people import accounts
from webapp.play.batches import Recent
from webapp.play.replays.review_views import Review
from webapp.process.database import db, write_tx
from webapp.site.storage.verify import verify


@pytest.fixture
def played(inside: Flask, clock: SetClock) -> list[str]:
    assert inside.extensions["clock"] is clock
    return season(clock)


def pack_all(clock: SetClock, days: int = 2) -> int:
    return sum(logs.pack_finished(clock.time + timedelta(days=days)))


def rows() -> int:
    return db.session.scalar(sa.select(sa.func.count()).select_from(Move)) or 0


def read(clock: SetClock) -> dict[str, Any]:
    """Return what each reader of logs computes from the games."""
    db.session.expire_all()
    attempts = db.session.scalars(sa.select(Attempt).order_by(Attempt.id)).all()
    players = db.session.scalars(sa.select(Player.id).order_by(Player.id)).all()
    findings = verify(clock.time)
    return {
        "log": [logs.part(attempt.id, 1, attempt.last_seq) for attempt in attempts],
        "board": [Recent().of(attempt).board.digits for attempt in attempts],
        "part": [logs.part(attempt.id, 3, 7) for attempt in attempts],
        "review": [Review(attempt, None, None).moments for attempt in attempts],
        "verify": (findings.shown, findings.attempts, findings.moves),
        "export": [[list(value) for _part, value in accounts.export(player)] for player in players],
    }


@pytest.mark.both_databases
def test_every_reader_finds_the_same_after_it(played: list[str], clock: SetClock) -> None:
    before, moves = read(clock), rows()
    assert before["verify"] == ([], len(played), moves)
    assert pack_all(clock) == len(played)
    assert rows() == 0
    after = read(clock)
    for reader, found in before.items():
        assert after[reader] == found, reader
    assert pack_all(clock) == 0
    size = db.session.scalar(sa.select(sa.func.sum(sa.func.length(PackedLog.packed)))) or 0
    assert size / moves < 6, "bytes a move"


def test_games_of_the_last_day_and_unfinished_ones_stay_in_rows(played: list[str]) -> None:
    with write_tx():
        db.session.execute(
            sa.update(Attempt)
            .where(Attempt.id == played[0])
            .values(finished_at=None, elapsed_ms=None, board=None)
        )
    last = db.session.scalar(sa.select(sa.func.max(Attempt.finished_at)))
    packed = sum(logs.pack_finished(last + logs.AFTER - timedelta(microseconds=1)))
    assert packed == len(played) - 2
    kept = db.session.scalars(sa.select(Move.attempt_id).distinct()).all()
    assert played[0] in kept
    assert len(kept) == 2


def test_a_log_that_does_not_come_back_the_same_stays_in_rows(
    played: list[str], clock: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    with write_tx():
        spoiled = Move.attempt_id == played[1], Move.seq == 5
        db.session.execute(sa.update(Move).where(*spoiled).values(cell="81"))
        db.session.execute(sa.delete(Move).where(Move.attempt_id == played[2], Move.seq == 5))
    with caplog.at_level(logging.ERROR):
        assert pack_all(clock) == len(played) - 2
    assert set(db.session.scalars(sa.select(Move.attempt_id).distinct())) == {played[1], played[2]}
    assert played[1] in caplog.text
    assert played[2] in caplog.text


def test_a_packed_log_that_is_torn_is_found(played: list[str], clock: SetClock) -> None:
    pack_all(clock)
    with write_tx():
        db.session.execute(
            sa.update(PackedLog).where(PackedLog.attempt_id == played[0]).values(packed=b"\x01torn log")
        )
    (difference,) = [shown for shown in verify(clock.time).shown if "the log" in shown]
    assert played[0] in difference


@pytest.mark.both_databases
def test_a_deleted_player_takes_packed_logs_along(played: list[str], clock: SetClock) -> None:
    assert pack_all(clock) == len(played)
    for player in db.session.scalars(sa.select(Player.id)).all():
        accounts.forget(player)
    assert db.session.scalars(sa.select(PackedLog)).all() == []


@pytest.mark.strictest_database
def test_postgresql_keeps_each_month_in_a_partition_made_beside_readers(
    played: list[str], clock: SetClock
) -> None:
    if db.engine.dialect.name != "postgresql":
        pytest.skip("SQLite has one table")
    last = db.session.scalar(sa.select(sa.func.max(Attempt.finished_at)))
    later = last + timedelta(days=62)
    with write_tx():
        db.session.execute(sa.update(Attempt).where(Attempt.id == played[0]).values(finished_at=later))
    with db.engine.connect() as reader:  # a dump holds such a lock for as long as it runs
        reader.execute(sa.select(PackedLog)).all()
        assert pack_all(clock, days=100) == len(played)
    kept = sa.text("SELECT tableoid::regclass::text, count(*) FROM packed_log GROUP BY 1")
    assert {f"packed_log_{day:%Y_%m}" for day in (last, later)} <= dict(db.session.execute(kept).all()).keys()
    assert len(logs.part(played[0], 1, 5)) == 5


@pytest.mark.strictest_database
def test_a_month_that_cannot_be_made_at_once_leaves_logs_in_rows(played: list[str], clock: SetClock) -> None:
    """Moves would queue behind the statement that waits for the lock."""
    if db.engine.dialect.name != "postgresql":
        pytest.skip("SQLite has one table")
    moves = rows()
    with write_tx():  # a month that no other test has created
        later = clock.time + timedelta(days=400)
        db.session.execute(sa.update(Attempt).where(Attempt.id == played[0]).values(finished_at=later))
    with db.engine.begin() as vacuum:
        vacuum.execute(sa.text("LOCK TABLE attempt IN SHARE UPDATE EXCLUSIVE MODE"))
        assert pack_all(clock, days=500) == 0
    assert rows() == moves
    assert pack_all(clock, days=500) == len(played)
