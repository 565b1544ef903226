"""A part of an import: check its lines, and store them with their new puzzles."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import sqlalchemy as sa

import engine
from webapp.bank import bank, likeness
from webapp.curation import curation
from webapp.curation.importing.reading import FACTS, LONGEST_DETAIL, Line, Reading
from webapp.models import Import, ImportLine, LineState, Puzzle, Status
from webapp.models.puzzle import solution_class
from webapp.play import entered
from webapp.process.database import db
from webapp.process.words import gettext as _

MOST_COUNTED = 100  # solutions counted for a grid with several
AT_ONCE = 500  # forms per query


def with_forms(lines: list[Line]) -> list[Line]:
    """Return these lines with the canonical forms of their puzzles, or with their errors."""
    whole = [at for at, line in enumerate(lines) if line.grid is not None]
    if whole:
        grids = [lines[at].grid for at in whole]
        rows = np.stack([grid.array() for grid in grids if grid is not None])
        for at, form in zip(whole, engine.canonical_forms(rows), strict=True):
            lines[at] = _with_form(lines[at], form)
    return lines


def _with_form(line: Line, form: np.ndarray) -> Line:
    """Return a line with the canonical form of its puzzle, or with its error."""
    grid = line.grid
    assert grid is not None
    if form.any() and not grid.full:
        text = str(engine.Grid(form.tobytes()))
        return replace(line, form=text, solution_class=solution_class(text))
    verdict = entered.check_grid(grid, MOST_COUNTED)
    invalid = grid.full or verdict.faults
    state = LineState.INVALID if invalid else LineState.NOT_UNIQUE
    return replace(line, state=state, detail=verdict.reason[:LONGEST_DETAIL])


def forms_of(lines: list[Line]) -> list[str]:
    return sorted({line.form for line in lines if line.form})


def compared(lines: list[Line]) -> dict[int, tuple[int, str]]:
    """Compare lines with similar puzzles of the bank, by number, before a transaction has to wait for it."""
    known = _known(forms_of(lines))
    db.session.rollback()
    return {
        line.number: (found[0], likeness.how(found[2], str(line.grid)))
        for line in lines
        if (found := known.get(line.form)) is not None and found[2] != str(line.grid)
    }


def store(
    batch: Import,
    lines: list[Line],
    reading: Reading,
    now: datetime,
    comparisons: dict[int, tuple[int, str]] | None = None,
) -> None:
    """Inside `write_tx()`, with their forms claimed: store these lines, their new puzzles and the counts.

    comparisons: by number; computed here if None.
    """
    forms = forms_of(lines)
    known = _known(forms)
    first: dict[str, Line] = {}  # the first line of each new form
    for line in lines:
        if line.form and line.form not in known:
            first.setdefault(line.form, line)
    near: dict[int, dict[str, object]] = {}
    # Bypass the session, which sends a statement per row: 5,000 lines take half the time.
    if first:
        near = _near(first)
        candidates = [_candidate(line, batch.id, now) for line in first.values()]
        adopted = _adopt(candidates)
        if new := [row for row in candidates if row["givens"] not in adopted]:
            db.session.execute(sa.insert(Puzzle.__table__), new)
    fresh = {form: puzzle_id for form, (puzzle_id, *_rest) in _known(list(first)).items()}
    rows = [
        _row(line, batch.id, known, first, fresh, comparisons) | near.get(line.number, {}) for line in lines
    ]
    if rows:
        db.session.execute(sa.insert(ImportLine.__table__), rows)
    if batch.curator_id is not None:  # the importing curator knows these puzzles and their equivalents
        brought = [row.id for row in _of_forms(forms)]
        curation.note_seen(batch.curator_id, brought, now)
    counts = Counter(row["state"] for row in rows)
    for state in LineState:
        setattr(batch, state, getattr(batch, state) + counts[state])
    batch.taken += len(rows)
    batch.read, batch.held = min(reading.bytes, batch.size), reading.held
    db.session.flush()


def _adopt(candidates: list[dict[str, Any]]) -> set[object]:
    """Make candidates of the puzzles that players have entered. Returns their givens."""
    found: set[object] = set()
    for start in range(0, len(candidates), AT_ONCE):
        part = {row["givens"]: row for row in candidates[start : start + AT_ONCE]}
        for puzzle in db.session.scalars(sa.select(Puzzle).where(Puzzle.givens.in_(part))):
            bank.adopt(puzzle, Puzzle(**part[puzzle.givens]))
            found.add(puzzle.givens)
    db.session.flush()
    return found


def _near(first: dict[str, Line]) -> dict[int, dict[str, object]]:
    """Return for new lines, by number, the puzzle of the bank or earlier line with the same solution.

    Called before the new puzzles are in the bank.
    """
    classes: dict[int, list[Line]] = {}
    for line in first.values():
        classes.setdefault(line.solution_class, []).append(line)
    details: dict[int, dict[str, object]] = {}
    for alike in classes.values():
        for line in alike[1:]:
            how = likeness.nearly(alike[0].form, line.form)
            detail = _("same solution as line %(number)s, %(how)s", number=alike[0].number, how=how)
            details[line.number] = {"detail": detail}
    numbers = sorted(classes)
    for start in range(0, len(numbers), AT_ONCE):
        known = sa.select(Puzzle.id, sa.NotNullable(Puzzle.canonical), Puzzle.solution_class).where(
            Puzzle.solution_class.in_(numbers[start : start + AT_ONCE]), Puzzle.status != Status.ENTERED
        )
        for puzzle_id, form, its_class in db.session.execute(known.order_by(Puzzle.id.desc())):
            for line in classes[its_class or 0]:
                how = likeness.nearly(form, line.form)
                detail = _("same solution as #%(number)s, %(how)s", number=puzzle_id, how=how)
                details[line.number] = {"detail": detail}
    return details


def _known(forms: list[str]) -> dict[str, tuple[int, str, str, str | None]]:
    """Return id, status, givens and recipe of the bank's first puzzle of each form."""
    found: dict[str, tuple[int, str, str, str | None]] = {}
    for form, puzzle_id, status, givens, recipe in _of_forms(forms):
        found.setdefault(form, (puzzle_id, status, givens, recipe))
    return found


def _of_forms(forms: list[str]) -> Iterator[sa.Row[str, int, str, str, str | None]]:
    """Return form, id, status, givens and recipe of all puzzles of these forms except players' own, by id."""
    for start in range(0, len(forms), AT_ONCE):
        yield from db.session.execute(
            sa.select(
                sa.NotNullable(Puzzle.canonical),
                Puzzle.id,
                Puzzle.status,
                Puzzle.givens,
                sa.Nullable(Puzzle.recipe),
            )
            .where(Puzzle.canonical.in_(forms[start : start + AT_ONCE]), Puzzle.status != Status.ENTERED)
            .order_by(Puzzle.id)
        )


def _candidate(line: Line, batch_id: int, now: datetime) -> dict[str, object]:
    assert line.grid is not None
    return {
        "givens": str(line.grid),
        "canonical": line.form,
        "solution_class": line.solution_class,
        **bank.unrated(line.grid),
        "status": Status.CANDIDATE,
        "recipe": json.dumps({"import": batch_id, "line": line.number}),
        "engine_version": engine.__version__,
        "created_at": now,
        **dict.fromkeys(FACTS),
        **(line.facts or {}),
    }


def _row(
    line: Line,
    batch_id: int,
    known: dict[str, tuple[int, str, str, str | None]],
    first: dict[str, Line],
    fresh: dict[str, int],
    comparisons: dict[int, tuple[int, str]] | None,
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "import_id": batch_id,
        "line": line.number,
        "file_line": line.file_line,
        "state": line.state,
        "detail": line.detail,
        "puzzle_id": None,
    }
    if line.form in known:
        puzzle_id, _status, givens, recipe = known[line.form]
        if (earlier := _line_of(recipe, batch_id)) is not None:
            detail = _("same as line %(number)s", number=earlier)
        elif givens == str(line.grid):
            detail = _("identical")
        elif comparisons is None:
            detail = likeness.how(givens, str(line.grid))
        else:
            compared = comparisons.get(line.number, (0, ""))
            detail = compared[1] if compared[0] == puzzle_id else _("equivalent")
        return row | {"state": LineState.DUPLICATE, "detail": detail, "puzzle_id": puzzle_id}
    if line.form:
        original = first[line.form]
        row["puzzle_id"] = fresh[line.form]
        if original is not line:
            detail = _("same as line %(number)s", number=original.number)
            return row | {"state": LineState.DUPLICATE, "detail": detail}
    return row


def _line_of(recipe: str | None, batch_id: int) -> int | None:
    """Return the line that a puzzle came from, if it was in this import."""
    if recipe is None or not recipe.startswith(f'{{"import": {batch_id}, '):
        return None
    line: int = json.loads(recipe)["line"]
    return line
