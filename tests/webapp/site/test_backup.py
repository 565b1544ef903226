"""`flask backup` and `flask restore`: complete, consistent, private; and nothing half done on bad input."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.thorough import amount
from tests.webapp.conftest import empty_database
from tests.webapp.season import season
from tests.webapp.solves import add_player
from tests.webapp.visitors import SetClock
from webapp import create_app
from webapp.game.moves import Kind, Move
from webapp.identity import sessions
from webapp.models import Attempt, Heartbeat, Player, SignIn
from webapp.models import Move as MoveRow
from webapp.play import play, starts
from webapp.process.commands import schema
from webapp.process.commands.reporting import Trouble
from webapp.process.config import Settings
from webapp.process.database import close, db, write_tx
from webapp.process.signing import FILE as SECRET
from webapp.site.storage import places
from webapp.site.storage.backup import DATABASE, MANIFEST, PACKED, backup
from webapp.site.storage.places import DAMAGED, JOBS
from webapp.site.storage.restore import restore
from webapp.site.storage.verify import verify

PACKED_DATABASE = DATABASE + PACKED
BACKUPS = amount("BACKUPS", 1, 10)  # taken while players move


@pytest.fixture
def settings_here(inside: Flask) -> Settings:
    """The settings of the site in this test."""
    settings: Settings = inside.extensions["settings"]
    return settings


@pytest.fixture
def empty(settings_here: Settings, tmp_path: Path, worker_id: str) -> Iterator[Settings]:
    """A new site on the same kind of database, without tables."""
    instance = tmp_path / "restored"
    fresh = Settings.from_environment({"INSTANCE_PATH": str(instance)})
    if places.site_file(settings_here) is not None:
        yield fresh
        return
    with empty_database(os.environ["TEST_DATABASE_URL"], f"restored_{worker_id}") as url:
        yield replace(fresh, database_url=url)


@pytest.fixture
def kept(settings_here: Settings, clock: SetClock, tmp_path: Path) -> Path:
    """A backup of this site without games."""
    backup(settings_here, tmp_path / "backup", clock.time)
    return tmp_path / "backup"


@pytest.fixture
def restored(kept: Path, empty: Settings, clock: SetClock) -> Settings:
    """The new site, restored from it."""
    restore(empty, kept, clock.time, replace=False)
    return empty


@contextmanager
def site_of(settings: Settings, clock: SetClock) -> Iterator[Flask]:
    """Return the site with these settings, as it would start."""
    app = create_app(settings, clock=clock)
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()


def moves_stored() -> int:
    return db.session.scalar(sa.select(sa.func.count()).select_from(MoveRow)) or 0


@pytest.mark.both_databases
def test_what_was_backed_up_is_there_again(
    settings_here: Settings, empty: Settings, clock: SetClock, tmp_path: Path
) -> None:
    played = season(clock)
    manifest = backup(settings_here, tmp_path / "backup", clock.time)
    restore(empty, tmp_path / "backup", clock.time, replace=False)
    with site_of(empty, clock):
        findings = verify(clock.time)
        assert (findings.shown, findings.attempts) == ([], len(played))
        assert findings.moves == manifest.rows["move"]
        with write_tx():  # new rows are numbered after the restored ones
            db.session.add(Player(created_at=clock.time))


def test_a_restore_revives_no_session(
    settings_here: Settings, empty: Settings, clock: SetClock, tmp_path: Path
) -> None:
    player = add_player()
    sessions.begin(player, "Firefox", "192.0.2.0/24", clock.time)
    backup(settings_here, tmp_path / "backup", clock.time)
    restore(empty, tmp_path / "backup", clock.time, replace=False)
    with site_of(empty, clock):
        assert db.session.scalars(sa.select(SignIn)).all() == []
        assert db.session.scalars(sa.select(Player)).all()


@pytest.mark.both_databases
def test_every_backup_taken_while_players_move_is_consistent(
    inside: Flask, settings_here: Settings, empty: Settings, clock: SetClock, tmp_path: Path
) -> None:
    """It holds the moves acknowledged before it began, and none sent after its end."""
    games = [starts.at_level(add_player(), level, clock.time) for level in (1, 2)]
    sent, acknowledged = [0, 0], [0, 0]
    attempts = [(game.player_id, game.id) for game in games]
    stop = threading.Event()

    def move(number: int) -> None:
        player_id, attempt_id = attempts[number]
        with inside.app_context():
            while not stop.is_set() and sent[number] < 4000:
                sent[number] += 1
                batch = [Move(sent[number], Kind.FILL)]
                play.make_moves(player_id, attempt_id, batch, clock.time)
                acknowledged[number] += 1
                db.session.remove()  # as after a request

    threads = [threading.Thread(target=move, args=(number,)) for number in range(2)]
    db.session.remove()
    for thread in threads:
        thread.start()
    try:
        for number in range(BACKUPS):
            while sum(acknowledged) < 20 * (number + 1):
                stop.wait(0.01)
            least = list(acknowledged)
            backup(settings_here, tmp_path / f"{number}", clock.time)
            most = list(sent)
            restore(empty, tmp_path / f"{number}", clock.time, replace=number > 0)
            with site_of(empty, clock):
                assert verify(clock.time).shown == []
                for (_player, attempt_id), low, high in zip(attempts, least, most, strict=True):
                    assert low <= db.session.get_one(Attempt, attempt_id).last_seq <= high
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_only_their_owner_can_read_a_backup_and_what_is_restored(
    settings_here: Settings, empty: Settings, clock: SetClock, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(settings_here.instance_path / JOBS)) as jobs:
        jobs.execute("CREATE TABLE IF NOT EXISTS job (id INTEGER)")
        jobs.commit()
    target = tmp_path / "backup"
    backup(settings_here, target, clock.time)
    restore(empty, target, clock.time, replace=False)
    assert {path.name for path in target.iterdir()} == {PACKED_DATABASE, f"{JOBS}.gz", MANIFEST, SECRET}
    assert stat.S_IMODE(target.stat().st_mode) == 0o700
    restored = [empty.instance_path / name for name in (DATABASE, JOBS, SECRET)]
    assert {stat.S_IMODE(path.stat().st_mode) for path in [*target.iterdir(), *restored]} == {0o600}
    assert (empty.instance_path / SECRET).read_text() == settings_here.secret_key
    assert not list(empty.instance_path.glob(".*.restoring"))


@pytest.mark.parametrize("key", ["environment", "another"])
def test_a_key_from_the_environment_is_in_no_backup(
    settings_here: Settings, clock: SetClock, tmp_path: Path, key: str
) -> None:
    backup(replace(settings_here, secret_key=key * 8), tmp_path / "backup", clock.time)
    assert not (tmp_path / "backup" / SECRET).exists()


def test_bad_targets_are_refused_and_nothing_is_left(
    settings_here: Settings, clock: SetClock, tmp_path: Path
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    (tmp_path / "file").touch()
    for target, reason in {
        tmp_path / "taken": "already exists",
        tmp_path / "file": "already exists",
        tmp_path / "no" / "folder": "There is no folder",
        Path("/proc/backup"): "Cannot write to /proc",
    }.items():
        with pytest.raises(Trouble, match=reason):
            backup(settings_here, target, clock.time)
    missing = replace(settings_here, database_url=f"sqlite:///{tmp_path / 'none.sqlite'}")
    with pytest.raises(Trouble, match="There is no site at"):
        backup(missing, tmp_path / "backup", clock.time)
    assert {path.name for path in tmp_path.iterdir()} == {"taken", "file"}


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small file system")
def test_the_database_of_a_newer_release_is_not_backed_up(
    settings_here: Settings, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "revisions", lambda: ("0001",))
    with pytest.raises(Trouble, match="of a newer release"):
        backup(settings_here, tmp_path / "target", clock())
    assert not (tmp_path / "target").exists()


def test_a_full_disk_leaves_no_backup(settings_here: Settings, clock: SetClock, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "none", str(small)])
    if mounted.returncode:
        pytest.skip("cannot mount here")
    try:
        with pytest.raises(Trouble, match="No space"):
            backup(settings_here, small / "backup", clock.time)
        assert not list(small.iterdir())
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_what_a_killed_backup_leaves_does_not_stop_the_next(
    settings_here: Settings, clock: SetClock, tmp_path: Path
) -> None:
    left = tmp_path / ".backup.partial"
    left.mkdir()
    (left / "half").write_text("half")
    backup(settings_here, tmp_path / "backup", clock.time)
    assert not left.exists()
    assert not (tmp_path / "backup" / "half").exists()


def test_a_damaged_or_foreign_backup_is_refused_and_the_site_is_as_it_was(
    kept: Path, restored: Settings, clock: SetClock, tmp_path: Path
) -> None:
    before = (restored.instance_path / DATABASE).read_bytes()

    def spoiled(name: str) -> Path:
        return Path(shutil.copytree(kept, tmp_path / name))

    flipped = spoiled("flipped")
    content = bytearray((flipped / PACKED_DATABASE).read_bytes())
    content[5000] ^= 1
    (flipped / PACKED_DATABASE).write_bytes(content)
    (spoiled("incomplete") / PACKED_DATABASE).unlink()
    (spoiled("unmarked") / MANIFEST).unlink()
    for name, changes in {
        "newer": {"revision": "9999", "version": "9.9.9"},
        "format": {"format": 3},
        "other": {"database": "postgresql"},
    }.items():
        manifest = spoiled(name) / MANIFEST
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | changes))
    for name, reason in {
        "flipped": "differs from its checksum",
        "incomplete": f"{PACKED_DATABASE} is missing",
        "unmarked": "is no backup",
        "nowhere": "is no backup",
        "newer": "Install Ninefold 9.9.9 or later first",
        "format": "format 2",
        "other": "is of a site on postgresql",
    }.items():
        with pytest.raises(Trouble, match=reason):
            restore(restored, tmp_path / name, clock.time, replace=True)
    assert (restored.instance_path / DATABASE).read_bytes() == before


@pytest.mark.both_databases
def test_a_site_with_data_is_replaced_only_on_request(
    kept: Path, restored: Settings, clock: SetClock
) -> None:
    with site_of(restored, clock), write_tx():
        db.session.add(Player(created_at=clock.time, key="later"))
    with pytest.raises(Trouble, match="Add --replace"):
        restore(restored, kept, clock.time, replace=False)
    restore(restored, kept, clock.time, replace=True)
    with site_of(restored, clock):
        assert db.session.scalar(sa.select(Player).where(Player.key == "later")) is None


def test_the_backup_of_a_running_site_can_be_restored_twice(
    settings_here: Settings, empty: Settings, clock: SetClock, tmp_path: Path
) -> None:
    with write_tx():
        db.session.add(Heartbeat(worker="worker-1", seen_at=clock.time))
    backup(settings_here, tmp_path / "backup", clock.time)
    restore(empty, tmp_path / "backup", clock.time, replace=False)
    restore(empty, tmp_path / "backup", clock.time, replace=True)
    with site_of(empty, clock):
        assert db.session.scalars(sa.select(Heartbeat)).all() == []


@pytest.mark.both_databases
def test_a_backup_with_other_rows_than_it_says_leaves_the_site_as_it_was(
    kept: Path, restored: Settings, clock: SetClock
) -> None:
    with site_of(restored, clock), write_tx():
        db.session.add(Player(created_at=clock.time, key="later"))
    manifest = kept / MANIFEST
    claims = json.loads(manifest.read_text())
    claims["rows"]["player"] += 1
    manifest.write_text(json.dumps(claims))
    with pytest.raises(Trouble, match="other rows than"):
        restore(restored, kept, clock.time, replace=True)
    with site_of(restored, clock):
        assert db.session.scalar(sa.select(Player).where(Player.key == "later"))


@pytest.mark.both_databases
def test_nothing_is_restored_over_a_running_site(kept: Path, restored: Settings, clock: SetClock) -> None:
    with site_of(restored, clock):
        moves_stored()
        with pytest.raises(Trouble, match=r"Stop it first\."):
            restore(restored, kept, clock.time, replace=True)
        assert moves_stored() == 0


def test_a_site_that_cannot_be_read_is_kept_beside_the_restored_one(
    kept: Path, empty: Settings, clock: SetClock
) -> None:
    damaged = empty.instance_path / DATABASE
    damaged.write_bytes(b"nothing that SQLite knows" * 400)
    with pytest.raises(Trouble, match="Add --replace"):
        restore(empty, kept, clock.time, replace=False)
    restore(empty, kept, clock.time, replace=True)
    assert damaged.with_name(damaged.name + DAMAGED).read_bytes().startswith(b"nothing")
    with site_of(empty, clock):
        assert verify(clock.time).shown == []


def test_a_deletion_that_a_restore_undid_is_repeated(
    settings_here: Settings, empty: Settings, clock: SetClock, tmp_path: Path
) -> None:
    season(clock)
    player_id = db.session.scalars(sa.select(Player.id).where(Player.name == "Player0")).one()
    backup(settings_here, tmp_path / "backup", clock.time)
    with site_of(empty, clock) as site:
        close()
        numbers = ("--forget", str(player_id), "--forget", "987")
        done = site.test_cli_runner().invoke(args=["restore", str(tmp_path / "backup"), *numbers])
        assert done.output.splitlines()[-2:] == [
            f"Deleted player {player_id} and all their data.",
            "The backup has no player 987.",
        ]
        assert db.session.scalars(sa.select(Attempt).where(Attempt.player_id == player_id)).all() == []
        assert verify(clock.time).shown == []


@pytest.mark.both_databases
def test_without_the_programs_of_postgresql_the_missing_one_is_named(
    settings_here: Settings, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if places.site_file(settings_here) is not None:
        return
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(places, "_POSTGRESQL", tmp_path)
    with pytest.raises(Trouble, match=r"pg_dump isn’t installed\. .* postgresql-client"):
        backup(settings_here, tmp_path / "backup", clock.time)
    assert not list(tmp_path.iterdir())


@pytest.mark.both_databases
def test_a_client_that_has_left_postgresql_is_not_in_the_way(empty: Settings) -> None:
    """Until it is gone, a stopped site's session is still listed."""
    if places.site_file(empty) is not None:
        return
    with places.postgresql(empty.database_url) as here, places.postgresql(empty.database_url) as leaving:
        assert places.others_connected(here)
        Timer(0.5, leaving.close).start()
        assert not places.others_connected(here)


def test_the_commands_say_what_they_did(app: Flask, empty: Settings, clock: SetClock, tmp_path: Path) -> None:
    target = tmp_path / "backup"
    made = app.test_cli_runner().invoke(args=["backup", str(target)])
    assert made.output.startswith(f"Backed up 0 games and 0 moves to {target}")
    with site_of(empty, clock) as fresh:
        again = fresh.test_cli_runner().invoke(args=["restore", str(target)])
    assert again.output == "Restored 0 games and 0 moves, as of 2026-03-01T09:00:00+00:00.\n"
    refused = app.test_cli_runner().invoke(args=["restore", str(target), "--replace"])
    assert refused.exit_code == 1
    assert re.fullmatch(r"Error: A site is using .*\. Stop it first\.\n", refused.output)
