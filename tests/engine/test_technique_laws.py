"""Properties of every technique on every position along the path of a puzzle with one solution."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.position import Position
from tests import step_checker
from tests.thorough import amount

PROVED = 2  # steps of a technique and position to prove with the checker, which is slow


@st.composite
def puzzles(draw: st.DrawFn) -> engine.Grid:
    """Draw minimal puzzles of all levels."""
    return engine.generate(engine.Recipe(minimal=True), draw(st.integers(0, 1 << 32))).grid


@pytest.mark.slow
@settings(max_examples=amount("LAW_PUZZLES", 3, 12))
@given(puzzles(), st.integers(0, 80))
def test_no_step_removes_an_absent_candidate_or_a_digit_of_the_solution(
    grid: engine.Grid, asked: int
) -> None:
    solution = engine.solution(grid)
    assert solution is not None
    path = engine.solve_path(grid).steps
    position = Position.from_grid(grid)
    for number, following in enumerate(path):
        for key in engine.TECHNIQUES if number == asked % len(path) else ():
            for index, step in enumerate(engine.find(position, key)):
                assert faults(position, solution, step) == [], step
                if index < PROVED:
                    assert step_checker.faults(position, step) == [], step
        assert faults(position, solution, following) == [], following
        position = position.after(following)


def faults(position: Position, solution: engine.Grid, step: engine.Step) -> list[str]:
    """Return the errors in a step's effects."""
    found = [f"places {digit} in {cell}" for cell, digit in step.placements if solution[cell] != digit]
    for cell, digit in step.eliminations:
        if solution[cell] == digit or digit not in position.candidates(cell):
            found.append(f"removes {digit} from {cell}")
    return found if step.placements or step.eliminations else ["does nothing"]


@given(puzzles())
@settings(max_examples=20)
def test_a_finished_path_ends_in_the_solution(grid: engine.Grid) -> None:
    path = engine.solve_path(grid)
    assert path.solved
    assert path.end.grid == engine.solution(grid)
