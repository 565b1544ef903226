"""Imports: puzzles of a file in any format, checked line by line; every line gets a result.

A small file is stored as a whole or not at all. A worker stores a large one in parts, each together with the
counts, so that an interrupted import continues after the last part.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from time import monotonic, sleep
from typing import BinaryIO

import sqlalchemy as sa

from webapp.bank import bank
from webapp.curation.importing import uploads
from webapp.curation.importing.parts import AT_ONCE, compared, forms_of, store, with_forms
from webapp.curation.importing.reading import SAMPLE, Columns, Line, Reading, named
from webapp.curation.importing.uploads import Readable
from webapp.identity import failures, texts
from webapp.identity.players import Identity
from webapp.models import Import, ImportLine, ImportState, LineState, Player, Puzzle
from webapp.process.database import Busy, db, write_tx
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

AT_WEB = 5000  # puzzles that a request imports itself; larger files are left to the workers
SMALL = 1 << 20  # bytes that a request reads itself
MOST = 1_000_000  # puzzles and errors of a file
PART = 100  # lines per transaction of a worker
MOST_COMPARED = 5000  # lines whose duplicates get a comparison, which takes milliseconds
MOST_COUNTED_RATED = 20_000  # new puzzles in an import, to count rated ones
PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an import so far, or a page of it."""

    batch: Import
    counts: dict[str, int]  # by LineState, over all lines
    rated: int | None  # of the new ones; None if there are too many to count
    lines: Sequence[sa.Row[ImportLine, Puzzle | None]]
    number: int  # page number, from 1
    pages: int

    @property
    def other(self) -> int:
        """Lines without a puzzle of their own: blank lines, comments, headings, rows of grids."""
        return (self.batch.lines or 0) - self.batch.held - self.batch.beyond


def accept(
    stream: Readable, name: str, curator: Identity | None, now: datetime, columns: str = ""
) -> tuple[int, bool]:
    """Import a small file at once and leave a large one to the workers.

    columns: those of a table in order, as in `reading.named`; by default the format is recognized.
    Returns its id, and whether it is done. Raises BadInput.
    """
    head = b""
    while len(head) <= SMALL and (more := stream.read(SMALL + 1 - len(head))):
        head += more
    chosen = named(columns, head[:SAMPLE]) if columns else None
    if len(head) <= SMALL:
        done = take(io.BytesIO(head), name, curator, now, chosen)
        if done is not None:
            return done, True
    return uploads.keep(_Whole(head, stream), name, curator, now, columns=chosen), False


class _Whole:
    """A stream preceded by the part that has already been read from it."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head, self._rest = io.BytesIO(head), rest

    def read(self, size: int, /) -> bytes:
        return self._head.read(size) or self._rest.read(size)


def take(
    stream: BinaryIO, name: str, curator: Identity | None, now: datetime, columns: Columns | None = None
) -> int | None:
    """Check and store the puzzles of a small text. Returns the report's id; None if it has too many puzzles.

    New ones become candidates with a level estimated from their givens; the worker rates them. Raises
    BadInput if there are none.
    """
    reading = Reading(stream, columns)
    lines = list(islice(reading.lines(), AT_WEB + 1))
    if len(lines) > AT_WEB:
        return None
    if not lines:
        raise BadInput(text=_("No puzzles found. Check the file or the text."))
    if len(lines) == 1 and lines[0].grid is None:
        raise BadInput(text=_("Couldn’t read this: %(reason)s", reason=lines[0].detail))
    reading.pass_over()
    lines = with_forms(lines)
    try:
        return _take(lines, reading, name, curator, now)
    except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: one of these puzzles was just added
        return _take(lines, reading, name, curator, now)


def _take(lines: list[Line], reading: Reading, name: str, curator: Identity | None, now: datetime) -> int:
    with write_tx():
        bank.claim(forms_of(lines))
        batch = Import(
            curator_id=None if curator is None else curator.id,
            name=texts.cleaned(name)[:100] or _("Text"),
            created_at=now,
            size=reading.bytes,
        )
        db.session.add(batch)
        db.session.flush()
        store(batch, lines, reading, now)
        _end(batch, reading, 0, curator, now)
        return batch.id


# In the background


def take_up() -> list[int]:
    """Start waiting imports. Returns their ids."""
    ids = list(uploads.in_state(ImportState.QUEUED))
    if ids:
        with write_tx():
            chosen = sa.update(Import).where(Import.id.in_(ids), Import.state == ImportState.QUEUED)
            db.session.execute(chosen.values(state=ImportState.RUNNING))
    return ids


def work(batch_id: int, stopping: Callable[[], bool], clock: Callable[[], datetime]) -> bool:
    """Import a file part by part until its end; False if it was stopped before.

    After a crash it continues after the last part: the file is read again up to there, in the same order.
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
            part = with_forms(list(islice(lines, min(PART, MOST - done))))
            over = len(part) < PART
            if over and not done + len(part):
                _fail(batch_id, _("No puzzles found. Check the file or the text."), curator, clock())
                return True
            if not _add(batch_id, part, done, reading, clock(), curator):
                return True  # cancelled, or another worker has taken over
            done += len(part)
            if over:
                return True
    except Busy:  # the part is read again
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
    curator: Identity | None,
) -> bool:
    """Store a part that follows `done` lines; False if the import has ended or another worker has it."""
    over = len(part) < PART
    beyond = reading.pass_over() if over else 0
    comparisons = compared(part) if done < MOST_COMPARED else {}
    for attempt in (1, 2):
        began = monotonic()
        try:
            with write_tx():
                batch = uploads.locked(batch_id)
                if batch is None or batch.state != ImportState.RUNNING or batch.taken != done:
                    return False
                bank.claim(forms_of(part))
                store(batch, part, reading, now, comparisons)
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
    """Inside `write_tx()`: end an import, with the counts of its file's lines."""
    batch.read, batch.beyond = batch.size, beyond
    batch.lines = reading.lines_read if reading.held else None
    uploads.end(batch, ImportState.DONE, curator, now)


def give_up(batch_id: int, now: datetime) -> bool:
    """End an import that keeps failing; what it has brought stays. Returns True."""
    _fail(batch_id, failures.message(), None, now)
    return True


def _fail(batch_id: int, message: str, curator: Identity | None, now: datetime) -> None:
    with write_tx():
        batch = uploads.locked(batch_id)
        if batch is not None and batch.state == ImportState.RUNNING:
            uploads.end(batch, ImportState.FAILED, curator, now, message)


def with_givens(givens: Sequence[str]) -> list[int]:
    """Return the puzzles of the bank with exactly these givens."""
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
