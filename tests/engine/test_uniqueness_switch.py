"""Which calls may assume that a puzzle has one solution: `find` always, logic if that is known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest

import engine
from engine import Grid, Position
from engine.steps.step import Step

# Logic needs a unique rectangle of type 4 here.
PUZZLE = engine.parse("..38.5.1...6.....9.4.1..7........4...9.....58.68..4...1..7.2....8.9...........5.2")


def _granted(steps: Iterable[Step]) -> list[bool]:
    return [engine.TECHNIQUES[step.technique].needs_unique for step in steps]


@cache
def _where_uniqueness_is_next() -> Position:
    """Return the position on the path where logic continues with uniqueness."""
    position = Position.from_grid(PUZZLE)
    while (step := engine.next_step(position)) is not None and not any(_granted([step])):
        position = position.after(step)
    assert step is not None
    return position


def _not_known_unique(position: Position) -> Position:
    """Return the same digits and candidates, none of them printed."""
    return Position.from_pencilmarks(position.pencilmarks(), position.grid, Grid(bytes(81)))


@pytest.mark.slow
def test_logic_leaves_uniqueness_out_where_it_is_not_known() -> None:
    known = _where_uniqueness_is_next()
    unknown = _not_known_unique(known)
    assert known.unique and not unknown.unique
    assert any(_granted(engine.all_steps(known)))
    assert not any(_granted(engine.all_steps(unknown)))
    following = engine.next_step(unknown)
    assert following is not None and not any(_granted([following]))


def test_find_takes_uniqueness_for_granted_wherever_it_is_asked() -> None:
    known = _where_uniqueness_is_next()
    step = engine.next_step(known)
    assert step in engine.find(_not_known_unique(known), step.technique)


@pytest.mark.slow
def test_uniqueness_can_be_switched_off() -> None:
    position = _where_uniqueness_is_next()
    assert any(_granted(engine.solve_path(PUZZLE).steps))
    path = engine.solve_path(PUZZLE, uniqueness=False)
    assert path.solved
    assert path.steps and not any(_granted(path.steps))
    assert not any(_granted(engine.all_steps(position, uniqueness=False)))
    following = engine.next_step(position, uniqueness=False)
    assert following is not None and not any(_granted([following]))
