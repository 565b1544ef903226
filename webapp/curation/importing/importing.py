"""Imports: puzzles of a file in any format, checked line by line; every line is accounted for.

A small file is stored as a whole or not at all. A large one is stored in parts by a worker, each together
with the counts, so that an import that is killed goes on after the last part.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from time import monotonic, sleep
from typing import Any, BinaryIO

import numpy as np
import sqlalchemy as sa

import engine
from webapp.bank import bank, likeness
from webapp.curation import curation
from webapp.curation.importing import uploads
from webapp.curation.importing.reading import LONGEST_DETAIL, TOLD, Columns, Line, Reading
from webapp.curation.importing.uploads import Readable
from webapp.identity.players import Identity
from webapp.models import Import, ImportLine, ImportState, LineState, Player, Puzzle, Status
from webapp.models.puzzle import solution_class
from webapp.play import entered
from webapp.process.database import Busy, db, write_tx
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

AT_WEB = 5000  # puzzles that a request imports itself; more of them are left to the workers
SMALL = 1 << 20  # bytes that it reads itself
MOST = 1_000_000  # puzzles and errors of a file
PART = 100  # lines per transaction of a worker
MOST_COUNTED = 100  # solutions counted for a grid with several
MOST_COMPARED = 5000  # lines of which a duplicate says how it differs, which takes milliseconds
MOST_COUNTED_RATED = 20_000  # new puzzles of an import
PER_PAGE = 100
AT_ONCE = 500  # forms per query


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an import so far, or a page of it."""

    batch: Import
    counts: dict[str, int]  # by LineState, over all lines
    rated: int | None  # of the new ones; None where there are too many to count
    lines: Sequence[sa.Row[ImportLine, Puzzle | None]]
    number: int  # of the page, from 1
    pages: int

    @property
    def other(self) -> int:
        """Lines that held no puzzle of their own: blank ones, comments, headings, rows of grids."""
        return (self.batch.lines or 0) - self.batch.held - self.batch.beyond


def accept(stream: Readable, name: str, curator: Identity | None, now: datetime) -> tuple[int, bool]:
    """Import a small file at once and leave a large one to the workers.

    Returns its id, and whether it is done. Raises BadInput.
    """
    head = b""
    while len(head) <= SMALL and (more := stream.read(SMALL + 1 - len(head))):
        head += more
    if len(head) <= SMALL:
        done = take(io.BytesIO(head), name, curator, now)
        if done is not None:
            return done, True
    return uploads.keep(_Whole(head, stream), name, curator, now), False


class _Whole:
    """A stream with the beginning that has been read from it."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head, self._rest = io.BytesIO(head), rest

    def read(self, size: int, /) -> bytes:
        return self._head.read(size) or self._rest.read(size)


def take(stream: BinaryIO, name: str, curator: Identity | None, now: datetime) -> int | None:
    """Check and store the puzzles of a small text. Returns the report's id; None if it has too many for that.

    New ones become candidates with a level by their givens; the worker rates them. Raises BadInput if there
    are none.
    """
    reading = Reading(stream)
    lines = list(islice(reading.lines(), AT_WEB + 1))
    if len(lines) > AT_WEB:
        return None
    if not lines:
        raise BadInput(text=_("No puzzles found. Check the file or the text."))
    if len(lines) == 1 and lines[0].grid is None:
        raise BadInput(text=_("Couldn’t read this: %(reason)s", reason=lines[0].detail))
    reading.pass_over()
    lines = _judged(lines)
    try:
        return _take(lines, reading, name, curator, now)
    except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: one of these puzzles was just added
        return _take(lines, reading, name, curator, now)


def _take(lines: list[Line], reading: Reading, name: str, curator: Identity | None, now: datetime) -> int:
    with write_tx():
        bank.claim(_forms(lines))
        batch = Import(
            curator_id=None if curator is None else curator.id,
            name=name[:100] or _("Text"),
            created_at=now,
            size=reading.bytes,
        )
        db.session.add(batch)
        db.session.flush()
        _store(batch, lines, reading, now)
        _end(batch, reading, 0, curator, now)
        return batch.id


# In the background


def take_up() -> list[int]:
    """Start waiting imports. Returns their ids."""
    ids = list(uploads.queued())
    if ids:
        with write_tx():
            chosen = sa.update(Import).where(Import.id.in_(ids), Import.state == ImportState.QUEUED)
            db.session.execute(chosen.values(state=ImportState.RUNNING))
    return ids


def work(batch_id: int, stopping: Callable[[], bool], clock: Callable[[], datetime]) -> bool:
    """Import a file part by part until its end; False if it was stopped before.

    After a crash it goes on behind the last part: the file is read again up to there, in the same order.
    """
    batch = db.session.get(Import, batch_id, populate_existing=True)
    if batch is None or batch.state != ImportState.RUNNING:
        return True
    columns = None if batch.columns is None else Columns.of(batch.columns)
    reading = Reading(io.BufferedReader(uploads.Stored(batch_id)), columns)
    curator = _curator(batch)
    done = batch.taken
    db.session.rollback()
    lines = reading.lines()
    try:
        for _line in islice(lines, done):
            if stopping():
                return False
        while not stopping():
            part = _judged(list(islice(lines, min(PART, MOST - done))))
            over = len(part) < PART
            beyond = reading.pass_over() if over else 0
            if over and not done + len(part):
                _fail(batch_id, _("No puzzles found. Check the file or the text."), curator, clock())
                return True
            if not _add(batch_id, part, done, reading, clock(), over=over, beyond=beyond, curator=curator):
                return True  # cancelled, or another worker has taken over
            done += len(part)
            if over:
                return True
    except Busy:  # what has been read is read again
        return False
    return False


def _curator(batch: Import) -> Identity | None:
    player = None if batch.curator_id is None else db.session.get(Player, batch.curator_id)
    return None if player is None else Identity(player.id, player.key, player.name, player.epoch)


def _add(
    batch_id: int,
    part: list[Line],
    done: int,
    reading: Reading,
    now: datetime,
    *,
    over: bool,
    beyond: int,
    curator: Identity | None,
) -> bool:
    """Store a part that follows `done` lines; False if the import has ended or is elsewhere."""
    told = _compared(part) if done < MOST_COMPARED else {}
    for attempt in (1, 2):
        began = monotonic()
        try:
            with write_tx():
                batch = uploads.locked(batch_id)
                if batch is None or batch.state != ImportState.RUNNING or batch.taken != done:
                    return False
                bank.claim(_forms(part))
                _store(batch, part, reading, now, told)
                if over:
                    _end(batch, reading, beyond, curator, now)
            if not over:  # players' moves need the same lock and core (benchmarks/imports.md)
                sleep(monotonic() - began)
            return True
        except sa.exc.IntegrityError:  # as in `take`
            if attempt == 2:
                raise
    return False


def _end(batch: Import, reading: Reading, beyond: int, curator: Identity | None, now: datetime) -> None:
    """Inside `write_tx()`: end an import, with what became of the lines of its file."""
    batch.read, batch.beyond = batch.size, beyond
    batch.lines = reading.lines_read if reading.held else None
    uploads.end(batch, ImportState.DONE, curator, now)


def _fail(batch_id: int, message: str, curator: Identity | None, now: datetime) -> None:
    with write_tx():
        batch = uploads.locked(batch_id)
        if batch is not None and batch.state == ImportState.RUNNING:
            uploads.end(batch, ImportState.FAILED, curator, now, message)


# A part of it


def _judged(lines: list[Line]) -> list[Line]:
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
    verdict = entered.judge_grid(grid, MOST_COUNTED)
    invalid = grid.full or verdict.faults
    state = LineState.INVALID if invalid else LineState.NOT_UNIQUE
    return replace(line, state=state, detail=verdict.reason[:LONGEST_DETAIL])


def _forms(lines: list[Line]) -> list[str]:
    return sorted({line.form for line in lines if line.form})


def _compared(lines: list[Line]) -> dict[int, tuple[int, str]]:
    """Say of lines, by number, how a puzzle of the bank differs, before a transaction would wait for it."""
    known = _known(_forms(lines))
    db.session.rollback()
    return {
        line.number: (found[0], likeness.how(found[2], str(line.grid)))
        for line in lines
        if (found := known.get(line.form)) is not None and found[2] != str(line.grid)
    }


def _store(
    batch: Import,
    lines: list[Line],
    reading: Reading,
    now: datetime,
    told: dict[int, tuple[int, str]] | None = None,
) -> None:
    """Inside `write_tx()`, with their forms claimed: store these lines, their new puzzles and the counts.

    told: how lines differ from a puzzle, by number; without it, that is found here.
    """
    forms = _forms(lines)
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
    rows = [_row(line, batch.id, known, first, fresh, told) | near.get(line.number, {}) for line in lines]
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
        classes.setdefault(line.solution_class, []).append(line)
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


def _known(forms: list[str]) -> dict[str, tuple[int, str, str, str | None]]:
    """Return id, status, givens and recipe of the bank's first puzzle of each form."""
    found: dict[str, tuple[int, str, str, str | None]] = {}
    for form, puzzle_id, status, givens, recipe in _of_forms(forms):
        found.setdefault(form, (puzzle_id, status, givens, recipe))
    return found


def _of_forms(forms: list[str]) -> Iterator[sa.Row[str, int, str, str, str | None]]:
    """Return form, id, status, givens and recipe of all puzzles of these forms but players' own, by id."""
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
        **dict.fromkeys(TOLD),
        **(line.told or {}),
    }


def _row(
    line: Line,
    batch_id: int,
    known: dict[str, tuple[int, str, str, str | None]],
    first: dict[str, Line],
    fresh: dict[str, int],
    told: dict[int, tuple[int, str]] | None,
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
        elif told is None:
            detail = likeness.how(givens, str(line.grid))
        else:
            compared = told.get(line.number, (0, ""))
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
    """Return the line that has brought a puzzle, if it was one of this import."""
    if recipe is None or not recipe.startswith(f'{{"import": {batch_id}, '):
        return None
    line: int = json.loads(recipe)["line"]
    return line


def with_givens(givens: Sequence[str]) -> list[int]:
    """Return the puzzles of the bank with these very givens."""
    return list(db.session.scalars(sa.select(Puzzle.id).where(Puzzle.givens.in_(givens))))


# Reports


def report(batch_id: int, number: int = 1, state: str = "") -> Report:
    """Return a page of a report, of all lines or of those in one state. Raises NotFound."""
    batch = uploads.of_id(batch_id)
    counts = {str(each): getattr(batch, each) for each in LineState}
    shown = counts.get(state, batch.taken)
    pages = max(1, -(-shown // PER_PAGE))
    number = min(max(number, 1), pages)
    query = _lines(batch_id, state if state in counts else "")
    page = db.session.execute(query.offset((number - 1) * PER_PAGE).limit(PER_PAGE)).all()
    return Report(batch, counts, _rated(batch), page, number, pages)


def _rated(batch: Import) -> int | None:
    if batch.new > MOST_COUNTED_RATED:
        return None
    rated = sa.select(sa.func.count()).select_from(ImportLine)
    rated = rated.join(Puzzle, Puzzle.id == ImportLine.puzzle_id)
    new = (ImportLine.import_id == batch.id, ImportLine.state == LineState.NEW)
    return db.session.scalar(rated.where(*new, Puzzle.rating_version == bank.RATED)) or 0


def whole(batch_id: int) -> Iterator[ImportLine]:
    """Yield every line of a report in order, a part at a time. Raises NotFound."""
    uploads.of_id(batch_id)
    return _whole(batch_id)


def _whole(batch_id: int) -> Iterator[ImportLine]:
    last = 0
    while True:
        following = sa.select(ImportLine).where(ImportLine.import_id == batch_id, ImportLine.line > last)
        part = db.session.scalars(following.order_by(ImportLine.line).limit(AT_ONCE)).all()
        db.session.expunge_all()
        db.session.rollback()
        if not part:
            return
        yield from part
        last = part[-1].line


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
