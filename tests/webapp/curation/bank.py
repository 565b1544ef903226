"""Puzzles in the bank for the desk's tests."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

import engine
from tests.webapp.conftest import EASY
from tests.webapp.visitors import SetClock
from webapp.models import Puzzle, Status
from webapp.process.database import db, write_tx

LINES = (Path(__file__).parents[2] / "data" / "timed_puzzles.txt").read_text().split()
TWO_SOLUTIONS = EASY.replace("7", ".")
RENAMED = EASY.translate(str.maketrans("123456789", "213456789"))
OTHERS = [line for line in LINES if len(line) == 81][:8]


def candidate(givens: str, **columns: object) -> Puzzle:
    """Return a puzzle that waits for a curator, rated as by the worker."""
    grid = engine.parse(givens)
    unique = engine.verdict(grid) is engine.Verdict.UNIQUE
    return Puzzle(
        **{
            "givens": str(grid),
            "canonical": str(engine.canonical_form(grid)) if unique else None,
            "level": 3,
            "rating_version": "test",
            "explainer": 3.0,
            "hardest": "naked_pair",
            "expected_seconds": 500.0,
            "status": Status.CANDIDATE,
            "engine_version": "test",
            "created_at": SetClock.time,
            **columns,
        }
    )


def stored(app: Flask, *puzzles: Puzzle) -> list[int]:
    """Store them. Returns their ids in order."""
    with app.app_context():
        with write_tx():
            db.session.add_all(puzzles)
        return [puzzle.id for puzzle in puzzles]


def row_of(app: Flask, puzzle_id: int) -> Puzzle:
    """Return a puzzle as it is stored."""
    with app.app_context():
        found = db.session.get_one(Puzzle, puzzle_id)
        db.session.expunge(found)
        return found
