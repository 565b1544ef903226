"""Backups in one folder: which of them to keep, space for the next one, and the record of the last."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from webapp.models import BackupRecord
from webapp.process.commands.reporting import Trouble
from webapp.process.config import Settings
from webapp.process.database import Busy, db, write_tx
from webapp.site.storage import backup as backups
from webapp.site.storage.backup import Manifest, alone, check_files, manifest_of, partial, size_before

log = logging.getLogger(__name__)

USUAL = "24h,30d"
SECONDS = {"h": 3600, "d": 86_400, "w": 7 * 86_400}
NAME = "%Y-%m-%dT%H%M%SZ"
# Bytes that a backup leaves free for the journal of the site; of a small disk, a share
RESERVE, SHARE = 64 * 2**20, 0.1
MARGIN = 1.25  # by which a backup may be larger than the last one


# Keep the newest backup of each of the last so many periods of so many seconds that have one. Empty periods
# don't count: a clock that is wrong for a while must not age every backup.
Rule = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Copy:
    """A backup in the folder."""

    path: Path
    made_at: datetime
    bytes: int


def parse_rules(text: str) -> list[Rule]:
    """Read rules such as `24h,30d`: one an hour for 24 hours, one a day for 30 days. Raises Trouble."""
    found = [re.fullmatch(r"([1-9]\d{0,4})([hdw])", part.strip()) for part in text.split(",")]
    if not all(found):
        raise Trouble(f"Cannot read --keep {text!r}. Write numbers of hours, days or weeks, such as {USUAL}.")
    return [(int(each[1]), SECONDS[each[2]]) for each in found if each]


def copies(folder: Path) -> list[Copy]:
    """Return the backups that `backup_into` has made in a folder, newest first."""
    found = []
    for path in filter(Path.is_dir, folder.iterdir()):
        with suppress(ValueError):  # anything else is named otherwise
            made_at = datetime.strptime(path.name, NAME).replace(tzinfo=UTC)
            used = sum(file.stat().st_blocks * 512 for file in path.iterdir())
            found.append(Copy(path, made_at, used))
    return sorted(found, key=lambda copy: copy.made_at, reverse=True)


def copies_to_keep(made: Iterable[Copy], wanted: Iterable[Rule], now: datetime) -> set[Path]:
    """Return those of these backups, newest first, that the rules keep."""
    made, found = list(made), set()
    for count, seconds in wanted:
        newest: dict[int, Path] = {}
        for copy in made:
            newest.setdefault(int(copy.made_at.timestamp()) // seconds, copy.path)
        others = count - (int(now.timestamp()) // seconds not in newest)  # the next one counts
        found |= set(list(newest.values())[:others])
    return found


def backup_into(
    settings: Settings, folder: Path, wanted: Sequence[Rule], now: datetime
) -> tuple[Path, Manifest, list[Path]]:
    """Delete what the rules do not keep, then back up the site into the folder. Raises Trouble.

    Returns the new backup and those deleted for it.

    Further backups are deleted, the oldest first, if the next one needs their space. The newest that matches
    its checksums stays until the next one is complete, and none is deleted if that wouldn't be enough space.
    """
    if not folder.is_dir():
        raise Trouble(f"There is no folder {folder}. Create it first.")
    with alone(os.open(folder, os.O_RDONLY), folder):
        for left in folder.glob(".*.partial"):  # by killed backups
            with suppress(OSError, Trouble), alone(os.open(left, os.O_RDONLY), left):
                shutil.rmtree(left)
        going = _superfluous(settings, folder, wanted, now)
        for old in going:
            # Hidden first: a backup that is half deleted must not be taken for one
            hidden = partial(old)
            old.rename(hidden)
            shutil.rmtree(hidden)
        path = folder / now.strftime(NAME)
        manifest = backups.backup(settings, path, now)
    return path, manifest, going


def _superfluous(settings: Settings, folder: Path, wanted: Sequence[Rule], now: datetime) -> list[Path]:
    """Return the backups to delete for the next one. Raises Trouble if it wouldn't fit then either."""
    made = copies(folder)
    good, damaged = _newest_good(made)
    usable = [] if good is None else made[made.index(good) :]  # without a good one, all stay
    keep = copies_to_keep(usable, wanted, now)
    staying = [copy for copy in usable if copy.path in keep and copy is not good]
    going = damaged + [copy for copy in usable if copy not in staying and copy is not good]
    disk = shutil.disk_usage(folder)
    raw, temporary = size_before(settings)
    packed = raw if good is None else min(raw, int(MARGIN * good.bytes))
    needed = temporary + packed + min(RESERVE, int(disk.total * SHARE))
    while disk.free + sum(copy.bytes for copy in going) < needed:
        if not staying:
            words = f"No space: {needed:,} bytes are needed at {folder}, and {disk.free:,} are free."
            raise Trouble(words if good is None else f"{words} {good.path.name} is kept.")
        going.append(staying.pop())
    return sorted(copy.path for copy in going)


def _newest_good(made: Iterable[Copy]) -> tuple[Copy | None, list[Copy]]:
    """Return the newest backup that matches its checksums, and the newer ones that don't; none without one.

    One with a manifest that can't be read, perhaps of a later release, is neither.
    """
    damaged = []
    for copy in made:
        try:
            manifest = manifest_of(copy.path)
        except Trouble as error:
            log.error("%s", error.message)
            continue
        try:
            check_files(copy.path, manifest)
        except Trouble as error:
            log.error("%s", error.message)
            damaged.append(copy)
        else:
            return copy, damaged
    return None, []


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
