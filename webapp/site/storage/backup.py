"""Backups: a consistent copy of a running site in its own folder, with checksums and row counts.

A folder holds `manifest.json` and the data: `ninefold.sqlite.gz` and `jobs.sqlite.gz` for SQLite,
`ninefold.dump` for PostgreSQL. It includes the secret key if that is kept in INSTANCE_PATH. It is written
under a temporary name and then renamed, so an existing backup is complete.
"""

from __future__ import annotations

import errno
import gzip
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
from webapp.process import signing
from webapp.process.commands import schema
from webapp.process.commands.reporting import Trouble
from webapp.process.config import Settings
from webapp.process.database import sqlite_module
from webapp.process.operation import machine
from webapp.site.storage import places
from webapp.site.storage.places import JOBS, PRIVATE

FORMAT = 2
PACKED = ".gz"  # suffix of a compressed file
LEVEL = 1  # of gzip; 6 would save another tenth and take twice as long
MANIFEST, DATABASE, DUMP = "manifest.json", "ninefold.sqlite", "ninefold.dump"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a backup."""

    format: int
    made_at: str  # UTC, ISO 8601: when the copy began; later changes aren't in it
    version: str  # of the release that made it
    revision: str  # of the schema
    database: str  # sqlite or postgresql
    files: dict[str, dict[str, Any]]  # name -> bytes, sha256
    rows: dict[str, int]  # table -> rows


def backup(settings: Settings, target: Path, now: datetime) -> Manifest:
    """Back up the site to the folder `target`, which must not exist yet or be empty. Raises Trouble.

    Players may move meanwhile. Everything stored before the start is included, and later moves whole or not
    at all.
    """
    with _aside(target) as folder:
        if (file := places.site_file(settings)) is not None:
            revision, rows = _copy_files(file, settings.instance_path / JOBS, folder)
        else:
            revision, rows = _dump(settings.database_url, folder)
        if trouble := schema.unknown({revision}):
            raise Trouble(trouble)
        if places.keeps_secret(settings):
            with places.private(folder / signing.FILE) as kept:
                kept.write((settings.instance_path / signing.FILE).read_bytes())
        files = {
            path.name: {"bytes": path.stat().st_size, "sha256": digest(path)}
            for path in sorted(folder.iterdir())
        }
        kind = "postgresql" if file is None else "sqlite"
        manifest = Manifest(FORMAT, now.isoformat(), __version__, revision, kind, files, rows)
        with places.private(folder / MANIFEST) as written:
            written.write(json.dumps(asdict(manifest), indent=2).encode())
    return manifest


def _copy_files(file: Path, jobs: Path, folder: Path) -> tuple[str, dict[str, int]]:
    # Jobs first: if the worker continues in between, a restored worker repeats a step, which is safe. The
    # other order could record a step whose result is missing.
    if not file.is_file():
        raise Trouble(f"There is no site at {file} yet.")
    free, needed = shutil.disk_usage(folder).free, _size_of_copy(file)
    if free < needed:
        raise Trouble(f"No space: {needed:,} bytes are needed at {folder.parent}, and {free:,} are free.")
    if jobs.is_file():
        _copy_file(jobs, folder / JOBS)
        _pack(folder / JOBS)
    _copy_file(file, folder / DATABASE)
    with closing(places.open_file(folder / DATABASE)) as copy:
        revision = places.revision(copy)
        if revision is None:
            raise Trouble(f"There is no site at {file} yet.")
        rows = places.rows(copy)
    _pack(folder / DATABASE)
    return revision, rows


def _pack(file: Path) -> None:
    """Replace a file with its compressed form."""
    with (
        places.private(file.with_name(file.name + PACKED)) as target,
        gzip.GzipFile(filename="", fileobj=target, mode="wb", compresslevel=LEVEL, mtime=0) as packed,
        file.open("rb") as source,
    ):
        shutil.copyfileobj(source, packed, _CHUNK)
    file.unlink()


def _size_of_copy(file: Path) -> int:
    size = file.stat().st_size
    return size + size // 50


def size_before(settings: Settings) -> tuple[int, int]:
    """Return the bytes of the site's database, and those that a backup needs only while it is made."""
    if (file := places.site_file(settings)) is not None:
        size = _size_of_copy(file) if file.is_file() else 0
        return size, size
    with places.postgresql(settings.database_url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return (int(row[0]) if row else 0), 0


def _copy_file(source: Path, target: Path) -> None:
    """Copy a SQLite database in one transaction; in WAL mode, writers continue meanwhile.

    The copy is one file without a journal, so that it can be moved like any other.
    """
    try:
        with places.private(target):
            pass
        with closing(places.open_file(source)) as read, closing(places.open_file(target)) as written:
            written.execute("PRAGMA synchronous=OFF")  # only its compressed form stays
            read.backup(written, pages=-1)
            written.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite_module()[0].DatabaseError as error:
        if "full" in str(error):
            raise Trouble(f"No space left at {target.parent.parent}.") from None
        raise Trouble(f"Cannot copy {source}: {error}.") from None


def _dump(url: str, folder: Path) -> tuple[str, dict[str, int]]:
    program = places.program("pg_dump")
    with places.postgresql(url) as connection:
        # Row counts and dump use the same snapshot.
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        revision = places.revision(connection)
        if revision is None:
            raise Trouble(f"There is no site at {places.shown(url)} yet.")
        snapshot = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert snapshot is not None
        rows = places.rows(connection)
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
    machine.sync(folder / DUMP)
    return revision, rows


def partial(target: Path) -> Path:
    """Return the temporary name of a backup."""
    return target.with_name(f".{target.name}.partial")


@contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """Yield a temporary folder that is renamed to `target` at the end, or removed after an error.

    One left by a killed backup is reused.
    """
    target = target.absolute()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Trouble(f"{target} already exists. Choose a name that is not taken.")
    if not target.parent.is_dir():
        raise Trouble(f"There is no folder {target.parent}. Create it first.")
    folder = partial(target)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise Trouble(f"Cannot write to {target.parent}: {error.strerror}.") from None
    with alone(lock, target):
        try:
            for left in folder.iterdir():
                left.unlink()
            yield folder
            machine.sync(folder)
            folder.rename(target)
            machine.sync(target.parent)
        except BaseException as error:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, OSError):
                reason = "no space left" if error.errno == errno.ENOSPC else error.strerror
                raise Trouble(f"Cannot write {target}: {reason}.") from None
            raise


@contextmanager
def alone(folder: int, target: Path) -> Iterator[None]:
    """Lock an open folder while `target` is written, and close it. Raises Trouble if it is locked."""
    try:
        if not machine.lock(folder):
            raise Trouble(f"Another backup into {target} is running.")
        yield
    finally:
        os.close(folder)


def manifest_of(source: Path) -> Manifest:
    """Read the manifest of a backup. Raises Trouble."""
    try:
        return Manifest(**json.loads((source / MANIFEST).read_text()))
    except (FileNotFoundError, NotADirectoryError):
        raise Trouble(f"{source} is no backup: it has no {MANIFEST}.") from None
    except (ValueError, TypeError, OSError) as error:
        raise Trouble(f"Cannot read {source / MANIFEST}: {error}") from None


def check_files(source: Path, manifest: Manifest) -> None:
    """Compare the files of a backup with its manifest. Raises Trouble at the first difference."""
    for name, expected in manifest.files.items():
        path = source / name
        if not path.is_file():
            raise Trouble(f"{source} is incomplete: {name} is missing.")
        if path.stat().st_size != expected["bytes"] or digest(path) != expected["sha256"]:
            raise Trouble(f"{path} is damaged: it differs from its checksum. Use another backup.")


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
