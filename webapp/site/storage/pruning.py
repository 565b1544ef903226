"""Retention: what is deleted, and after how long. `flask prune` does it, and the worker once a day."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask
from sqlalchemy.exc import OperationalError, ProgrammingError, SQLAlchemyError

from engine import warm
from webapp.competition import suspensions
from webapp.competition.fair_play import footprints, traces
from webapp.competition.races import races
from webapp.curation.importing import uploads
from webapp.identity import limits, players, sessions
from webapp.learn.rush import rush
from webapp.process.config import Settings
from webapp.site.storage import places
from webapp.site.storage.places import JOBS

if TYPE_CHECKING:
    from dbos import DBOSClient  # 70 ms to import, which a web process does not need

ENDED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
JOBS_KEPT = timedelta(days=3)  # an idle worker writes 3 MB a day
FILES_KEPT = timedelta(days=30)  # of an older release: a page may still be open, and a release comes back
STEP = 500  # jobs per transaction
LOOSE = 0.25  # share of the jobs' file that is free before it is compacted


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of thing that is deleted in time."""

    what: str  # for the operator
    when: str
    delete: Callable[[Flask, datetime], int]  # returns how many


def prune(app: Flask, now: datetime) -> dict[Rule, int]:
    """Delete what is past its time. Returns how many of each; needs an app context."""
    return {rule: rule.delete(app, now) for rule in RULES}


def jobs(app: Flask, now: datetime) -> int:
    """Delete the records of jobs that ended JOBS_KEPT ago. Running and waiting ones stay."""
    settings: Settings = app.extensions["settings"]
    own_file = settings.instance_path / JOBS if places.site_file(settings) is not None else None
    if own_file is not None and not own_file.is_file():
        return 0
    url = f"sqlite:///{own_file}" if own_file is not None else settings.database_url
    try:
        from dbos import DBOSClient

        client = DBOSClient(system_database_url=url, retry_connection_errors=False)
    except SQLAlchemyError:  # no worker has run here yet
        return 0
    deleted = 0
    try:
        while ids := _ended(client, now - JOBS_KEPT):
            client.delete_workflows(ids)
            deleted += len(ids)
    except (OperationalError, ProgrammingError) as error:
        if "workflow_status" not in str(error.orig):
            raise
        return 0  # a worker that ended as it began has left a database without tables
    finally:
        client.destroy()
    if own_file is not None and deleted:
        _compact(own_file)
    return deleted


def _ended(client: DBOSClient, before: datetime) -> list[str]:
    found = client.list_workflows(
        status=ENDED, end_time=before.isoformat(), limit=STEP, load_input=False, load_output=False
    )
    return [workflow.workflow_id for workflow in found]


def _compact(file: Path, wait: float = 5.0) -> None:
    """Give free pages back, where there are many; a busy worker keeps them until the next time.

    By the SQLite that DBOS has it open with: a second one in this process would drop its locks.
    """
    connecting = closing(sqlite3.connect(file, timeout=wait, isolation_level=None))
    with connecting as connection, suppress(sqlite3.OperationalError):
        free, total = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count")
        )
        if free > LOOSE * total:
            connection.execute("VACUUM")


def assets(app: Flask, now: datetime) -> int:
    """Delete built static files and compiled templates that no release has used for FILES_KEPT."""
    folder: Path = app.extensions["assets"].folder
    old = [path for path in folder.parent.iterdir() if path != folder and _is_old(path, now)]
    compiled = app.extensions["settings"].instance_path / "templates"
    old += [path for path in compiled.iterdir() if _is_old(path, now)] if compiled.is_dir() else []
    return _delete(old)


def kernels(_app: Flask, now: datetime) -> int:
    """Delete compiled kernels that no release has used for FILES_KEPT."""
    return _delete([path for path in warm.outdated() if _is_old(path, now)])


def _is_old(path: Path, now: datetime) -> bool:
    """Whether no file in it was read or written for FILES_KEPT; file systems note reads once a day."""
    used = 0.0
    with suppress(FileNotFoundError):  # another process has deleted it
        for found in [path, *path.rglob("*")] if path.is_dir() else [path]:
            status = found.stat()
            used = max(used, status.st_mtime, 0.0 if found.is_dir() else status.st_atime)  # we read folders
    return places.age(used, now) > FILES_KEPT


def _delete(paths: list[Path]) -> int:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(paths)


RULES = (
    Rule("records of ended jobs", f"{JOBS_KEPT.days} days after they ended", jobs),
    Rule("rate limits", "once they are full again, within a day", lambda _app, now: limits.sweep(now)),
    Rule(
        "ended sessions",
        f"{sessions.IDLE.days} days without a visit, {sessions.LONGEST.days} after signing in at most",
        lambda _app, now: sessions.sweep(now),
    ),
    Rule(
        "suspensions that are over",
        "when they end; the audit log keeps them",
        lambda _app, now: suspensions.end_expired(now),
    ),
    Rule(
        "hashed devices and addresses of daily games",
        f"{footprints.KEPT // timedelta(hours=1)} hours after the start",
        lambda _app, now: footprints.prune(now),
    ),
    Rule(
        "orders of daily games, kept to find copies",
        f"{traces.KEPT // timedelta(hours=1)} hours after the end",
        lambda _app, now: traces.prune(now),
    ),
    Rule(
        "guests who never played",
        f"{players.UNUSED.days} days after they came",
        lambda _app, now: players.forget_unused_guests(now),
    ),
    Rule(
        "runs of puzzle rush, except each player's best",
        f"{rush.KEPT.days} days after they ended",
        lambda _app, now: rush.prune(now),
    ),
    Rule(
        "races; their games stay",
        f"{races.KEPT.days} days after they were made",
        lambda _app, now: races.forget(now),
    ),
    Rule(
        "imports that wait for their columns",
        f"{uploads.WAITS // timedelta(hours=1)} hours after the upload",
        lambda _app, now: uploads.forget_waiting(now),
    ),
    Rule("static files of older releases", f"{FILES_KEPT.days} days after their last use", assets),
    Rule("compiled kernels of older releases", f"{FILES_KEPT.days} days after their last use", kernels),
)
