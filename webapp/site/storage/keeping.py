"""Backups in one folder: which of them to keep, space for the next one, and the record of the last."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from webapp.models import BackupRecord
from webapp.process.commands.reporting import Trouble
from webapp.process.config import Settings
from webapp.process.database import Busy, db, write_tx
from webapp.process.operation import machine
from webapp.site.storage.backup import (
    MANIFEST,
    Manifest,
    backup,
    check_files,
    manifest_of,
    partial,
    size_before,
)

log = logging.getLogger(__name__)

USUAL = "24h,30d"
SECONDS = {"h": 3600, "d": 86_400, "w": 7 * 86_400}
NAME = "%Y-%m-%dT%H%M%SZ"
# Bytes that a backup leaves free for the journal of the site; of a small disk, a share
RESERVE, SHARE = 64 * 2**20, 0.1
MARGIN = 1.25  # by which a backup may be larger than the last one


@dataclass(frozen=True, slots=True)
class Rule:
    """Keep the newest backup of each of the last `count` periods of this many seconds."""

    count: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Copy:
    """A backup in the folder."""

    path: Path
    made_at: datetime
    bytes: int


@dataclass(frozen=True, slots=True)
class Done:
    """A new backup, and those that were deleted for it."""

    path: Path
    manifest: Manifest
    deleted: Sequence[Path]


def rules(text: str) -> list[Rule]:
    """Read rules such as `24h,30d`: one an hour for 24 hours, one a day for 30 days. Raises Trouble."""
    found = [re.fullmatch(r"([1-9]\d{0,4})([hdw])", part.strip()) for part in text.split(",")]
    if not all(found):
        raise Trouble(f"Cannot read --keep {text!r}. Write numbers of hours, days or weeks, such as {USUAL}.")
    return [Rule(int(each[1]), SECONDS[each[2]]) for each in found if each]


def copies(folder: Path) -> list[Copy]:
    """Return the backups in a folder, newest first. Anything else in it is ignored."""
    found = []
    for path in folder.iterdir():
        if not path.name.startswith(".") and (path / MANIFEST).is_file():
            used = sum(file.stat().st_size for file in path.iterdir())
            found.append(Copy(path, _made_at(path), used))
    return sorted(found, key=lambda copy: copy.made_at, reverse=True)


def _made_at(path: Path) -> datetime:
    """Return when a backup was made; by its folder, if its manifest is damaged."""
    try:
        return datetime.fromisoformat(manifest_of(path).made_at)
    except (Trouble, ValueError):
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def kept(made: Iterable[Copy], wanted: Iterable[Rule], now: datetime) -> set[Path]:
    """Return those of these backups, newest first, that the rules keep."""
    made, found = list(made), set()
    for rule in wanted:
        newest: dict[int, Path] = {}
        current = int(now.timestamp()) // rule.seconds
        for copy in made:
            period = int(copy.made_at.timestamp()) // rule.seconds
            if period > current - rule.count:
                newest.setdefault(period, copy.path)
        found |= set(newest.values())
    return found


def backup_into(settings: Settings, folder: Path, wanted: Sequence[Rule], now: datetime) -> Done:
    """Delete what the rules do not keep, then back up the site into the folder. Raises Trouble.

    The newest backup that matches its checksums is never deleted before the next one is complete.
    """
    if not folder.is_dir():
        raise Trouble(f"There is no folder {folder}. Create it first.")
    with _alone(folder):
        _sweep(folder)
        made = copies(folder)
        good = next((copy for copy in made if _is_good(copy.path)), None)
        # Without a good one, none is deleted by rule. Else, those newer than the good one are damaged.
        left = made
        if good is not None:
            usable = made[made.index(good) :]
            keep = kept(usable, wanted, now) | {good.path}
            left = [copy for copy in usable if copy.path in keep]
        deleted = [copy.path for copy in made if copy not in left]
        _delete(deleted)
        deleted += _free_space(settings, folder, left, good)
        path = folder / now.strftime(NAME)
        manifest = backup(settings, path, now)
    return Done(path, manifest, deleted)


def _free_space(settings: Settings, folder: Path, left: list[Copy], good: Copy | None) -> list[Path]:
    """Delete the oldest backups until the next one fits. Raises Trouble if all but the good one are gone."""
    disk = shutil.disk_usage(folder)
    reserve = min(RESERVE, int(disk.total * SHARE))
    raw, temporary = size_before(settings)
    packed = min(raw, int(MARGIN * good.bytes)) if good else raw
    needed, deleted = temporary + packed + reserve, []
    while shutil.disk_usage(folder).free < needed:
        if not left or left[-1] is good:
            free = shutil.disk_usage(folder).free
            raise Trouble(
                f"No space: {needed:,} bytes are needed at {folder}, and {free:,} are free"
                + (f". {good.path.name} is kept." if good else ".")
            )
        deleted.append(left.pop().path)
        _delete(deleted[-1:])
    return deleted


def _is_good(path: Path) -> bool:
    try:
        check_files(path, manifest_of(path))
    except Trouble as error:
        log.error("%s", error.message)
        return False
    return True


def _delete(paths: Iterable[Path]) -> None:
    for path in paths:
        # Hidden first: a backup that is half deleted must not be taken for one
        hidden = partial(path)
        path.rename(hidden)
        shutil.rmtree(hidden)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    number = os.open(folder, os.O_RDONLY)
    try:
        if not machine.lock(number):
            raise Trouble(f"Another backup into {folder} is running.")
        yield
    finally:
        os.close(number)


def _sweep(folder: Path) -> None:
    """Delete what killed backups have left."""
    for path in folder.glob(".*.partial"):
        with suppress(OSError, Trouble), _alone(path):
            shutil.rmtree(path)


def record(manifest: Manifest) -> None:
    """Store when the last backup was made and how large it is, for /metrics and /readyz."""
    size = sum(file["bytes"] for file in manifest.files.values())
    try:
        with write_tx():
            db.session.merge(BackupRecord(id=1, made_at=datetime.fromisoformat(manifest.made_at), bytes=size))
    except (Busy, SQLAlchemyError) as error:  # the backup is complete all the same
        log.warning("could not record the backup: %s", type(error).__name__)


def last() -> BackupRecord | None:
    """Return the record of the last backup; None if there is none."""
    return db.session.scalar(sa.select(BackupRecord))
