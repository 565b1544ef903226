"""Assessing marks: right, missing, wrong and why, compared with the engine's steps and the rules alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine.geometry import PEERS, cell_name
from engine.techniques import Role
from tests.thorough import one_in
from webapp.learn import judging, positions
from webapp.learn.judging import Judgment
from webapp.learn.marks import Marks
from webapp.learn.positions import Posed

TECHNIQUES = ("hidden_single", "naked_pair", "pointing", "skyscraper", "xy_wing", "direct_hidden_pair")


@pytest.fixture(autouse=True)
def request_context(app: Flask) -> Iterator[None]:
    """Texts need a request, for its language."""
    with app.test_request_context():
        yield


def exercise(technique: str) -> Posed:
    return positions.of(technique).example


def judge(
    posed: Posed, placed: Collection[tuple[int, int]] = (), crossed: Collection[tuple[int, int]] = ()
) -> Judgment:
    given = Marks(frozenset(placed), frozenset(crossed))
    return judging.judge(posed.position, posed.technique, given, posed.steps)


def candidates(position: engine.Position) -> list[tuple[int, int]]:
    return [(cell, digit) for cell in range(81) for digit in position.candidates(cell)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(TECHNIQUES), st.data())
def test_marks_assessed_as_right_are_true_and_others_have_a_reason(
    technique: str, data: st.DataObject
) -> None:
    position = exercise(technique).position
    effects = sorted({mark for step in exercise(technique).steps for mark in step.eliminations})
    some = st.sampled_from(candidates(position) + 5 * effects)
    crossed = data.draw(st.frozensets(some, max_size=5))
    placed = data.draw(st.frozensets(some, max_size=2))
    judgment = judge(exercise(technique), placed, crossed)
    solution = position.solution
    marks = {(*mark, True) for mark in placed} | {(*mark, False) for mark in crossed}
    assert judgment.wrong.keys() <= marks
    for (cell, digit, _), reason in judgment.wrong.items():
        assert reason
        assert solution[cell] == digit or "goes there" not in reason
    assert all((solution[cell] == digit) is placing for cell, digit, placing in marks - judgment.wrong.keys())


@pytest.mark.parametrize("technique", one_in(3, TECHNIQUES))
def test_every_step_of_the_technique_is_right(technique: str) -> None:
    found = exercise(technique)
    for step in found.steps:
        judgment = judge(found, step.placements, step.eliminations)
        assert judgment.right
        assert not judgment.missing


def test_all_steps_together_are_right() -> None:
    found = exercise("naked_pair")
    marks = frozenset[tuple[int, int]]().union(*(step.eliminations for step in found.steps))
    assert judge(found, (), marks).right


def test_half_found_is_missing_the_rest() -> None:
    """In a position with one step, which crosses out two candidates or more."""
    found, step = next(
        (posed, step)
        for posed in positions.of("pointing").found
        for step in posed.steps
        if len(posed.steps) == 1 and len(step.eliminations) > 1
    )
    first, *others = sorted(step.eliminations)
    judgment = judge(found, (), {first})
    assert not judgment.right
    assert not judgment.wrong
    assert judgment.missing == len(others)
    assert "missing" in judgment.text


def test_a_step_that_places_is_found_by_its_digit() -> None:
    found = exercise("hidden_single")
    ((cell, digit),) = found.steps[0].placements
    assert judge(found, {(cell, digit)}, ()).right
    wrong = next(other for other in found.position.candidates(cell) if other != digit)
    assert [*judge(found, {(cell, wrong)}, ()).wrong.values()] == [f"{cell_name(cell)} isn’t {wrong}."]


def test_the_reason_names_the_cell_that_is_not_seen() -> None:
    for found in positions.of("xy_wing").found:
        if len(found.steps) > 1:
            continue
        step, position = found.steps[0], found.position
        ((_, digit),) = {(0, digit) for _, digit in step.eliminations}
        pincers = list(step.cells_of(Role.PINCER))
        outside = [
            cell
            for cell in range(81)
            if digit in position.candidates(cell)
            and cell not in pincers
            and (cell, digit) not in step.eliminations
            and sum(pincer in PEERS[cell] for pincer in pincers) == 1
        ]
        if not outside:
            continue
        (reason,) = judge(found, (), {(outside[0], digit)}).wrong.values()
        (unseen,) = (pincer for pincer in pincers if pincer not in PEERS[outside[0]])
        assert f"doesn’t see {cell_name(unseen)}." in reason
        return
    raise AssertionError


def test_a_digit_of_the_pattern_stays() -> None:
    found = exercise("naked_pair")
    fact = found.steps[0].cells[0]
    (reason,) = judge(found, (), {(fact.cell, fact.digits[0])}).wrong.values()
    assert "part of the pattern" in reason


def test_a_filled_cell_has_nothing_to_cross_out() -> None:
    position = exercise("naked_pair").position
    cell = next(cell for cell in range(81) if position.grid[cell])
    (reason,) = judge(exercise("naked_pair"), (), {(cell, position.grid[cell])}).wrong.values()
    assert "to cross out" in reason


def test_no_marks_are_no_answer() -> None:
    judgment = judge(exercise("naked_pair"))
    assert not judgment.right
    assert judgment.missing
