"""The store of exercises: lessons from the start, drills that no player sees twice, no broken ones."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.generation.near_misses import WITHOUT
from tests.webapp.visitors import SetClock
from webapp.learn.exercises import making, posed, renewal, shipped, store
from webapp.learn.exercises.posed import Posed
from webapp.models import Exercise, ExerciseKind, LessonProgress, Player
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound

NOW = SetClock.time


def never() -> bool:
    return False


def one(kind: ExerciseKind = ExerciseKind.DRILL, technique: str = "naked_pair", seed: int = 1) -> Posed:
    return next(making.made_of(technique, kind, seed, never))


def put(found: Posed, **changes: str) -> int:
    row = store.row_of(replace(found, **changes), NOW)
    with write_tx():
        db.session.add(row)
    return row.id


def rows() -> list[Posed]:
    db.session.rollback()
    return [store.posed(row) for row in db.session.scalars(sa.select(Exercise).order_by(Exercise.id))]


def test_a_fresh_site_has_the_positions_of_every_lesson(app: Flask) -> None:
    for technique in engine.TECHNIQUES:
        with app.app_context():
            lesson = store.lesson(technique)
        assert lesson.worked is not None, technique
        assert lesson.exercise is not None, technique
        assert lesson.worked.givens != lesson.exercise.givens, technique
        for found in (lesson.worked, lesson.exercise, lesson.near_miss):
            if found is not None:
                assert found.position.unique
                assert not found.position.wrong()
                assert found.there == (found.kind != ExerciseKind.NEAR_MISS), technique
        assert (lesson.near_miss is None) == (technique in WITHOUT), technique


def test_the_file_is_of_this_version_and_reads_as_it_is_written() -> None:
    lines = [line for line in shipped.FILE.read_text().splitlines() if not line.startswith("#")]
    assert [shipped.line_of(shipped.read(line)) for line in lines] == lines
    assert {shipped.read(line).engine_version for line in lines} == {engine.__version__}


def test_a_position_is_stored_as_it_is() -> None:
    for kind in (ExerciseKind.DRILL, ExerciseKind.DRILL_NEAR_MISS):
        found = one(kind)
        position = found.position
        assert posed.struck_in(position) == posed.candidates_of(found.struck)
        assert posed.position_of(found.givens, found.digits, found.struck) == position


@pytest.mark.both_databases
def test_rows_win_over_the_file(app: Flask) -> None:
    with app.app_context():
        made = one(ExerciseKind.WORKED)
        put(made)
        assert store.lesson("naked_pair").worked == replace(made, id=rows()[0].id)


@pytest.mark.both_databases
def test_a_player_gets_a_drill_not_seen_while_there_is_one(app: Flask) -> None:
    with app.app_context():
        assert store.drill("naked_pair") is None
        first, second = (put(one(seed=seed)) for seed in (1, 2))
        put(one(ExerciseKind.DRILL_NEAR_MISS))
        assert store.stocks(ExerciseKind.DRILL)["naked_pair"] == 2
        assert store.stocks(ExerciseKind.DRILL_NEAR_MISS)["naked_pair"] == 1
        seen = sa.select(Exercise.id).where(Exercise.id == first)
        for _ in range(5):
            found = store.drill("naked_pair", seen)
            assert found is not None
            assert found.id == second
        every = sa.select(Exercise.id)
        again = store.drill("naked_pair", every)
        assert again is not None
        assert again.id in (first, second)
        near = store.drill("naked_pair", near_miss=True)
        assert near is not None
        assert not near.there


@pytest.mark.both_databases
def test_filling_makes_what_is_missing_and_stops_on_request(app: Flask) -> None:
    with app.app_context():
        assert list(store.fill("naked_pair", ExerciseKind.DRILL, 3, NOW, never)) == 3 * ["naked_pair"]
        assert list(store.fill("naked_pair", ExerciseKind.DRILL, 3, NOW, lambda: True)) == []
        assert store.stocks(ExerciseKind.DRILL)["naked_pair"] == 3
        for found in rows():
            assert found.there
            assert found.engine_version == engine.__version__


def test_the_emptiest_technique_is_filled_first(app: Flask) -> None:
    with app.app_context():
        made = one()
        for key in engine.TECHNIQUES:
            if key != "pointing":
                put(made, technique=key)
        assert next(renewal.fill_up(NOW, never)) == "pointing"


def test_drills_are_made_for_what_players_come_near(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a fresh site for the first techniques; then for a lesson that was read, and its successors."""
    monkeypatch.setattr(store, "fill", lambda technique, *_more: [technique])
    keys = list(engine.TECHNIQUES)
    first, read = keys[: renewal.BEGINNING], keys.index("x_wing")
    with app.app_context():
        assert {*renewal.fill_up(NOW, never)} == {*first}
        with write_tx():
            reader = Player(created_at=NOW)
            db.session.add(reader)
            db.session.flush()
            db.session.add(LessonProgress(player_id=reader.id, technique="x_wing", seen_at=NOW))
        near = keys[read : read + 1 + renewal.AHEAD]
        assert {*renewal.fill_up(NOW, never)} == {*first, *near}


def test_a_lesson_that_no_longer_holds_is_never_shown_and_made_anew(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    with app.app_context():
        # An older engine's naked pair in a position that has none.
        near = one(ExerciseKind.NEAR_MISS)
        put(near, kind=ExerciseKind.EXERCISE, engine_version="0.0.1")
        assert store.lesson("naked_pair").exercise is None
        assert list(renewal.check_lessons(NOW, never)) == ["naked_pair"]
        (made,) = rows()
        assert made.there
        assert made.engine_version == engine.__version__
        assert store.lesson("naked_pair").exercise == made
        assert "lesson naked_pair: its exercise no longer held and was remade" in caplog.text
        assert list(renewal.check_lessons(NOW, never)) == []


@pytest.mark.both_databases
def test_a_lesson_that_still_holds_is_kept(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    with app.app_context():
        made = one(ExerciseKind.WORKED)
        put(made, engine_version="0.0.1")
        assert list(renewal.check_lessons(NOW, never)) == ["naked_pair"]
        (kept,) = rows()
        assert replace(kept, id=None) == made
        assert caplog.text == ""


@pytest.mark.both_databases
def test_drills_of_an_older_engine_are_checked(app: Flask) -> None:
    with app.app_context():
        near = one(ExerciseKind.DRILL_NEAR_MISS)
        good = [put(each, engine_version="0.0.1") for each in (one(), near)]
        put(near, kind=ExerciseKind.DRILL, engine_version="0.0.1")
        assert len(list(renewal.check_drills(never))) == 3
        assert [(each.id, each.engine_version) for each in rows()] == [
            (each, engine.__version__) for each in good
        ]
        assert list(renewal.check_drills(never)) == []


def test_a_run_ends_when_the_worker_stops(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    stopping = threading.Event()
    stopping.set()
    monkeypatch.setitem(app.extensions, "stopping", stopping)
    with app.app_context():
        assert renewal.renew(NOW) == 0


def test_an_unknown_technique_is_not_found(app: Flask) -> None:
    with app.test_request_context():
        for ask in (store.lesson, store.drill):
            with pytest.raises(NotFound):
                ask("unheard_of")
        with pytest.raises(NotFound):
            store.exercise(1)
