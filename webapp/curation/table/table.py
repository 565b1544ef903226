"""The drawing table: finish a sketch, find equivalents in the bank, store it. Owns its transaction."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from datetime import datetime
from typing import Final

import engine
from engine.generation import by_hand
from webapp.bank import bank, likeness
from webapp.bank.likeness import Twin
from webapp.curation import curation
from webapp.curation.table.sketch import Sketch
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

PATIENCE: Final = 5.0  # seconds that finishing a sketch may take
THIN: Final = 4  # givens removed by one thinning
MOST_ALIKE: Final = 20

Finish = Callable[[Sketch, int, Callable[[], bool]], engine.Grid | None]


def finished(sketch: Sketch, how: str, technique: str = "") -> Sketch:
    """Return a sketch with its givens completed, thinned, minimized, or such that they need a technique.

    how: a key of WAYS, or "need". Raises BadInput if that is impossible or takes too long.
    """
    ends = time.monotonic() + PATIENCE
    seed = secrets.randbits(48)
    db.session.rollback()  # no open transaction while the engine works
    try:
        if how == "need":
            if technique not in engine.TECHNIQUES:
                raise BadInput(technique=_("Choose a technique."))
            found = _needing(sketch, technique, seed, lambda: time.monotonic() > ends)
        elif how in WAYS:
            found = WAYS[how](sketch, seed, lambda: time.monotonic() > ends)
        else:
            raise BadInput(how=_("Choose what to do with the sketch."))
    except engine.RecipeError as error:
        message = _("No puzzle in this shape can have exactly one solution: %(reason)s.", reason=error.reason)
        raise BadInput(shape=message) from None
    if found is None:
        raise BadInput(
            how=_("We couldn’t find such a puzzle around what’s locked. Unlock a given, or change the shape.")
        )
    return sketch.with_grid(found)


def _completed(sketch: Sketch, seed: int, stop: Callable[[], bool]) -> engine.Grid | None:
    own = {"locked": sketch.locked, "shape": sketch.shape}
    return by_hand.completed(_solvable(sketch), seed, symmetry=sketch.symmetry, stop=stop, **own)


def _needing(sketch: Sketch, technique: str, seed: int, stop: Callable[[], bool]) -> engine.Grid | None:
    own = {"locked": sketch.locked, "shape": sketch.shape}
    return by_hand.needing(_solvable(sketch), technique, seed, symmetry=sketch.symmetry, stop=stop, **own)


def _thinned(sketch: Sketch, seed: int, _stop: Callable[[], bool]) -> engine.Grid:
    few = max(0, sketch.grid.givens - THIN)
    return by_hand.thinned(_unique(sketch), seed, locked=sketch.locked, symmetry=sketch.symmetry, fewest=few)


def _minimal(sketch: Sketch, seed: int, _stop: Callable[[], bool]) -> engine.Grid:
    return by_hand.thinned(_unique(sketch), seed, locked=sketch.locked, symmetry=sketch.symmetry)


WAYS: Final[dict[str, Finish]] = {"complete": _completed, "thin": _thinned, "minimal": _minimal}


def _solvable(sketch: Sketch) -> engine.Grid:
    if engine.solution(sketch.grid) is None:
        raise BadInput(how=_("These givens contradict each other. Remove one first."))
    return sketch.grid


def _unique(sketch: Sketch) -> engine.Grid:
    if engine.verdict(sketch.grid) is not engine.Verdict.UNIQUE:
        raise BadInput(how=_("Complete it first: only a puzzle with exactly one solution can lose givens."))
    return sketch.grid


def alike(grid: engine.Grid) -> list[Twin]:
    """Return the bank's puzzles that are equivalent to a grid with one solution, or have its solution."""
    drawn = Puzzle(givens=str(grid), canonical=str(engine.canonical_form(grid)))  # not stored
    return likeness.twins([drawn])[drawn.id][:MOST_ALIKE]


def keep(curator: Identity, sketch: Sketch, title: str, now: datetime) -> int:
    """Store a sketch as a candidate; returns its id. The worker rates it. Raises BadInput."""
    grid, title = _unique(sketch), texts.checked("title", title, 200)
    form = str(engine.canonical_form(grid))
    db.session.rollback()
    with write_tx():
        known = bank.twin(str(grid), form)
        if known is not None and known.status != Status.ENTERED:
            raise BadInput(
                how=_("Puzzle #%(number)s is equivalent, so there’s nothing to add.", number=known.id)
            )
        made = bank.put(
            Puzzle(
                givens=str(grid),
                canonical=form,
                **bank.unrated(grid),
                status=Status.CANDIDATE,
                method=bank.DRAWN,
                recipe=json.dumps({"locked": len(sketch.locked), "shape": len(sketch.shape)}),
                author=curator.name,
                title=title or None,
                engine_version=engine.__version__,
                created_at=now,
            ),
            known,
        )
        audit.record(curator, "draw", ("puzzle", made.id), at=now, after={"status": made.status})
        curation.note_seen(curator.id, [made.id], now)
        return made.id
