"""A part of an import: check its lines, and store their new puzzles."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import sqlalchemy as sa

import engine
from webapp.bank import bank, likeness
from webapp.curation.puzzles import puzzles
from webapp.curation.puzzles.reading import FACTS, LONGEST_DETAIL, Line
from webapp.curation.puzzles.tables import Import, LineState
from webapp.models import Puzzle, Status
from webapp.models.puzzle import solution_class
from webapp.play import entered
from webapp.process.database import db
from webapp.process.words import gettext as _

MOST_COUNTED = 100  # solutions counted for a grid with several
AT_ONCE = 500  # forms per query

Known = sa.Row[str, int, str, str | None]  # a puzzle of the bank: its form, id, givens and recipe


def with_forms(lines: list[Line]) -> list[Line]:
    """Return these lines with the canonical forms of their puzzles, or with their errors."""
    whole = [at for at, line in enumerate(lines) if line.grid is not None]
    if whole:
        rows = np.stack([grid.array() for line in lines if (grid := line.grid) is not None])
        for at, form in zip(whole, engine.canonical_forms(rows), strict=True):
            grid = lines[at].grid
            assert grid is not None
            if form.any() and not grid.full:
                text = str(engine.Grid(form.tobytes()))
                lines[at] = replace(lines[at], form=text, solution_class=solution_class(text))
                continue
            verdict = entered.check_grid(grid, MOST_COUNTED)
            state = LineState.INVALID if grid.full or verdict.faults else LineState.NOT_UNIQUE
            lines[at] = replace(lines[at], state=state, detail=verdict.reason[:LONGEST_DETAIL])
    return lines


def forms_of(lines: Sequence[Line]) -> list[str]:
    """Return the canonical forms of these lines, each once."""
    return sorted({line.form for line in lines if line.form})


def store(batch: Import, lines: Sequence[Line], now: datetime) -> list[list[Any]]:
    """Inside `write_tx()`, with their forms claimed: store the new puzzles of these lines.

    Returns a row of the report for each: line, state, puzzle, detail.
    """
    forms = forms_of(lines)
    known = _known(forms)
    first: dict[str, Line] = {}  # the first line of each new form
    for line in lines:
        if line.form and line.form not in known:
            first.setdefault(line.form, line)
    near = _near(list(first.values()))
    _insert([_candidate(line, batch.id, now) for line in first.values()])
    known |= _known(list(first))
    if batch.curator_id is not None:  # the importing curator knows these puzzles and their equivalents
        puzzles.note_seen(batch.curator_id, [row.id for row in _with_forms(forms)], now)
    rows = []
    for line in lines:
        state, number, detail = line.state, None, line.detail
        if line.form:
            state, number, detail = _result(line, known[line.form], batch.id)
            detail = near.get(line.number, detail)
        rows.append([line.file_line or line.number, str(state), number, detail])
    return rows


def _result(line: Line, twin: Known, batch_id: int) -> tuple[LineState, int, str]:
    if twin.recipe is not None and twin.recipe.startswith(f'{{"import": {batch_id}, '):
        earlier = json.loads(twin.recipe)["line"]
        if earlier == line.number:
            return LineState.NEW, twin.id, ""
        return LineState.DUPLICATE, twin.id, _("same as line %(number)s", number=earlier)
    if twin.givens == str(line.grid):
        return LineState.DUPLICATE, twin.id, _("identical")
    return LineState.DUPLICATE, twin.id, likeness.how(twin.givens, str(line.grid))


def _insert(candidates: list[dict[str, Any]]) -> None:
    """Store new puzzles; those that players have entered become candidates."""
    adopted: set[object] = set()
    for start in range(0, len(candidates), AT_ONCE):
        part = {row["givens"]: row for row in candidates[start : start + AT_ONCE]}
        for puzzle in db.session.scalars(sa.select(Puzzle).where(Puzzle.givens.in_(part))):
            bank.adopt(puzzle, Puzzle(**part[puzzle.givens]))
            adopted.add(puzzle.givens)
    db.session.flush()
    # Bypass the session, which sends a statement per row.
    if new := [row for row in candidates if row["givens"] not in adopted]:
        db.session.execute(sa.insert(Puzzle.__table__), new)


def _near(lines: Sequence[Line]) -> dict[int, str]:
    """Say for new lines, by number, which puzzle of the bank or earlier line has the same solution."""
    classes: dict[int, list[Line]] = {}
    for line in lines:
        classes.setdefault(line.solution_class, []).append(line)
    details: dict[int, str] = {}
    for alike in classes.values():
        for line in alike[1:]:
            how = likeness.nearly(alike[0].form, line.form)
            details[line.number] = _(
                "same solution as line %(number)s, %(how)s", number=alike[0].number, how=how
            )
    known = sa.select(Puzzle.id, sa.NotNullable(Puzzle.canonical), Puzzle.solution_class).where(
        Puzzle.solution_class.in_(sorted(classes)), Puzzle.status != Status.ENTERED
    )
    for puzzle_id, form, its_class in db.session.execute(known.order_by(Puzzle.id.desc())):
        for line in classes[its_class or 0]:
            how = likeness.nearly(form, line.form)
            details[line.number] = _("same solution as #%(number)s, %(how)s", number=puzzle_id, how=how)
    return details


def _known(forms: list[str]) -> dict[str, Known]:
    """Return the bank's first puzzle of each form."""
    found: dict[str, Known] = {}
    for row in _with_forms(forms):
        found.setdefault(row.canonical, row)
    return found


def _with_forms(forms: list[str]) -> Iterator[Known]:
    """Yield all puzzles of these forms except players' own, by id."""
    for start in range(0, len(forms), AT_ONCE):
        some = Puzzle.canonical.in_(forms[start : start + AT_ONCE])
        query = sa.select(
            sa.NotNullable(Puzzle.canonical), Puzzle.id, Puzzle.givens, sa.Nullable(Puzzle.recipe)
        )
        yield from db.session.execute(query.where(some, Puzzle.status != Status.ENTERED).order_by(Puzzle.id))


def _candidate(line: Line, batch_id: int, now: datetime) -> dict[str, Any]:
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
