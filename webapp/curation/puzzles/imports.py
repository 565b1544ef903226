"""Imports: one job over one file in any format, checked line by line; every line gets a result.

A worker stores the puzzles in parts. If it is killed, the file is read again from the start, and puzzles that
this import has already brought are found by the line they came from.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from time import monotonic, sleep
from typing import Any

import sqlalchemy as sa

from webapp.bank import bank
from webapp.bank.exporting import line
from webapp.curation.puzzles import reading
from webapp.curation.puzzles.reading import Columns, Line
from webapp.curation.puzzles.storing import forms_of, store, with_forms
from webapp.curation.puzzles.tables import Import, JobState, LineState
from webapp.identity import audit, failures, texts
from webapp.identity.players import Identity
from webapp.models import Player, Puzzle
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, BadStart, NotFound
from webapp.process.words import gettext as _

MOST = 20_000  # puzzles and errors of a file
LARGEST = 16 << 20  # bytes of a file
PART = 100  # lines per transaction
PER_PAGE = 100
WAITS = timedelta(days=1)  # for its columns to be chosen
OPEN = (JobState.WAITING, JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an import, or a page of it."""

    counts: dict[str, int]  # by LineState, over all lines
    rows: Sequence[Sequence[Any]]  # line, state, puzzle, detail
    number: int  # page number, from 1
    pages: int


def accept(
    data: bytes,
    name: str,
    curator: Identity | None,
    now: datetime,
    columns: Columns | None = None,
    *,
    ask: bool,
) -> int:
    """Store a file for the workers. Returns the import's id. Raises BadInput.

    columns: those of a table; by default they are recognized by its header. ask: wait for a curator to choose
    them if the header says nothing.
    """
    if not data.strip():
        raise BadInput(text=_("No puzzles found. Check the file or the text."))
    if len(data) > LARGEST:
        raise BadInput(text=_("That’s too large. The limit is %(most)s MiB.", most=LARGEST >> 20))
    sample = data[: reading.SAMPLE]
    columns = columns or reading.by_header(sample)
    waits = ask and columns is None and reading.is_unknown_table(sample)
    with write_tx():
        batch = Import(
            curator_id=None if curator is None else curator.id,
            name=texts.cleaned(name)[:100] or _("Text"),
            created_at=now,
            state=JobState.WAITING if waits else JobState.QUEUED,
            data=data,
            columns=None if columns is None else columns.text,
        )
        db.session.add(batch)
        db.session.flush()
        return batch.id


def of_id(batch_id: int) -> Import:
    """Return the import with this id. Raises NotFound."""
    batch = db.session.get(Import, batch_id)
    if batch is None:
        raise NotFound(_("We couldn’t find that import."))
    return batch


def latest() -> Sequence[Import]:
    """Return the latest imports."""
    return db.session.scalars(sa.select(Import).order_by(Import.id.desc()).limit(20)).all()


def brought(batch_id: int) -> tuple[int, ...]:
    """Return the puzzles of an import, new or known; (0,) for none."""
    found = db.session.scalar(sa.select(Import.report).where(Import.id == batch_id))
    ids = dict.fromkeys(row[2] for row in json.loads(found or "[]") if row[2])
    return tuple(ids) or (0,)


def with_givens(givens: Sequence[str]) -> list[int]:
    """Return the puzzles of the bank with exactly these givens."""
    return list(db.session.scalars(sa.select(Puzzle.id).where(Puzzle.givens.in_(givens))))


def begin(batch_id: int, columns: Columns | None) -> None:
    """Give a waiting file to the workers. Raises NotFound, and BadStart if it isn't waiting."""
    of_id(batch_id)
    waiting = sa.update(Import).where(Import.id == batch_id, Import.state == JobState.WAITING)
    values = {"state": JobState.QUEUED, "columns": None if columns is None else columns.text}
    with write_tx():
        if not rows_changed(waiting.values(**values)):
            raise BadStart(_("This import has already started."))


def cancel(curator: Identity, batch_id: int, now: datetime) -> None:
    """End an import and keep its puzzles. Raises NotFound, and BadStart if it has already ended."""
    of_id(batch_id)
    with write_tx():
        batch = _locked(batch_id)
        if batch is None or batch.state not in OPEN:
            raise BadStart(_("This import has already ended."))
        _end(batch, JobState.CANCELLED, curator, now)


def forget_waiting(now: datetime) -> int:
    """Delete files whose columns were not chosen in time. Returns how many."""
    old = sa.delete(Import).where(Import.state == JobState.WAITING, Import.created_at < now - WAITS)
    with write_tx():
        return rows_changed(old)


def report(batch: Import, number: int = 1, state: str = "") -> Report:
    """Return a page of a report, of all lines or of those in one state."""
    counts = {str(each): getattr(batch, each) for each in LineState}
    rows = [row for row in json.loads(batch.report or "[]") if state not in counts or row[1] == state]
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = min(max(number, 1), pages)
    return Report(counts, rows[(number - 1) * PER_PAGE : number * PER_PAGE], number, pages)


def table(batch: Import) -> Iterator[str]:
    """Return the whole report as a table, in pieces."""
    return map(line, [("line", "state", "puzzle", "detail"), *json.loads(batch.report or "[]")])


# In the background


def work(batch_id: int, _seconds: float, stopping: Callable[[], bool], clock: Callable[[], datetime]) -> bool:
    """Import a file to its end; False if it was stopped before, and so has to be repeated."""
    batch = db.session.get(Import, batch_id, populate_existing=True)
    if batch is None or batch.state != JobState.RUNNING:
        return True
    columns = None if batch.columns is None else Columns.of(batch.columns)
    data = io.BytesIO(batch.data or b"")
    by = None if batch.curator_id is None else db.session.get(Player, batch.curator_id)
    curator = None if by is None else Identity(by.id, by.key, by.name, by.epoch)
    db.session.rollback()
    lines = list(islice(reading.lines(data, columns), MOST + 1))
    if len(lines) > MOST:
        words = _("This file has more than %(most)s puzzles. Split it, and nothing is lost.", most=MOST)
        return _fail(batch_id, words, curator, clock())
    if not lines:
        return _fail(batch_id, _("No puzzles found. Check the file or the text."), curator, clock())
    if len(lines) == 1 and lines[0].grid is None:
        words = _("Couldn’t read this: %(reason)s", reason=lines[0].detail)
        return _fail(batch_id, words, curator, clock())
    rows: list[list[Any]] = []
    for start in range(0, len(lines), PART):
        if stopping():
            return False
        began = monotonic()
        part = with_forms(lines[start : start + PART])
        stored = _store(batch_id, part, clock())
        if stored is None:
            return True  # canceled
        rows += stored
        if len(rows) < len(lines):  # players' moves need the same lock and core
            sleep(min(1.0, monotonic() - began))
    with write_tx():
        batch = _locked(batch_id)
        if batch is not None and batch.state == JobState.RUNNING:
            batch.report = json.dumps(rows, ensure_ascii=False)
            _end(batch, JobState.DONE, curator, clock())
    return True


def _store(batch_id: int, part: list[Line], now: datetime) -> list[list[Any]] | None:
    """Store a part of a file. Returns the rows of its report, or None if the import has ended."""
    for attempt in (1, 2):
        try:
            with write_tx():
                batch = _locked(batch_id)
                if batch is None or batch.state != JobState.RUNNING:
                    return None
                bank.claim(forms_of(part))
                rows = store(batch, part, now)
                counts = Counter(row[1] for row in rows)
                first = part[0].number == 1
                for state in LineState:  # a repeated import counts anew
                    setattr(batch, state, counts[state] + (0 if first else getattr(batch, state)))
                batch.taken = len(rows) + (0 if first else batch.taken)
            return rows
        except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: one of these was just added
            if attempt == 2:
                raise
    return None


def _end(
    batch: Import, state: JobState, curator: Identity | None, now: datetime, message: str | None = None
) -> None:
    """Inside `write_tx()`: end an import, record that, and delete its file."""
    batch.state, batch.ended_at, batch.message, batch.data = state, now, message, None
    after = {"name": batch.name, **{str(each): getattr(batch, each) for each in LineState}, "state": state}
    audit.record(curator, "import", ("import", batch.id), at=now, after=after)


def _fail(batch_id: int, message: str, curator: Identity | None, now: datetime) -> bool:
    """End an import that brought nothing, or keeps failing; what it has brought stays. Returns True."""
    with write_tx():
        batch = _locked(batch_id)
        if batch is not None and batch.state == JobState.RUNNING:
            _end(batch, JobState.FAILED, curator, now, message)
    return True


def give_up(batch_id: int, now: datetime) -> None:
    """End an import that keeps failing."""
    _fail(batch_id, failures.message(), None, now)


def _locked(batch_id: int) -> Import | None:
    return db.session.get(Import, batch_id, with_for_update=True, populate_existing=True)
