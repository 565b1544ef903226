"""Drills: another form each time, assessed by the engine, counted by technique."""

from __future__ import annotations

import random

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.techniques import HouseRole
from tests.thorough import amount
from tests.webapp.conftest import EASY
from tests.webapp.visitors import Visitor
from webapp.learn.lessons import path
from webapp.learn.marks import Marks
from webapp.learn.practice import drills
from webapp.learn.practice.drills import Drill, Kind
from webapp.models import LessonProgress
from webapp.process.database import db

ALL = [(key, kind) for key in path.techniques() for kind in drills.kinds_of(key)]
DRILLS = amount("DRILLS", len(ALL), 500)


def token(visitor: Visitor) -> str:
    return str(visitor.page.select_one("[name=drill]")["value"])


def read(app: Flask, text: str) -> Drill:
    with app.test_request_context():
        return drills.read(text)


def counted(app: Flask) -> tuple[int, int]:
    with app.app_context():
        row = db.session.scalars(sa.select(LessonProgress)).one()
        return row.right, row.drills


# Drawing


def test_a_house_with_two_empty_cells_may_be_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    full = engine.solution(engine.parse(EASY))
    position = engine.Position.from_grid(engine.Grid(bytes([0, 0]) + full.digits[2:]))
    monkeypatch.setattr(Drill, "position", position)
    drill = Drill("full_house", Kind.THERE, 0, engine.Transformation())
    assert drills._askable(drill) == [0, 18]


def test_no_position_comes_twice_in_the_same_form_and_no_answer_is_wrong(app: Flask) -> None:
    below, seen = random.Random(5).randrange, set()
    with app.test_request_context():
        for number in range(DRILLS):
            key, kind = ALL[number % len(ALL)]
            drill = drills.drawn(key, kind, below)
            seen.add((str(drill.position.givens), str(drill.position.grid)))
            assert drill.steps, key
            if kind is Kind.NAME:
                assert key in drill.choices
                assert len(drill.choices) > 2, key
            if kind is Kind.THERE:
                holds = any(drill.about in places(step) for step in engine.find(drill.position, key))
                assert holds == (drill.step is not None)
    assert len(seen) == DRILLS


def places(step: engine.Step) -> set[int]:
    if step.technique in drills.OF_A_DIGIT:
        return set(step.digits)
    bases = {fact.house for fact in step.houses if fact.role is HouseRole.BASE}
    return bases or {fact.house for fact in step.houses}


@pytest.mark.parametrize("key", [*drills.IN_A_HOUSE, *drills.OF_A_DIGIT])
def test_about_half_of_the_marked_places_hold_the_technique(app: Flask, key: str) -> None:
    below = random.Random(7).randrange
    with app.test_request_context():
        there = [drills.drawn(key, Kind.THERE, below).step is not None for _ in range(20)]
    assert 3 < sum(there) < 18


def test_no_name_to_choose_from_does_the_same(app: Flask) -> None:
    below = random.Random(9).randrange
    with app.test_request_context():
        for key in path.techniques():
            drill = drills.drawn(key, Kind.NAME, below)
            own = {spot for step in drill.steps for spot in step.placements | step.eliminations}
            for other in set(drill.choices) - {key}:
                found = engine.find(drill.position, other)
                assert not own & {spot for step in found for spot in step.placements | step.eliminations}


# Pages


def test_the_list_has_the_path(guest: Visitor) -> None:
    assert guest.get("/practice").status_code == 200
    linked = [link["href"] for link in guest.page.select(".practice__list a")]
    assert linked == [f"/practice/{key}" for key in path.techniques()]


@pytest.mark.both_databases
@pytest.mark.parametrize("htmx", [True, False])
def test_a_found_step_is_right_and_counted(app: Flask, guest: Visitor, htmx: bool) -> None:
    assert guest.get("/practice/x_wing").status_code == 200
    sent = token(guest)
    step = read(app, sent).steps[0]
    answer = guest.post(
        "/practice/x_wing", {"drill": sent, "marks": str(Marks(eliminations=step.eliminations))}, htmx=htmx
    )
    assert 'data-outcome="right"' in answer.text
    assert "Play a puzzle that needs this and nothing harder" in answer.text
    assert counted(app) == (1, 1)
    guest.get("/practice")
    assert "1 of 1" in guest.page.main.text


@pytest.mark.parametrize("sent", [{"marks": "r1c1=1"}, {"marks": ""}, {"show": "1"}])
def test_a_wrong_answer_is_counted_and_explained(app: Flask, guest: Visitor, sent: dict[str, str]) -> None:
    guest.get("/practice/naked_single")
    drill = token(guest)
    digits = read(app, drill).position.grid
    cell = next(cell for cell in range(81) if not digits[cell])
    sent = sent | (
        {"marks": f"r{cell // 9 + 1}c{cell % 9 + 1}-{read(app, drill).position.candidates(cell)[0]}"}
        if sent.get("marks")
        else {}
    )
    answer = guest.post("/practice/naked_single", {"drill": drill, **sent})
    assert 'data-outcome="wrong"' in answer.text
    assert guest.page.select(".drill__step")
    assert counted(app) == (0, 1)


def test_a_pattern_is_named(app: Flask, guest: Visitor) -> None:
    for name, outcome in (("skyscraper", "right"), ("x_wing", "wrong")):
        guest.get("/practice/skyscraper?kind=name")
        answer = guest.post("/practice/skyscraper", {"drill": token(guest), "name": name})
        assert f'data-outcome="{outcome}"' in answer.text
    assert counted(app) == (1, 2)


def test_what_is_there_is_said(app: Flask, guest: Visitor) -> None:
    guest.get("/practice/hidden_pair?kind=there")
    there = read(app, token(guest)).step is not None
    answer = guest.post("/practice/hidden_pair", {"drill": token(guest), "there": int(there)})
    assert 'data-outcome="right"' in answer.text


def test_marks_that_cannot_be_read_are_not_counted(app: Flask, guest: Visitor) -> None:
    guest.get("/practice/x_wing")
    answer = guest.post("/practice/x_wing", {"drill": token(guest), "marks": "r9"})
    assert answer.status_code == 422
    with app.app_context():
        assert db.session.scalar(sa.select(LessonProgress.drills)) is None


@pytest.mark.parametrize("sent", ["", "x", "x.y.z"])
def test_a_drill_that_was_not_signed_is_not_found(guest: Visitor, sent: str) -> None:
    assert guest.post("/practice/x_wing", {"drill": sent}).status_code == 404


def test_a_technique_off_the_path_has_no_drills(guest: Visitor) -> None:
    for key in ("jellyfish", "scanning", "no_such"):
        assert guest.get(f"/practice/{key}").status_code == 404
