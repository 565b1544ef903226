"""Background work that keeps failing: counted by its reason, and given up after the third time.

An error that waiting can mend, such as an unreachable database, is not counted.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import InterfaceError, OperationalError

from webapp.models import Failure
from webapp.process.clock import now
from webapp.process.database import Busy, db, rows_changed, write_tx
from webapp.process.words import gettext as _

log = logging.getLogger(__name__)

MOST = 3  # times in the same way
REST = timedelta(hours=1)  # until a job that was given up is tried again
KEPT = timedelta(days=30)
PASSING = (Busy, OperationalError, InterfaceError, sa.exc.TimeoutError)


def note(job: str, item: object, error: Exception) -> bool:
    """Count a failure. Returns whether this work has now failed MOST times in the same way."""
    db.session.rollback()
    key, reason = {"job": job, "item": str(item)}, reason_of(error)
    with write_tx():
        row = db.session.get(Failure, tuple(key.values()), with_for_update=True)
        if row is None:
            row = Failure(**key, reason=reason, count=0, at=now())
            db.session.add(row)
        same = row.reason == reason
        row.reason, row.count, row.at = reason, row.count + 1 if same else 1, now()
        count = row.count
    if count == 1 or count == MOST:
        log.error("%s %s failed, time %s", job, item, count, exc_info=error)
    return count >= MOST


def reason_of(error: Exception) -> str:
    """Return the type of an error and where it was raised: what makes two failures the same."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"[:200]


def forget(job: str) -> None:
    """Forget the failures of a job that has succeeded."""
    with write_tx():
        db.session.execute(sa.delete(Failure).where(Failure.job == job, Failure.item == ""))


@contextmanager
def counted(job: str, item: object) -> Iterator[None]:
    """Run the work on one item of many: an unforeseen error is counted and keeps no other waiting."""
    try:
        yield
    except PASSING:
        raise
    except Exception as error:
        note(job, item, error)


def given_up(job: str) -> list[str]:
    """Return the items of a job that have failed MOST times in the same way."""
    found = db.session.scalars(sa.select(Failure.item).where(Failure.job == job, Failure.count >= MOST))
    return list(found)


def rests(job: str) -> bool:
    """Whether a whole job was given up so lately that it is not tried now."""
    row = db.session.get(Failure, (job, ""), populate_existing=True)
    return row is not None and row.count >= MOST and timedelta() <= now() - row.at < REST


def counts() -> dict[str, int]:
    """Return how much work of each job was given up."""
    rows = sa.select(Failure.job, sa.func.count()).where(Failure.count >= MOST).group_by(Failure.job)
    return {row.job: row[1] for row in db.session.execute(rows.order_by(Failure.job))}


def message() -> str:
    """Return the message for curators."""
    return _("This failed three times in the same way. The worker’s log says why.")


def sweep(now: datetime) -> int:
    """Delete failures of long ago. Returns how many."""
    with write_tx():
        return rows_changed(sa.delete(Failure).where(Failure.at < now - KEPT))
