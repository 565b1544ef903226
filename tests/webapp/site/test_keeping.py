"""Backups in one folder: which are kept, and that they leave the site's disk space."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from flask import Flask

from tests.thorough import amount
from tests.webapp.processes import web
from tests.webapp.stocked import Originals, at, opened, prepare
from tests.webapp.visitors import SetClock
from webapp.process.clock import utcnow
from webapp.process.commands.reporting import Trouble
from webapp.process.operation import machine
from webapp.site.storage import keeping
from webapp.site.storage.backup import MANIFEST, Manifest, backup, size_before
from webapp.site.storage.keeping import Copy, backup_into, copies_to_keep, parse_rules
from webapp.site.storage.restore import restore
from webapp.site.storage.verify import verify

USUAL = parse_rules(keeping.USUAL)


Kept = tuple[Path, Manifest, list[Path]]  # the new one, its manifest, and those deleted


@pytest.fixture
def back_up(inside: Flask, clock: SetClock, tmp_path: Path) -> Callable[..., Kept]:
    """Back this site up into the folder of this test."""
    return lambda keep=keeping.USUAL: backup_into(
        inside.extensions["settings"], tmp_path, parse_rules(keep), clock.time
    )


def test_a_backup_an_hour_becomes_one_an_hour_for_a_day_and_one_a_day_for_a_month(clock: SetClock) -> None:
    made: list[Copy] = []
    for _ in range(100 * 24):
        stay = copies_to_keep(made, USUAL, clock.time)
        made = [Copy(Path(f"{clock.time:%FT%H}"), clock.time, 1), *(one for one in made if one.path in stay)]
        clock.advance(hours=1)
    assert 24 + 28 <= len(made) <= 24 + 31
    ages = [clock.time - one.made_at for one in made]
    assert timedelta(days=28) < max(ages) < timedelta(days=30)
    assert all(later - earlier <= timedelta(days=1) for earlier, later in pairwise(ages))


def test_a_clock_that_is_wrong_for_a_day_ages_no_backup(clock: SetClock) -> None:
    right = [Copy(Path(f"day {day}"), clock.time - timedelta(days=day), 1) for day in range(28)]
    clock.advance(days=40)
    wrong = [Copy(Path(f"hour {hour}"), clock.time - timedelta(hours=hour), 1) for hour in range(24)]
    assert copies_to_keep([*wrong, *right], USUAL, clock.time) >= {one.path for one in right}


@pytest.mark.parametrize("text", ["", "24", "24h,", "h", "0h", "24h 30d", "-1d", "24m", "9999999d"])
def test_rules_that_cannot_be_read_get_a_sentence(text: str) -> None:
    with pytest.raises(Trouble, match="Cannot read --keep"):
        parse_rules(text)


def test_rules_are_read() -> None:
    assert parse_rules("24h, 30d,8w") == [(24, 3600), (30, 86_400), (8, 604_800)]


def test_a_damaged_backup_does_not_count_as_the_good_one(
    back_up: Callable[..., Kept], clock: SetClock
) -> None:
    first = back_up()[0]
    clock.advance(days=40)
    second = back_up("1000d")[0]
    (second / "ninefold.sqlite.gz").write_bytes(b"damaged")
    clock.advance(hours=1)
    done = back_up("1h")
    assert done[2] == [second]
    assert first.is_dir()
    clock.advance(hours=1)
    assert back_up("1h")[2] == [first]


def test_what_is_no_backup_stays_and_what_a_killed_one_left_goes(
    back_up: Callable[..., Kept], tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "list.txt").touch()
    (tmp_path / ".2026-01-01T000000Z.partial").mkdir()
    path = back_up()[0]
    assert {each.name for each in tmp_path.iterdir()} == {"notes", "list.txt", path.name}


def test_a_backup_made_by_hand_stays(
    inside: Flask, back_up: Callable[..., Kept], clock: SetClock, tmp_path: Path
) -> None:
    own = tmp_path / "before-the-upgrade"
    backup(inside.extensions["settings"], own, clock.time)
    clock.advance(days=400)
    deleted = []
    for _ in range(3):
        deleted += back_up("1h")[2]
        clock.advance(hours=2)
    assert len(deleted) == 1
    assert own.is_dir()


def test_a_manifest_of_a_later_release_is_not_taken_for_damage(
    back_up: Callable[..., Kept], clock: SetClock
) -> None:
    back_up()
    clock.advance(hours=1)
    later = back_up()[0]
    manifest = later / MANIFEST
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"new": 1}))
    clock.advance(hours=1)
    assert later not in back_up("1h")[2]


def test_none_is_deleted_if_that_would_not_be_enough(
    back_up: Callable[..., Kept], clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        back_up("9h")
        clock.advance(hours=1)
    monkeypatch.setattr(keeping, "RESERVE", 10**15)
    monkeypatch.setattr(keeping, "SHARE", 1)
    with pytest.raises(Trouble, match="is kept"):
        back_up("1h")
    assert len(list(tmp_path.iterdir())) == 3


def test_two_at_once_do_not_delete_each_others(back_up: Callable[..., Kept], tmp_path: Path) -> None:
    number = os.open(tmp_path, os.O_RDONLY)
    try:
        assert machine.lock(number)
        with pytest.raises(Trouble, match="Another backup into"):
            back_up()
    finally:
        os.close(number)


@pytest.mark.both_databases
def test_the_command_records_the_last_one(app: Flask, tmp_path: Path) -> None:
    run = app.test_cli_runner().invoke
    done = run(args=["backup", "--into", str(tmp_path), "--keep", "2h"])
    assert done.exit_code == 0, done.output
    (made,) = tmp_path.iterdir()
    with app.app_context():
        record = keeping.last()
        assert record is not None and record.bytes > 1000
    for wrong in ([], [str(made), "--into", str(tmp_path)], [str(tmp_path / "b"), "--keep", "2h"]):
        assert run(args=["backup", *wrong]).exit_code == 2


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 50 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=50m", "none", str(disk)]).returncode:
        pytest.skip("cannot mount here")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small file system")
def test_hourly_backups_on_a_small_disk_leave_the_site_up(
    small_disk: Path, originals: Originals, tmp_path: Path
) -> None:
    """The site and its backups share it; a file fills it so far that space is what limits them."""
    instance, folder, restored = small_disk / "site", small_disk / "backups", tmp_path / "restored"
    originals.copy(prepare, instance)
    folder.mkdir()
    with opened(at(instance)) as app, app.app_context():
        first = backup_into(at(instance), folder, USUAL, utcnow() - timedelta(hours=1))[1]
        one = sum(file["bytes"] for file in first.files.values())
    rounds = amount("ROUNDS", 5, 100)
    wanted = 5_300_000 + size_before(at(instance))[1] + 3 * one + 9_000 * rounds  # of the journal
    (small_disk / "ballast").write_bytes(bytes(shutil.disk_usage(small_disk).free - wanted))
    squeezed = moves = 0
    with web(tmp_path, instance) as (caller, _process), opened(at(instance)) as app, app.app_context():
        attempt = caller.start()
        for round_ in range(rounds):
            moves += 1
            form = [("seq", moves), ("kind", "fill"), ("cell", ""), ("digit", "")]
            assert caller.request("POST", f"{attempt}/moves", form)[0] == 200
            done = backup_into(at(instance), folder, USUAL, utcnow() + timedelta(hours=round_))
            squeezed += len(done[2])
            assert shutil.disk_usage(small_disk).free > 1_000_000
            assert caller.request("GET", "/healthz")[0] == 200
        print(f"{round_ + 1} rounds, {squeezed} deleted, {len(list(folder.iterdir()))} are there")
        assert squeezed
    newest = max(folder.iterdir())
    restore(at(restored), newest, utcnow(), replace=False)
    with opened(at(restored)) as site, site.app_context():
        found = verify(utcnow())
        assert (found.shown, found.moves) == ([], moves)
