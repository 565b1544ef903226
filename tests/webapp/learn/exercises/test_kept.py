"""Steps stored with their exercise: equal to the engine's, and used instead of a search."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.visitors import SetClock
from webapp.learn.exercises import judging, kept, making, posed, renewal, shipped, store
from webapp.models import Exercise, ExerciseKind
from webapp.process.database import db, write_tx

# Singles, fish with covers, links, groups, almost locked sets, and proofs within proofs.
EACH_SHAPE = (
    "hidden_single",
    "finned_swordfish",
    "simple_colouring_wrap",
    "grouped_aic",
    "als_xy_chain",
    "death_blossom",
    "nested_forcing_chain",
)


@pytest.mark.parametrize("technique", EACH_SHAPE)
def test_steps_are_read_as_they_were_written(technique: str) -> None:
    found = shipped.positions()[technique][ExerciseKind.WORKED]
    assert found.steps
    read = kept.read(kept.text_of(found.steps))
    assert tuple(map(kept.whole, read)) == found.steps
    for step, written in zip(found.steps, read, strict=True):
        assert (written.placements, written.eliminations) == (step.placements, step.eliminations)
        same = written.step
        assert engine.draw(step, on=found.position) == engine.draw(same, on=found.position)


def test_no_steps_are_steps_too() -> None:
    assert kept.read(kept.text_of(())) == ()


def test_a_stored_exercise_is_not_searched_again(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {
        kind: next(making.made_of("x_wing", kind, 1, lambda: False))
        for kind in (ExerciseKind.DRILL, ExerciseKind.DRILL_NEAR_MISS)
    }
    steps = made[ExerciseKind.DRILL].steps
    posed.steps_of.cache_clear()
    monkeypatch.setattr(posed.engine, "find", lambda *_: pytest.fail("the engine was asked"))
    with app.app_context():
        with write_tx():
            db.session.add_all(store.row_of(each, SetClock.time) for each in made.values())
        found = store.drill("x_wing")
        assert found is not None
        assert found.steps == steps
        request = app.test_request_context()
        with request:  # for the language of its text
            answer = judging.judge(
                found.position, "x_wing", steps[0].placements, steps[0].eliminations, found.effects
            )
        assert answer.right
        assert answer.step == steps[0]
        near = store.drill("x_wing", near_miss=True)
        assert near is not None
        assert not near.there


def test_another_engine_looks_for_itself_and_its_steps_are_stored(app: Flask) -> None:
    made = next(making.made_of("x_wing", ExerciseKind.DRILL, 1, lambda: False))
    for version, known in (("0.0.1", kept.text_of(())), (engine.__version__, None)):
        with app.app_context():
            with write_tx():
                db.session.execute(sa.delete(Exercise))
                db.session.add(
                    store.row_of(replace(made, engine_version=version, known=known), SetClock.time)
                )
            found = store.drill("x_wing")
            assert found is not None
            assert found.known is None
            assert found.steps == made.steps
            assert len(list(renewal.check_drills(lambda: False))) == 1
            again = store.drill("x_wing")
            assert again is not None
            assert again.known == made.known
            assert list(renewal.check_drills(lambda: False)) == []
