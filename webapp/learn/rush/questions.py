"""Questions of a rush: a transformed position from drills or lessons, and the digit that follows.

There are three techniques. The boards can't be memorized, since every question is one of
1,218,998,108,160 transformations of its position.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

import engine
from webapp.learn.exercises import store
from webapp.learn.exercises.posed import Posed

# The techniques of a question, by the number of questions before it.
STAGES: Final = (
    (3, ("full_house",)),
    (10, ("full_house", "hidden_single")),
    (25, ("hidden_single",)),
    (10**9, ("hidden_single", "naked_single")),
)


@dataclass(frozen=True, slots=True)
class Question:
    """A board, and the digit that follows in one of its cells."""

    digits: str
    cell: int
    digit: int


def ask(number: int) -> Question:
    """Return a question for this number, from 1."""
    techniques = next(kinds for until, kinds in STAGES if number <= until)
    posed = _position(secrets.choice(techniques))
    cell, digit = secrets.choice(sorted(candidate for step in posed.steps for candidate in step.placements))
    turn = engine.Transformation.random(secrets.randbelow)
    board = str(turn.apply(engine.parse(posed.digits)))
    return Question(board, turn.target(cell), turn.digits[digit - 1])


def _position(technique: str) -> Posed:
    """Return a drill of the stock or, until there are any, a position of the lesson, without candidates."""
    drawn = store.drill(technique)
    if drawn is not None and not drawn.struck and drawn.there:
        return drawn
    lesson = store.lesson(technique)
    found = [each for each in (lesson.worked, lesson.exercise) if each is not None and not each.struck]
    return secrets.choice(found)
