"""Uploaded files that wait to be imported: stored in pieces, so that no process ever holds a whole one."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

import sqlalchemy as sa

from webapp.curation.importing.reading import Columns
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Import, ImportPiece, ImportState, LineState
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, BadStart, NotFound
from webapp.process.words import gettext as _

if TYPE_CHECKING:
    from typing_extensions import Buffer

LARGEST = 64 << 20  # bytes of a file
PIECE = 256 * 1024  # bytes
WAITS = timedelta(days=1)  # for its columns to be chosen
OPEN = (ImportState.WAITING, ImportState.QUEUED, ImportState.RUNNING)


class Readable(Protocol):
    """The part of a file's interface that is read in pieces."""

    def read(self, size: int, /) -> bytes: ...


def keep(
    stream: Readable,
    name: str,
    curator: Identity | None,
    now: datetime,
    *,
    waits: bool = False,
    columns: Columns | None = None,
) -> int:
    """Store a file for the workers; with `waits`, until its columns are chosen. Returns the import's id.

    Raises BadInput.
    """
    batch = Import(
        curator_id=None if curator is None else curator.id,
        name=texts.cleaned(name)[:100] or _("Text"),
        created_at=now,
        state=ImportState.WAITING,
        columns=None if columns is None else columns.text,
    )
    with write_tx():
        db.session.add(batch)
        db.session.flush()
        batch_id = batch.id
    try:
        size = _store(stream, batch_id)
    except Exception:  # too large, or the client is gone
        with write_tx():
            db.session.execute(sa.delete(Import).where(Import.id == batch_id))
        raise
    state = ImportState.WAITING if waits else ImportState.QUEUED
    with write_tx():
        db.session.execute(sa.update(Import).where(Import.id == batch_id).values(size=size, state=state))
    return batch_id


def _store(stream: Readable, batch_id: int) -> int:
    """Store a file piece by piece. Returns its size. Raises BadInput."""
    size = number = 0
    while data := stream.read(PIECE):
        size += len(data)
        if size > LARGEST:
            raise BadInput(text=too_large())
        with write_tx():
            piece = {"import_id": batch_id, "number": number, "data": data}
            db.session.execute(sa.insert(ImportPiece.__table__), [piece])
        number += 1
    return size


def too_large() -> str:
    """Return the refusal of a large file."""
    return _("That’s too large. The limit is %(most)s MiB.", most=LARGEST >> 20)


def of_id(batch_id: int) -> Import:
    """Return the import with this id. Raises NotFound."""
    batch = db.session.get(Import, batch_id)
    if batch is None:
        raise NotFound(_("We couldn’t find that import."))
    return batch


def sample(batch_id: int, size: int) -> bytes:
    """Return the first bytes of a file; empty once it has been imported."""
    return io.BufferedReader(Stored(batch_id)).read(size)


def begin(batch_id: int, columns: Columns | None) -> None:
    """Give a waiting file to the workers. Raises NotFound, and BadStart if it isn't waiting."""
    of_id(batch_id)
    waiting = sa.update(Import).where(
        Import.id == batch_id, Import.state == ImportState.WAITING, Import.size > 0
    )
    values = {"state": ImportState.QUEUED, "columns": None if columns is None else columns.text}
    with write_tx():
        if not rows_changed(waiting.values(**values)):
            raise BadStart(_("This import has already started."))


def cancel(batch_id: int, curator: Identity | None, now: datetime) -> None:
    """End an import and keep its puzzles. Raises NotFound, and BadStart if it has already ended."""
    of_id(batch_id)
    with write_tx():
        batch = locked(batch_id)
        if batch is None or batch.state not in OPEN:
            raise BadStart(_("This import has already ended."))
        end(batch, ImportState.CANCELLED, curator, now)


def locked(batch_id: int) -> Import | None:
    """Inside `write_tx()`: return the import, locked until the end."""
    return db.session.get(Import, batch_id, with_for_update=True, populate_existing=True)


def end(
    batch: Import, state: ImportState, curator: Identity | None, now: datetime, message: str | None = None
) -> None:
    """Inside `write_tx()`: end an import, record that, and delete its file."""
    batch.state, batch.ended_at, batch.message = state, now, message
    db.session.execute(sa.delete(ImportPiece).where(ImportPiece.import_id == batch.id))
    after = {"name": batch.name, **{str(each): getattr(batch, each) for each in LineState}}
    if state != ImportState.DONE:
        after["state"] = state
    audit.record(curator, "import", ("import", batch.id), at=now, after=after)


def forget_waiting(now: datetime) -> int:
    """Delete files whose columns were not chosen in time. Returns how many."""
    old = sa.delete(Import).where(Import.state == ImportState.WAITING, Import.created_at < now - WAITS)
    with write_tx():
        return rows_changed(old)


def in_state(state: ImportState) -> Sequence[int]:
    """Return the imports in this state, oldest first."""
    found = sa.select(Import.id).where(Import.state == state).order_by(Import.id)
    ids = db.session.scalars(found).all()
    db.session.rollback()
    return ids


class Stored(io.RawIOBase):
    """The file of an import as a stream, read piece by piece; leaves no transaction open."""

    def __init__(self, batch_id: int) -> None:
        super().__init__()
        self._batch_id = batch_id
        self._number = 0
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        if not self._rest:
            which = (ImportPiece.import_id == self._batch_id, ImportPiece.number == self._number)
            self._rest = memoryview(db.session.scalar(sa.select(ImportPiece.data).where(*which)) or b"")
            db.session.rollback()
            self._number += 1
        into = memoryview(buffer).cast("B")
        count = min(len(into), len(self._rest))
        into[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count
