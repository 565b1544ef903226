"""The details of a rating, stored as JSON with the puzzle and computed if missing."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

import engine
from engine import warm
from engine.generation import Symmetry, Varied, vary
from webapp.identity.aside import Aside
from webapp.models import Puzzle
from webapp.process.database import db, write_tx

STRICTEST_FIRST = (
    *(Symmetry.FULL, Symmetry.QUARTER_TURN),
    *(Symmetry.HORIZONTAL, Symmetry.VERTICAL, Symmetry.DIAGONAL, Symmetry.ANTIDIAGONAL, Symmetry.HALF_TURN),
)
SEARCHES = ("givens_and_search", "decision_tree")  # schemes that only a full rating includes


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The parts of an engine.Rating that the desk shows."""

    counts: Mapping[str, int]  # technique key -> how often logic used it
    scores: Mapping[str, float | None]  # scheme key -> score, None if it gave up
    openings: tuple[float, ...]  # number of cells a single can fill, at each step
    interval: tuple[float, float] | None  # seconds; contains four of five mean times

    @property
    def whole(self) -> bool:
        """Whether it includes every scheme."""
        return all(key in self.scores for key in SEARCHES)


def of_rating(rating: engine.Rating) -> Breakdown:
    """Return the stored parts of a rating."""
    return Breakdown(
        dict(rating.counts), dict(rating.scores), tuple(rating.openings), rating.expected_interval
    )


def text_of(breakdown: Breakdown) -> str:
    """Return the JSON for Puzzle.breakdown."""
    return json.dumps(asdict(breakdown))


def read(text: str | None) -> Breakdown | None:
    """Parse Puzzle.breakdown; None if it is missing."""
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


def complete(puzzle: Puzzle) -> Breakdown | None:
    """Return every score of a puzzle and store them; None while they are being computed."""
    known = read(puzzle.breakdown)
    if known is not None and known.whole:
        return known
    puzzle_id, grid = puzzle.id, engine.parse(puzzle.givens)
    db.session.rollback()  # no open transaction while the engine works
    rating = _ratings.ask(grid) if warm.ready() else None
    if rating is None:
        return None
    found = of_rating(rating)
    with write_tx():
        db.session.execute(
            sa.update(Puzzle).where(Puzzle.id == puzzle_id).values(breakdown=text_of(found), traced=False)
        )
    return found


def symmetries(givens: str) -> list[Symmetry]:
    """Return the symmetries of the givens' pattern, the strictest first; empty if none."""
    cells = {cell for cell in range(81) if givens[cell] != "."}
    return [each for each in STRICTEST_FIRST if each.holds(cells)]


def random_transform(givens: str, seed: int | None = None) -> Varied:
    """Return a random transformation of a puzzle: the grid, and the transformation that maps it there."""
    kept = next(iter(symmetries(givens)), Symmetry.NONE)
    return vary(engine.parse(givens), secrets.randbits(62) if seed is None else seed, kept.value)
