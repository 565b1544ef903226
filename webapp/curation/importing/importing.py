"""Imports: a text of puzzles in any format, checked line by line and stored as a whole or not at all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
import sqlalchemy as sa

import engine
from engine import formats
from webapp.bank import bank, likeness
from webapp.curation import curation
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Import, ImportLine, LineState, Puzzle, Status
from webapp.models.puzzle import solution_class
from webapp.play import entered
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

MOST_PUZZLES = 5000
LARGEST = 1 << 20  # bytes of a file or of a text
MOST_COUNTED = 100  # solutions counted for a grid with several
PER_PAGE = 100
AT_ONCE = 500  # forms per query
LONGEST_DETAIL = 300  # characters


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an import and what was found there."""

    number: int  # from 1: of the line, or of the game if a line holds several
    grid: engine.Grid | None = None
    form: str = ""  # canonical form of a puzzle with one solution
    state: LineState = LineState.NEW
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an import, or a page of it."""

    batch: Import
    counts: dict[str, int]  # by LineState, over all lines
    rated: int  # of the new ones
    lines: Sequence[sa.Row[ImportLine, Puzzle | None]]
    number: int  # of the page, from 1
    pages: int


def take(stream: BinaryIO, name: str, curator: Identity | None, now: datetime) -> int:
    """Check and store the puzzles of a text. Returns the report's id. Raises BadInput if there are none.

    New ones become candidates with a level by their givens; the worker rates them. The stream is read line by
    line, at most one puzzle beyond the limit.
    """
    lines = _judged(list(islice(formats.read(stream), MOST_PUZZLES + 1)))
    try:
        return _store(lines, name, curator, now)
    except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: one of these puzzles was just added
        return _store(lines, name, curator, now)


def _judged(items: list[formats.Entry | engine.PuzzleFormatError]) -> list[Line]:
    if len(items) > MOST_PUZZLES:
        raise BadInput(text=_("That’s too many puzzles. Import up to %(most)s at a time.", most=MOST_PUZZLES))
    if not items:
        raise BadInput(text=_("No puzzles found. Check the file or the text."))
    if len(items) == 1 and isinstance(items[0], engine.PuzzleFormatError):
        raise BadInput(text=_("Couldn’t read this: %(reason)s", reason=str(items[0])[:LONGEST_DETAIL]))
    lines = list(_numbered(items))
    whole = [at for at, line in enumerate(lines) if line.grid is not None]
    if whole:
        grids = [lines[at].grid for at in whole]
        rows = np.stack([grid.array() for grid in grids if grid is not None])
        for at, form in zip(whole, engine.canonical_forms(rows), strict=True):
            lines[at] = _with_form(lines[at], form)
    return lines


def _numbered(items: list[formats.Entry | engine.PuzzleFormatError]) -> Iterator[Line]:
    """Yield the lines in order with unique numbers, though a document may have many games in one line."""
    last = 0
    for item in items:
        last = max(last + 1, item.line or 0)
        if isinstance(item, engine.PuzzleFormatError):
            reason = engine.PuzzleFormatError(item.reason, cell=item.cell, character=item.character)
            yield Line(last, state=LineState.INVALID, detail=str(reason)[:LONGEST_DETAIL])
        else:
            yield Line(last, item.givens)


def _with_form(line: Line, form: np.ndarray) -> Line:
    """Return a line with the canonical form of its puzzle, or with its error."""
    grid = line.grid
    assert grid is not None
    if form.any() and not grid.full:
        return Line(line.number, grid, str(engine.Grid(form.tobytes())))
    verdict = entered.judge_grid(grid, MOST_COUNTED)
    unique = grid.full or verdict.faults
    state = LineState.INVALID if unique else LineState.NOT_UNIQUE
    return Line(line.number, grid, state=state, detail=verdict.reason[:LONGEST_DETAIL])


def _store(lines: list[Line], name: str, curator: Identity | None, now: datetime) -> int:
    forms = sorted({line.form for line in lines if line.form})
    with write_tx():
        bank.claim(forms)
        batch = Import(
            curator_id=None if curator is None else curator.id, name=name[:100] or _("Text"), created_at=now
        )
        db.session.add(batch)
        db.session.flush()
        known = _known(forms)
        first: dict[str, Line] = {}  # the first line of each form that the bank lacks
        for line in lines:
            if line.form and line.form not in known:
                first.setdefault(line.form, line)
        near: dict[int, dict[str, object]] = {}
        # Without the session, which sends a statement per row: 5,000 lines take half the time.
        if first:
            near = _near(first)
            candidates = [_candidate(line, batch.id, now) for line in first.values()]
            adopted = _adopt(candidates)
            if new := [row for row in candidates if row["givens"] not in adopted]:
                db.session.execute(sa.insert(Puzzle.__table__), new)
        fresh = {form: puzzle_id for form, (puzzle_id, *_rest) in _known(list(first)).items()}
        rows = [_row(line, batch.id, known, first, fresh) | near.get(line.number, {}) for line in lines]
        db.session.execute(sa.insert(ImportLine.__table__), rows)
        if curator is not None:  # the importing curator knows these puzzles and their equivalents
            brought = [row.id for row in _of_forms(forms)]
            curation.note_seen(curator.id, brought, now)
        counts = Counter(row["state"] for row in rows)
        after = {"name": batch.name, **{str(state): counts[state] for state in LineState}}
        audit.record(curator, "import", "import", batch.id, at=now, after=after)
        batch_id = batch.id
    return batch_id


def _adopt(candidates: list[dict[str, Any]]) -> set[object]:
    """Make those of these that players have entered candidates. Returns their givens."""
    found: set[object] = set()
    for start in range(0, len(candidates), AT_ONCE):
        part = {row["givens"]: row for row in candidates[start : start + AT_ONCE]}
        for puzzle in db.session.scalars(sa.select(Puzzle).where(Puzzle.givens.in_(part))):
            bank.adopt(puzzle, Puzzle(**part[puzzle.givens]))
            found.add(puzzle.givens)
    db.session.flush()
    return found


def _near(first: dict[str, Line]) -> dict[int, dict[str, object]]:
    """Say of new lines, by number, which puzzle of the bank or earlier line has the same solution.

    Called before the new puzzles are in the bank.
    """
    classes: dict[int, list[Line]] = {}
    for line in first.values():
        classes.setdefault(solution_class(line.form), []).append(line)
    told: dict[int, dict[str, object]] = {}
    for alike in classes.values():
        for line in alike[1:]:
            how = likeness.nearly(alike[0].form, line.form)
            detail = _("same solution as line %(number)s, %(how)s", number=alike[0].number, how=how)
            told[line.number] = {"detail": detail}
    numbers = sorted(classes)
    for start in range(0, len(numbers), AT_ONCE):
        known = sa.select(Puzzle.id, sa.NotNullable(Puzzle.canonical), Puzzle.solution_class).where(
            Puzzle.solution_class.in_(numbers[start : start + AT_ONCE]), Puzzle.status != Status.ENTERED
        )
        for puzzle_id, form, its_class in db.session.execute(known.order_by(Puzzle.id.desc())):
            for line in classes[its_class or 0]:
                how = likeness.nearly(form, line.form)
                detail = _("same solution as #%(number)s, %(how)s", number=puzzle_id, how=how)
                told[line.number] = {"detail": detail}
    return told


def _known(forms: list[str]) -> dict[str, tuple[int, str, str]]:
    """Return id, status and givens of the bank's first puzzle of each form."""
    found: dict[str, tuple[int, str, str]] = {}
    for form, puzzle_id, status, givens in _of_forms(forms):
        found.setdefault(form, (puzzle_id, status, givens))
    return found


def _of_forms(forms: list[str]) -> Iterator[sa.Row[str, int, str, str]]:
    """Return form, id, status and givens of every puzzle of these forms, but for players' own, by id."""
    for start in range(0, len(forms), AT_ONCE):
        yield from db.session.execute(
            sa.select(sa.NotNullable(Puzzle.canonical), Puzzle.id, Puzzle.status, Puzzle.givens)
            .where(Puzzle.canonical.in_(forms[start : start + AT_ONCE]), Puzzle.status != Status.ENTERED)
            .order_by(Puzzle.id)
        )


def _candidate(line: Line, batch_id: int, now: datetime) -> dict[str, object]:
    assert line.grid is not None
    return {
        "givens": str(line.grid),
        "canonical": line.form,
        "solution_class": solution_class(line.form),
        "level": bank.level_by_givens(line.grid.givens),
        "rating_version": bank.BY_GIVENS,
        "status": Status.CANDIDATE,
        "recipe": json.dumps({"import": batch_id, "line": line.number}),
        "engine_version": engine.__version__,
        "created_at": now,
    }


def _row(
    line: Line,
    batch_id: int,
    known: dict[str, tuple[int, str, str]],
    first: dict[str, Line],
    fresh: dict[str, int],
) -> dict[str, object]:
    row = {
        "import_id": batch_id,
        "line": line.number,
        "state": line.state,
        "detail": line.detail,
        "puzzle_id": None,
    }
    if line.form in known:
        puzzle_id, _status, givens = known[line.form]
        same = _("identical") if givens == str(line.grid) else likeness.how(givens, str(line.grid))
        return row | {"state": LineState.DUPLICATE, "detail": same, "puzzle_id": puzzle_id}
    if line.form:
        original = first[line.form]
        row["puzzle_id"] = fresh[line.form]
        if original is not line:
            detail = _("same as line %(number)s", number=original.number)
            return row | {"state": LineState.DUPLICATE, "detail": detail}
    return row


def report(batch_id: int, number: int = 1, state: str = "") -> Report:
    """Return a page of a report, of all lines or of those in one state. Raises NotFound."""
    batch = db.session.get(Import, batch_id)
    if batch is None:
        raise NotFound(_("We couldn’t find that import."))
    of_batch = ImportLine.import_id == batch_id
    found = db.session.execute(
        sa.select(ImportLine.state, sa.func.count().label("lines")).where(of_batch).group_by(ImportLine.state)
    )
    counts = dict.fromkeys(map(str, LineState), 0) | {row.state: row.lines for row in found}
    shown = counts[state] if state in counts else sum(counts.values())
    pages = max(1, -(-shown // PER_PAGE))
    number = min(max(number, 1), pages)
    query = _lines(batch_id, state if state in counts else "")
    page = db.session.execute(query.offset((number - 1) * PER_PAGE).limit(PER_PAGE)).all()
    rated = db.session.scalar(
        sa.select(sa.func.count())
        .select_from(ImportLine)
        .join(Puzzle, Puzzle.id == ImportLine.puzzle_id)
        .where(of_batch, ImportLine.state == LineState.NEW, Puzzle.rating_version == bank.RATED)
    )
    return Report(batch, counts, rated or 0, page, number, pages)


def whole(batch_id: int) -> Sequence[ImportLine]:
    """Return every line of a report in order. Raises NotFound."""
    report(batch_id)
    lines = sa.select(ImportLine).where(ImportLine.import_id == batch_id).order_by(ImportLine.line)
    return db.session.scalars(lines).all()


def _lines(batch_id: int, state: str) -> sa.Select[ImportLine, Puzzle | None]:
    query = (
        sa.select(ImportLine, sa.Nullable(Puzzle))
        .outerjoin(Puzzle, Puzzle.id == ImportLine.puzzle_id)
        .where(ImportLine.import_id == batch_id)
        .order_by(ImportLine.line)
    )
    return query.where(ImportLine.state == state) if state else query


def latest() -> Sequence[Import]:
    """Return the latest imports."""
    return db.session.scalars(sa.select(Import).order_by(Import.id.desc()).limit(20)).all()
