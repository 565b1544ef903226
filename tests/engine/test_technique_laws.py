"""What holds for every technique on every position along the way of a puzzle with one solution."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.position import Position
from tests import step_checker

PROVED = 2  # steps of a technique and position put before the checker, which is slow

# Puzzles of ours, easy to very hard; symmetric images of them are as good as new ones.
PUZZLES = ("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...",)


def _image(puzzle: str, digits: list[int], rows: list[int], columns: list[int], turned: bool) -> str:
    """The puzzle with digits renamed and rows and columns exchanged inside their bands."""
    cells = [puzzle[9 * row + column] for row in rows for column in columns]
    if turned:
        cells = [cells[9 * column + row] for row in range(9) for column in range(9)]
    return "".join(cell if cell == "." else str(digits[int(cell) - 1]) for cell in cells)


def _lines(draw: st.DrawFn) -> list[int]:
    bands = draw(st.permutations(range(3)))
    return [3 * band + row for band in bands for row in draw(st.permutations(range(3)))]


@st.composite
def puzzles(draw: st.DrawFn) -> str:
    puzzle = draw(st.sampled_from(PUZZLES))
    digits = draw(st.permutations(range(1, 10)))
    return _image(puzzle, digits, _lines(draw), _lines(draw), draw(st.booleans()))


@settings(max_examples=2, deadline=None)
@given(puzzles())
def test_no_step_removes_an_absent_candidate_or_a_digit_of_the_solution(puzzle: str) -> None:
    grid = engine.parse(puzzle)
    solution = engine.solution(grid)
    assert solution is not None
    position = Position.from_grid(grid)
    while not position.solved:
        following = engine.next_step(position)
        for key in engine.TECHNIQUES if position.grid.givens % 9 == 0 else ():
            for index, step in enumerate(engine.find(position, key)):
                assert all(solution[cell] == digit for cell, digit in step.placements), step
                assert all(solution[cell] != digit for cell, digit in step.eliminations), step
                if index < PROVED:
                    assert step_checker.faults(position, step) == [], step
        if following is None:
            break
        position = position.after(following)


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_finished_path_ends_in_the_solution(puzzle: str) -> None:
    grid = engine.parse(puzzle)
    path = engine.solve_path(grid)
    assert path.solved
    assert path.end.grid == engine.solution(grid)
