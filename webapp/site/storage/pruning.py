"""Retention: what the worker deletes every hour, and after how long."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from flask import current_app
from sqlalchemy.exc import OperationalError, ProgrammingError, SQLAlchemyError

from engine import warm
from webapp.capability import capabilities
from webapp.models import BackupRecord, Bucket, Heartbeat, SignIn
from webapp.process.clock import LASTS, ran
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.process.jobs import Retention
from webapp.site.storage import places
from webapp.site.storage.places import JOBS

log = logging.getLogger(__name__)

ENDED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
JOBS_KEPT = timedelta(days=3)
# Files of older releases: pages may still be open, and a release may be rolled back
FILES_KEPT = timedelta(days=30)
STEP = 500  # jobs per transaction
LOOSE = 0.25  # share of free pages at which the jobs' file is compacted
GAP = timedelta(days=3)  # without an entry before a start: the site was off, or the clock is wrong
PROOF = timedelta(days=1)  # how long the clock must run then
# What is stored often. Other processes with the same wrong clock may have started some minutes before.
_MOMENTS = {
    Heartbeat.seen_at: timedelta(),
    BackupRecord.made_at: timedelta(),
    SignIn.seen_at: LASTS,
    Bucket.filled_at: LASTS,
}


def begin(now: datetime) -> bool:
    """Note the start of a worker, before it stores anything: a machine's clock may be wrong at its boot.

    Returns whether it is in doubt.
    """
    stored = [
        db.session.scalar(sa.select(sa.func.max(moment)).where(moment < now - passed))
        for moment, passed in _MOMENTS.items()
    ]
    newest = max(filter(None, stored), default=None)
    doubtful = newest is not None and now - newest > GAP
    if doubtful:
        log.warning("the last entry is of %s: nothing is deleted by age for %s", newest, PROOF)
    current_app.extensions["pruning_rests"] = PROOF if doubtful else LASTS
    return doubtful


def run(now: datetime) -> int:
    """Delete expired data, once the clock can be relied on. Returns the number of rows and files."""
    rests = ran() < current_app.extensions.get("pruning_rests", LASTS)
    return 0 if rests else sum(prune(now).values())


def prune(now: datetime) -> dict[Retention, int]:
    """Delete expired data. Returns the number of each kind; needs an app context."""
    return {kind: kind.delete(now) for entry in capabilities() for kind in entry.retention}


def jobs(now: datetime) -> int:
    """Delete the records of jobs that ended JOBS_KEPT ago. Running and waiting jobs stay."""
    settings: Settings = current_app.extensions["settings"]
    own_file = settings.instance_path / JOBS if places.site_file(settings) is not None else None
    if own_file is not None and not own_file.is_file():
        return 0
    url = f"sqlite:///{own_file}" if own_file is not None else settings.database_url
    try:
        from dbos import DBOSClient  # a web process doesn't need it

        client = DBOSClient(system_database_url=url, retry_connection_errors=False)
    except SQLAlchemyError:  # no worker has run here yet
        return 0
    deleted = 0
    try:
        before = (now - JOBS_KEPT).isoformat()
        while found := client.list_workflows(
            status=ENDED, end_time=before, limit=STEP, load_input=False, load_output=False
        ):
            client.delete_workflows([workflow.workflow_id for workflow in found])
            deleted += len(found)
    except (OperationalError, ProgrammingError) as error:
        if "workflow_status" not in str(error.orig):
            raise
        return 0  # a worker killed at its start leaves a database without tables
    finally:
        client.destroy()
    if own_file is not None and deleted:
        _compact(own_file)
    return deleted


def _compact(file: Path, wait: float = 5.0) -> None:
    """Vacuum the file if many pages are free; if the worker is busy, the next run does.

    Uses the same SQLite library as DBOS: closing a file in a second one would drop DBOS's locks.
    """
    connecting = closing(sqlite3.connect(file, timeout=wait, isolation_level=None))
    with connecting as connection, suppress(sqlite3.OperationalError):
        free, total = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count")
        )
        if free > LOOSE * total:
            connection.execute("VACUUM")


def assets(now: datetime) -> int:
    """Delete built static files and compiled templates that no release has used for FILES_KEPT."""
    folder: Path = current_app.extensions["assets"].folder
    old = [path for path in folder.parent.iterdir() if path != folder and _is_old(path, now)]
    compiled = current_app.extensions["settings"].instance_path / "templates"
    old += [path for path in compiled.iterdir() if _is_old(path, now)] if compiled.is_dir() else []
    return _delete(old)


def kernels(now: datetime) -> int:
    """Delete compiled kernels that no release has used for FILES_KEPT."""
    return _delete([path for path in warm.outdated() if _is_old(path, now)])


def _is_old(path: Path, now: datetime) -> bool:
    """Whether no file in it was read or written for FILES_KEPT; file systems update read times once a day."""
    used = 0.0
    with suppress(FileNotFoundError):  # another process has deleted it
        for found in [path, *path.rglob("*")] if path.is_dir() else [path]:
            status = found.stat()
            # Walking reads folders, so their access times don't count
            used = max(used, status.st_mtime, 0.0 if found.is_dir() else status.st_atime)
    return now.timestamp() - used > FILES_KEPT.total_seconds()


def _delete(paths: list[Path]) -> int:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(paths)


RULES = (
    Retention("records of ended jobs", f"{JOBS_KEPT.days} days after they ended", jobs),
    Retention("static files of older releases", f"{FILES_KEPT.days} days after their last use", assets),
    Retention("compiled kernels of older releases", f"{FILES_KEPT.days} days after their last use", kernels),
)
