"""Backups: a consistent copy of a running site in a folder of its own, with what is needed to check it.

A folder holds `manifest.json` and, for SQLite, `ninefold.sqlite` and `jobs.sqlite`, for PostgreSQL
`ninefold.dump`; and the secret key if it is kept in INSTANCE_PATH. It is written beside its place and moved
there in one step, so a folder that is there is whole.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from engine import __version__
from webapp.process.commands.telling import Trouble
from webapp.process.config import SECRET, Settings
from webapp.process.database import sqlite_module
from webapp.site.storage import places
from webapp.site.storage.places import JOBS, PRIVATE

FORMAT = 1
MANIFEST, DATABASE, DUMP = "manifest.json", "ninefold.sqlite", "ninefold.dump"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds."""

    format: int
    made_at: str  # UTC, ISO 8601: when the copy began, and with it what it holds ends
    version: str  # of the release that made it
    revision: str  # of the schema
    database: str  # sqlite or postgresql
    files: dict[str, dict[str, Any]]  # name -> bytes, sha256
    rows: dict[str, int]  # table -> rows


def backup(settings: Settings, target: Path, now: datetime) -> Manifest:
    """Back up the site to the folder `target`, which must not exist yet or be empty. Raises Trouble.

    Players may move meanwhile: what was stored before the start is in it, and each move whole or not at all.
    """
    with _aside(target) as folder:
        if (file := places.site_file(settings)) is not None:
            revision, rows = _copy_files(file, settings.instance_path / JOBS, folder)
        else:
            revision, rows = _dump(settings.database_url, folder)
        if places.keeps_secret(settings):
            _write(folder / SECRET, (settings.instance_path / SECRET).read_bytes())
        files = {
            path.name: {"bytes": path.stat().st_size, "sha256": digest(path)}
            for path in sorted(folder.iterdir())
        }
        kind = "postgresql" if file is None else "sqlite"
        manifest = Manifest(FORMAT, now.isoformat(), __version__, revision, kind, files, rows)
        _write(folder / MANIFEST, json.dumps(asdict(manifest), indent=2).encode())
    return manifest


def _copy_files(file: Path, jobs: Path, folder: Path) -> tuple[str, dict[str, int]]:
    # Jobs first: if the worker goes on between the two, a restored worker repeats a step, which it can, and
    # never believes in one that the site does not have.
    if not file.is_file():
        raise Trouble(f"There is no site at {file} yet.")
    free, needed = shutil.disk_usage(folder).free, file.stat().st_size + file.stat().st_size // 50
    if free < needed:
        raise Trouble(f"No space: {needed:,} bytes are needed at {folder.parent}, and {free:,} are free.")
    if jobs.is_file():
        _copy_file(jobs, folder / JOBS)
    _copy_file(file, folder / DATABASE)
    with closing(places.open_file(folder / DATABASE)) as copy:
        revision = places.revision_in_file(copy)
        if revision is None:
            raise Trouble(f"There is no site at {file} yet.")
        return revision, places.rows_in_file(copy)


def _copy_file(source: Path, target: Path) -> None:
    """Copy a SQLite database in one transaction; writers go on meanwhile in WAL mode.

    The copy is one file without a journal, so that it can be moved about like any other.
    """
    _write(target, b"")
    try:
        with closing(places.open_file(source)) as read, closing(places.open_file(target)) as written:
            written.execute("PRAGMA synchronous=OFF")  # synced as a whole below
            read.backup(written, pages=-1)
            written.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite_module()[0].DatabaseError as error:
        if "full" in str(error):
            raise Trouble(f"No space left at {target.parent.parent}.") from None
        raise Trouble(f"Cannot copy {source}: {error}.") from None
    places.sync(target)


def _dump(url: str, folder: Path) -> tuple[str, dict[str, int]]:
    program = places.program("pg_dump")
    with places.postgresql(url) as connection:
        # Counts and dump see the same moment.
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        revision = places.revision_in_postgresql(connection)
        if revision is None:
            raise Trouble(f"There is no site at {places.shown(url)} yet.")
        snapshot = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert snapshot is not None
        rows = places.rows_in_postgresql(connection)
        target, environment = places.libpq(url)
        done = subprocess.run(
            [
                *(program, "--format=custom", "--no-owner", "--no-privileges", "--no-password"),
                *(f"--snapshot={snapshot[0]}", f"--file={folder / DUMP}", f"--dbname={target}"),
            ],
            env=environment,
            umask=~PRIVATE & 0o777,
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise Trouble(f"pg_dump failed: {done.stderr.strip()}")
    places.sync(folder / DUMP)
    return revision, rows


@contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """A folder beside `target` that becomes it at the end; nothing is left of it after an error.

    One that a killed backup has left is used again.
    """
    target = target.absolute()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Trouble(f"{target} already exists. Choose a name that is not taken.")
    if not target.parent.is_dir():
        raise Trouble(f"There is no folder {target.parent}. Create it first.")
    folder = target.with_name(f".{target.name}.partial")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise Trouble(f"Cannot write to {target.parent}: {error.strerror}.") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Trouble(f"Another backup to {target} is running.") from None
        try:
            for left in folder.iterdir():
                left.unlink()
            yield folder
            places.sync(folder)
            folder.rename(target)
            places.sync(target.parent)
        except BaseException as error:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, OSError):
                reason = "no space left" if error.errno == errno.ENOSPC else error.strerror
                raise Trouble(f"Cannot write {target}: {reason}.") from None
            raise
    finally:
        os.close(lock)


def _write(path: Path, content: bytes) -> None:
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
    with os.fdopen(number, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(number)


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            hashed.update(chunk)
    return hashed.hexdigest()
