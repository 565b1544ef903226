"""What a rating says besides a level: kept as JSON with the puzzle, and worked out where it is missing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

import engine
from engine import warm
from engine.generation.symmetry import Symmetry
from webapp.bank.aside import PATIENCE, Aside
from webapp.models import Puzzle
from webapp.process.database import db, write_tx

SEARCHES = ("givens_and_search", "decision_tree")  # schemes that only a rating of all of them has


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The parts of an engine.Rating that the desk shows."""

    counts: Mapping[str, int]  # technique key -> how often logic used it
    scores: Mapping[str, float | None]  # scheme key -> None where it gave up
    openings: tuple[float, ...]  # cells that a single fills, at each step
    interval: tuple[float, float] | None  # seconds; four players' means of five lie in it

    @property
    def whole(self) -> bool:
        """Whether every scheme was asked."""
        return all(key in self.scores for key in SEARCHES)


def of_rating(rating: engine.Rating) -> Breakdown:
    """What is kept of a rating."""
    return Breakdown(
        dict(rating.counts), dict(rating.scores), tuple(rating.openings), rating.expected_interval
    )


def text_of(breakdown: Breakdown) -> str:
    """The JSON of Puzzle.breakdown."""
    return json.dumps(asdict(breakdown))


def read(text: str | None) -> Breakdown | None:
    """What Puzzle.breakdown holds; None where it is missing."""
    if text is None:
        return None
    parts: dict[str, Any] = json.loads(text)
    interval = parts.get("interval")
    return Breakdown(
        counts=parts.get("counts", {}),
        scores=parts.get("scores", {}),
        openings=tuple(parts.get("openings", ())),
        interval=None if interval is None else (interval[0], interval[1]),
    )


_ratings: Aside[engine.Grid, engine.Rating] = Aside(partial(engine.rate, schemes="all"))


def whole_of(puzzle: Puzzle, patience: float = PATIENCE) -> Breakdown | None:
    """Every score of a puzzle; None while it is still being worked out. What comes out is kept with it."""
    known = read(puzzle.breakdown)
    if known is not None and known.whole:
        return known
    puzzle_id, grid = puzzle.id, engine.parse(puzzle.givens)
    db.session.rollback()  # no transaction stays open while the engine works
    rating = _ratings.ask(grid, patience) if warm.ready() else None
    if rating is None:
        return None
    found = of_rating(rating)
    with write_tx():
        db.session.execute(sa.update(Puzzle).where(Puzzle.id == puzzle_id).values(breakdown=text_of(found)))
    return found


def symmetries(givens: str) -> tuple[Symmetry, ...]:
    """The symmetries of the pattern of givens, none that follows from another one named; empty for none."""
    there = {cell for cell in range(81) if givens[cell] != "."}

    def has(symmetry: Symmetry) -> bool:
        return all(set(symmetry.images(cell)) <= there for cell in there)

    if has(Symmetry.FULL):
        return (Symmetry.FULL,)
    if has(Symmetry.QUARTER_TURN):
        return (Symmetry.QUARTER_TURN,)
    mirrors = (Symmetry.HORIZONTAL, Symmetry.VERTICAL, Symmetry.DIAGONAL, Symmetry.ANTIDIAGONAL)
    found = tuple(filter(has, mirrors))
    return found or ((Symmetry.HALF_TURN,) if has(Symmetry.HALF_TURN) else ())
