"""The worker deletes expired data, and nothing else."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from dbos import DBOS, DBOSClient
from flask import Flask

from engine import warm
from tests.webapp.conftest import empty_database
from tests.webapp.visitors import SetClock, Visitor
from webapp.capability import capabilities_of
from webapp.competition.races import races
from webapp.identity import players, workers
from webapp.process.clock import following, utcnow
from webapp.process.config import ROOT, Settings
from webapp.process.database import write_tx
from webapp.site.jobs.worker import dbos_config
from webapp.site.storage import places, pruning
from webapp.site.storage.pruning import FILES_KEPT, JOBS_KEPT


@pytest.fixture
def jobs(inside: Flask, tmp_path: Path, worker_id: str) -> Iterator[DBOSClient]:
    """Job records, as a worker leaves them: two that have ended, one that waits."""
    settings: Settings = inside.extensions["settings"]
    instance = tmp_path / "instance"
    instance.mkdir()
    if places.site_file(settings) is not None:
        yield from _recorded(inside, replace(settings, instance_path=instance))
        return
    with empty_database(os.environ["TEST_DATABASE_URL"], f"prune_{worker_id}") as url:
        yield from _recorded(inside, replace(settings, database_url=url))


def _recorded(app: Flask, settings: Settings) -> Iterator[DBOSClient]:
    DBOS(config=dbos_config(settings, "test"))
    DBOS.launch()
    DBOS.destroy()
    client = DBOSClient(system_database_url=dbos_config(settings, "test")["system_database_url"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(app.extensions, "settings", settings)
        for number in range(3):
            client.enqueue({"workflow_name": "job", "queue_name": "jobs", "workflow_id": f"job-{number}"})
        client.cancel_workflow("job-0")
        client.cancel_workflow("job-1")
        yield client
    client.destroy()


def ids(client: DBOSClient) -> set[str]:
    return {workflow.workflow_id for workflow in client.list_workflows()}


@pytest.mark.both_databases
def test_records_of_ended_jobs_go_after_their_time_and_others_stay(
    jobs: DBOSClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "STEP", 1)
    assert pruning.jobs(utcnow()) == 0
    assert ids(jobs) == {"job-0", "job-1", "job-2"}
    assert pruning.jobs(utcnow() + JOBS_KEPT + timedelta(minutes=1)) == 2
    assert ids(jobs) == {"job-2"}


def test_without_a_worker_there_are_no_records(
    inside: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = replace(inside.extensions["settings"], instance_path=tmp_path)
    monkeypatch.setitem(inside.extensions, "settings", here)
    assert pruning.jobs(utcnow()) == 0
    assert not list(tmp_path.iterdir())
    (tmp_path / "jobs.sqlite").touch()  # by a worker that ended as it began
    assert pruning.jobs(utcnow()) == 0


def test_compacting_minds_the_locks_of_the_library_that_has_the_file_open(tmp_path: Path) -> None:
    file = tmp_path / "jobs.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as worker:
        worker.execute("CREATE TABLE large AS SELECT zeroblob(400000) AS bytes")
        worker.execute("DELETE FROM large")
        worker.execute("BEGIN IMMEDIATE")
        before = file.stat().st_size
        pruning._compact(file, wait=0.0)
        assert file.stat().st_size == before
        worker.execute("COMMIT")
        pruning._compact(file, wait=0.0)
        assert file.stat().st_size < before / 4


def _aged(path: Path, now: datetime, age: timedelta) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    for found in (path, path.parent):
        os.utime(found, ((now - age).timestamp(),) * 2)
    return path


def test_static_files_of_older_releases_go_after_their_time(inside: Flask, clock: SetClock) -> None:
    now, current = clock.time, inside.extensions["assets"].folder
    old = _aged(current.parent / "0ld" / "style.css", now, FILES_KEPT + timedelta(days=1))
    recent = _aged(current.parent / "recent" / "style.css", now, FILES_KEPT - timedelta(days=1))
    compiled = _aged(current.parents[1] / "templates" / "x.old", now, FILES_KEPT + timedelta(days=1))
    for path in current.rglob("*"):
        os.utime(path, (0, 0))
    assert pruning.assets(now) == 2
    assert (old.exists(), recent.exists(), compiled.exists(), current.is_dir()) == (False, True, False, True)


def test_kernels_of_other_sources_go_after_their_time(
    clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "cache_folder", lambda: tmp_path)
    age = FILES_KEPT + timedelta(days=1)
    current = f"engine.kernels.bitboard-{warm.fingerprint('engine.kernels.bitboard')}"
    kept = [
        _aged(tmp_path / name / "code", clock.time, old)
        for name, old in {
            current: age,
            "engine.kernels.bitboard-0123456789abcdef": FILES_KEPT - timedelta(days=1),
            "somebody-elses": age,
        }.items()
    ]
    gone = [
        _aged(tmp_path / "engine.techniques.gone-0123456789abcdef" / "code", clock.time, age),
        _aged(tmp_path / "warm-0123456789abcdef", clock.time, age),
    ]
    assert pruning.kernels(clock.time) == 2
    assert [path.exists() for path in kept + gone] == [True] * 3 + [False] * 2


def test_the_rules_are_in_the_guide(inside: Flask) -> None:
    guide = " ".join((ROOT / "docs" / "storage.md").read_text().split())
    for rule in [rule for entry in capabilities_of(inside) for rule in entry.retention]:
        assert f"| {rule.what} | {rule.when} |" in guide


def test_the_worker_prunes_every_hour(
    inside: Flask, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    (job,) = [job for entry in capabilities_of(inside) for job in entry.jobs if job.name == "prune"]
    assert job.schedule.every == timedelta(hours=1)
    race = Visitor(inside).post("/races", {"level": "2", "name": "Ada"}).location
    clock.advance(days=races.KEPT.days, minutes=1)
    monkeypatch.setitem(inside.extensions, "pruning_rests", timedelta())
    assert job.work(clock.time) > 0
    assert Visitor(inside).get(race).status_code == 404


@pytest.mark.both_databases
def test_a_clock_that_is_wrong_at_boot_deletes_nothing(
    inside: Flask, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady = SetClock(clock.time)
    monkeypatch.setitem(inside.extensions, "steady", following(steady))
    monkeypatch.setitem(inside.extensions, "started", following(steady)())
    workers.report("worker", clock.time)
    with write_tx():
        players.new_guest(clock.time)
    clock.advance(days=40)
    pruning.begin(clock.time)
    for minutes in (0, 11, 60):
        steady.advance(minutes=minutes)
        assert pruning.run(clock.time) == 0
    steady.advance(days=1)
    assert pruning.run(clock.time) > 0


def test_nothing_is_deleted_in_the_minutes_after_a_start(
    inside: Flask, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(inside.extensions, "started", following(clock)())
    workers.report("worker", clock.time)
    pruning.begin(clock.time)
    race = Visitor(inside).post("/races", {"level": "2", "name": "Ada"}).location
    assert Visitor(inside).get(race).status_code == 200
    assert pruning.run(clock.time + races.KEPT + timedelta(minutes=1)) == 0
    clock.advance(minutes=11)
    assert pruning.run(clock.time + races.KEPT) > 0
