"""Restore a backup: check it, then replace the site's data atomically."""

from __future__ import annotations

import errno
import gzip
import shutil
import subprocess
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from webapp.models import Heartbeat, QueuedMail, SignIn
from webapp.process import signing
from webapp.process.commands import schema
from webapp.process.commands.reporting import Trouble
from webapp.process.config import Settings
from webapp.process.database import sqlite_module
from webapp.process.operation import machine
from webapp.site.storage import places
from webapp.site.storage.backup import DATABASE, DUMP, FORMAT, PACKED, Manifest, check_files, manifest_of
from webapp.site.storage.places import DAMAGED, JOBS

# Emptied: sessions and tokens ended since the backup would be valid again, and mails sent since would be
# sent again. A heartbeat would make the site seem to be running, which blocks another restore.
ENTRIES = (SignIn, Heartbeat, QueuedMail)
_CHUNK = 1 << 20
_JOURNALS = ("-wal", "-shm", "-journal")


def restore(settings: Settings, source: Path, now: datetime, *, replace: bool) -> Manifest:
    """Replace the site's data with the backup `source`. Raises Trouble; then nothing has changed.

    replace: even if the site has data. The site must be stopped. A schema of an older release is kept and
    upgraded as usual.
    """
    manifest = check(source)
    file = places.site_file(settings)
    kind = "postgresql" if file is None else "sqlite"
    if manifest.database != kind:
        raise Trouble(
            f"This backup is of a site on {manifest.database}, and DATABASE_URL names {kind}. "
            "To change the database, restore it as it was, then use `flask copy`."
        )
    if file is not None:
        _restore_files(settings, source, file, manifest, now, replace=replace)
    else:
        _restore_dump(settings.database_url, source, manifest, replace=replace)
    if signing.FILE in manifest.files and places.keeps_secret(settings):
        place = settings.instance_path / signing.FILE
        beside = place.with_name(f".{place.name}.restoring")
        _copy(source / signing.FILE, beside)
        beside.rename(place)
        machine.sync(place.parent)
    return manifest


def check(source: Path) -> Manifest:
    """Read the manifest of a backup and compare it with its files. Raises Trouble at the first difference."""
    manifest = manifest_of(source)
    if manifest.format != FORMAT:
        raise Trouble(f"This release reads backups of format {FORMAT}, and {source} has {manifest.format}.")
    if manifest.revision not in schema.revisions():
        raise Trouble(
            f"This release does not know schema revision {manifest.revision}. "
            f"Install Ninefold {manifest.version} or later first."
        )
    check_files(source, manifest)
    return manifest


# SQLite


def _restore_files(
    settings: Settings, source: Path, file: Path, manifest: Manifest, now: datetime, *, replace: bool
) -> None:
    jobs = settings.instance_path / JOBS
    names = {DATABASE: file} | ({JOBS: jobs} if JOBS + PACKED in manifest.files else {})
    beside = {name: path.with_name(f".{path.name}.restoring") for name, path in names.items()}
    try:
        for name, path in beside.items():
            _copy(source / (name + PACKED), path)
        _check_file(beside[DATABASE], manifest)
        with closing(places.open_file(beside[DATABASE])) as connection:
            for kind in ENTRIES:
                connection.execute(str(sa.delete(kind)))
        _swap(file, {beside[name]: path for name, path in names.items()}, jobs, now, replace=replace)
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)


def _check_file(file: Path, manifest: Manifest) -> None:
    with closing(places.open_file(file)) as connection:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        if found != ["ok"]:
            raise Trouble(f"The backup is damaged: {found[0]}. Use another backup.")
        if orphan := connection.execute("PRAGMA foreign_key_check").fetchone():
            raise Trouble(f"The backup is damaged: {orphan[0]} refers to a missing {orphan[2]}.")
        if places.revision(connection) != manifest.revision:
            raise Trouble("The backup is damaged: its schema is not the one its manifest names.")
        if places.rows(connection) != manifest.rows:
            raise Trouble("The backup is damaged: it has other rows than its manifest names.")


def _swap(file: Path, fresh: dict[Path, Path], jobs: Path, now: datetime, *, replace: bool) -> None:
    """Replace the files of a site that is locked meanwhile."""
    if not file.exists():
        _set_aside(file)  # or SQLite would replay another file's leftover journal into this one
        _move(fresh)
        return
    with places.alone_with(file, now) as readable:
        if not replace and (not readable or _has_data(file)):
            raise Trouble(f"The site at {file} has data. Add --replace to replace it with the backup.")
        if not readable:
            _set_aside(file)
        if jobs in fresh.values():  # a journal left by a killed worker belongs to the replaced jobs
            for ending in _JOURNALS:
                jobs.with_name(jobs.name + ending).unlink(missing_ok=True)
        _move(fresh)


def _set_aside(file: Path) -> None:
    for ending in ("", *_JOURNALS):
        path = file.with_name(file.name + ending)
        with suppress(FileNotFoundError):
            path.rename(path.with_name(path.name + DAMAGED))


def _has_data(file: Path) -> bool:
    # A second connection would wait for the exclusive one; `immutable` is safe, since the file has no journal
    # now.
    with closing(sqlite_module()[0].connect(f"file:{file}?immutable=1", uri=True)) as connection:
        rows = places.rows(connection)
    return any(count for table, count in rows.items() if table != "alembic_version")


def _move(fresh: dict[Path, Path]) -> None:
    # Jobs first: if we are killed in between, the site keeps its own rows, and older jobs repeat steps.
    for path, place in sorted(fresh.items(), key=lambda item: item[1].name != JOBS):
        path.rename(place)
        machine.sync(place.parent)


def _copy(source: Path, target: Path) -> None:
    opened = gzip.open if source.suffix == PACKED else open
    try:
        with places.private(target) as written, opened(source, "rb") as read:
            shutil.copyfileobj(read, written, _CHUNK)
    except OSError as error:
        reason = "no space left" if error.errno == errno.ENOSPC else error.strerror
        raise Trouble(f"Cannot write {target.parent}: {reason}.") from None


# PostgreSQL


def _restore_dump(url: str, source: Path, manifest: Manifest, *, replace: bool) -> None:
    reader, writer = places.program("pg_restore"), places.program("psql")
    with places.postgresql(url) as connection:
        if places.others_connected(connection):
            raise Trouble(f"A site is using {places.shown(url)}. Stop it first.")
        rows = places.rows(connection)
        if rows and "alembic_version" not in rows:
            raise Trouble(f"{places.shown(url)} holds tables that are not Ninefold’s. Use another database.")
        if not replace and any(count for table, count in rows.items() if table != "alembic_version"):
            raise Trouble(
                f"The site at {places.shown(url)} has data. Add --replace to replace it with the backup."
            )
    # In one transaction with the rest, which fails if row counts differ. Also drops tables of a later
    # release.
    drops = ["DROP SCHEMA IF EXISTS dbos CASCADE;"]
    # Dropping a table drops its partitions.
    drops += [f"DROP TABLE IF EXISTS public.{places.quoted(table)} CASCADE;" for table in rows]
    counts = {places.count_of(table): rows for table, rows in manifest.rows.items()}
    counts["SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"] = len(manifest.rows)
    ends = ["SET search_path = public;"]
    for query, number in counts.items():
        other = "RAISE EXCEPTION 'other rows than the backup’s manifest names'"
        ends.append(f"DO $$ BEGIN IF ({query}) <> {number:d} THEN {other}; END IF; END $$;")
    ends += [*(f"{sa.delete(kind)};" for kind in ENTRIES), "ANALYZE;"]
    _play(reader, writer, url, source / DUMP, "\n".join(drops), "\n".join(ends))


def _play(reader: str, writer: str, url: str, dump: Path, first: str, last: str) -> None:
    """Run `first`, a dump's statements and `last` in one transaction, committed if the dump was complete."""
    target, environment = places.libpq(url)
    quiet: dict[str, Any] = {"env": environment, "stderr": subprocess.PIPE}
    script = subprocess.Popen(
        [reader, "--no-owner", "--no-privileges", "--file=-", str(dump)], stdout=subprocess.PIPE, **quiet
    )
    player = subprocess.Popen(
        [
            *(writer, "--no-psqlrc", "--no-password", "--quiet", "--single-transaction", "--file=-"),
            *("--set=ON_ERROR_STOP=1", f"--dbname={target}"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        **quiet,
    )
    assert script.stdout and script.stderr and player.stdin and player.stderr
    try:
        with suppress(BrokenPipeError):  # psql has exited and reports why
            player.stdin.write(f"SET client_min_messages = warning;\n{first}\n".encode())
            shutil.copyfileobj(script.stdout, player.stdin, _CHUNK)
        script.stdout.close()
        unread = script.stderr.read().decode().strip()
        if script.wait() and player.poll() is None:
            player.kill()  # before the end of its input, which would commit
            raise Trouble(f"pg_restore failed: {unread}")
        with suppress(BrokenPipeError):
            player.stdin.write(f"\n{last}\n".encode())
            player.stdin.close()
        refused = player.stderr.read().decode().strip()
        if player.wait():
            raise Trouble(f"psql failed, and nothing has changed: {refused}")
    finally:
        for process in (script, player):
            if process.poll() is None:
                process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()
