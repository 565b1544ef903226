"""Stored logs of games: a row for each move, replaced by one packed value a day after the end.

All code that reads logs uses this module. A finished game takes no more moves, so its log never changes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby

import sqlalchemy as sa

from webapp.game.moves import Move
from webapp.game.packing import Torn, pack, unpack
from webapp.models import Attempt, PackedLog
from webapp.models import Move as MoveRow
from webapp.models.months import month_of, provide, without
from webapp.process.database import Busy, db, rows_changed, write_tx
from webapp.process.errors import BadMove

log = logging.getLogger(__name__)

Log = list[tuple[Move, datetime]]  # every move with the time it was received

AFTER = timedelta(days=1)  # after the end: by then no browser resends its last moves
STEP = 20  # games per transaction, which holds SQLite's lock for some milliseconds

_FIELDS = (MoveRow.seq, MoveRow.kind, MoveRow.cell, MoveRow.digit, MoveRow.received_at)
_PART = (
    sa.select(*_FIELDS)
    .where(
        MoveRow.attempt_id == sa.bindparam("attempt_id"),
        MoveRow.seq.between(sa.bindparam("first"), sa.bindparam("last")),
    )
    .order_by(MoveRow.seq)
)
_UNPACKED = sa.text("NOT attempt.packed")  # written as in the index, or SQLite wouldn't use it
_PACKED = sa.select(PackedLog.packed).where(PackedLog.attempt_id == sa.bindparam("attempt_id"))


def part(attempt_id: str, first: int, last: int) -> Log:
    """Return the moves `first` to `last` of an attempt, in order. Raises Torn."""
    if first > last:
        return []
    rows = db.session.execute(_PART, {"attempt_id": attempt_id, "first": first, "last": last}).all()
    if rows:
        return [_move(*row) for row in rows]
    # Rows first: the transaction that deletes them adds the packed value.
    packed = db.session.scalar(_PACKED, {"attempt_id": attempt_id})
    return [] if packed is None else unpack(packed)[first - 1 : last]


def whole_logs(attempt_ids: Sequence[str]) -> dict[str, Log | Exception]:
    """Return whole logs by attempt, or the error for a damaged one; games without moves are left out."""
    rows = db.session.execute(
        sa.select(MoveRow.attempt_id, *_FIELDS)
        .where(MoveRow.attempt_id.in_(attempt_ids))
        .order_by(MoveRow.attempt_id, MoveRow.seq)
    )
    found: dict[str, Log | Exception] = {}
    for attempt_id, moves in groupby(rows, key=lambda row: row.attempt_id):
        try:
            found[attempt_id] = [_move(*row[1:]) for row in moves]
        except (BadMove, ValueError) as error:
            found[attempt_id] = error
    packed = sa.select(PackedLog.attempt_id, PackedLog.packed).where(PackedLog.attempt_id.in_(attempt_ids))
    for attempt_id, value in db.session.execute(packed):
        try:
            found[attempt_id] = Torn("both packed and in rows") if attempt_id in found else unpack(value)
        except ValueError as error:
            found[attempt_id] = error
    return found


def pack_finished(now: datetime) -> Iterator[int]:
    """Pack the logs of games that ended AFTER ago, the oldest first. Yields the number per transaction."""
    seen = (datetime.min.replace(tzinfo=now.tzinfo), "")
    while True:
        due = (
            sa.select(Attempt.finished_at, Attempt.id)
            .where(_UNPACKED, Attempt.finished_at <= now - AFTER)
            .where(sa.tuple_(Attempt.finished_at, Attempt.id) > seen)
            .order_by(Attempt.finished_at, Attempt.id)
            .limit(STEP)
        )
        games = db.session.execute(due).all()
        if not games:
            db.session.rollback()
            return
        seen = (games[-1].finished_at, games[-1].id)
        values = {game.id: value for game in games if (value := _verified(game.id)) is not None}
        months = {game.id: month_of(game.finished_at) for game in games}
        db.session.rollback()  # no open transaction while waiting for the lock
        if missing := without(months.values()):
            db.session.rollback()
            try:
                with write_tx():
                    provide(missing)
            except Busy:
                log.warning("logs wait to be packed: their month's partition could not be made yet")
                return
        yield _replace(values, months)


def _verified(attempt_id: str) -> tuple[bytes, int] | None:
    """Return a packed log and its number of moves, once unpacking has returned the same; else None."""
    rows = db.session.execute(
        sa.select(*_FIELDS).where(MoveRow.attempt_id == attempt_id).order_by(MoveRow.seq)
    ).all()
    last = db.session.scalar(sa.select(Attempt.last_seq).where(Attempt.id == attempt_id))
    try:
        packed = pack([_move(*row) for row in rows])
        back = [(move.seq, move.kind, move.cell, move.digit, at) for move, at in unpack(packed)]
        if back == [tuple(row) for row in rows] and len(rows) == last:
            return packed, len(rows)
        problem = "it does not come back the same"
    except (BadMove, ValueError) as error:
        problem = str(error)
    log.error("the log of game %s stays in rows: %s (run flask verify)", attempt_id, problem)
    return None


def _replace(values: dict[str, tuple[bytes, int]], months: dict[str, date]) -> int:
    """Replace rows with packed values, all or none of these."""
    done = 0
    with write_tx():
        for attempt_id, (packed, moves) in values.items():
            # Locks the game's row, so that it isn't deleted meanwhile, or packed by another worker.
            marking = sa.update(Attempt).where(Attempt.id == attempt_id, ~Attempt.packed)
            if not rows_changed(marking.values(packed=True)):
                continue
            db.session.add(PackedLog(attempt_id=attempt_id, month=months[attempt_id], packed=packed))
            if rows_changed(sa.delete(MoveRow).where(MoveRow.attempt_id == attempt_id)) != moves:
                raise RuntimeError(f"the log of game {attempt_id} has changed while it was packed")
            done += 1
    return done


def _move(seq: int, kind: str, cell: str, digit: int | None, at: datetime) -> tuple[Move, datetime]:
    return Move.from_fields(str(seq), kind, cell, "" if digit is None else str(digit)), at
