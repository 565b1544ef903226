"""/healthz reports that the process is alive, /readyz that database and worker are available."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.visitors import SetClock, Visitor
from webapp.identity import workers
from webapp.process.commands import schema
from webapp.process.database import db, writing
from webapp.site import health

pytestmark = pytest.mark.both_databases

WELL = {"database": True, "schema": True, "writable": True, "disk": True, "worker": True, "backup": None}


def test_healthz_says_that_the_process_answers_and_which_version_it_runs(guest: Visitor) -> None:
    assert guest.get("/healthz").text == f"ok {engine.__version__}"


def test_the_page_about_the_site_names_the_version(guest: Visitor) -> None:
    assert f"This is version {engine.__version__}." in guest.get("/about").text


def test_readyz_wants_a_worker_that_was_seen_lately(app: Flask, guest: Visitor, clock: SetClock) -> None:
    response = guest.get("/readyz")
    assert (response.status_code, response.json) == (503, WELL | {"worker": False})
    with app.app_context():
        workers.report("ada", clock())
    assert guest.get("/readyz").status_code == 200
    clock.advance(seconds=31)
    assert guest.get("/readyz").status_code == 503
    with app.app_context():
        workers.report("ada", clock())
    assert guest.get("/readyz").json == WELL


def test_readyz_wants_the_schema_of_this_version(app: Flask, guest: Visitor) -> None:
    def set_to(revision: str) -> None:
        with app.app_context(), writing():
            db.session.execute(sa.text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
            db.session.commit()

    newest = schema.revisions()[-1]
    set_to("0055")
    try:
        assert guest.get("/readyz").json["schema"] is False
    finally:
        set_to(newest)
    assert guest.get("/readyz").json["schema"] is True


def test_readyz_tells_the_last_backup(app: Flask, guest: Visitor, clock: SetClock, tmp_path: Path) -> None:
    done = app.test_cli_runner().invoke(args=["backup", "--into", str(tmp_path)])
    assert done.exit_code == 0, done.output
    clock.advance(hours=2)
    assert guest.get("/readyz").json["backup"]["age_seconds"] == 7200
    figures = guest.get("/metrics").text
    assert "ninefold_backup_age_seconds 7200.0" in figures
    assert re.search(r"^ninefold_backup_bytes [1-9]", figures, re.MULTILINE)


def test_readyz_reports_little_space_on_the_disk_and_stays_ready(
    app: Flask, guest: Visitor, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        workers.report("ada", clock())
    monkeypatch.setattr(health, "LEAST_DISK", 2**62)
    response = guest.get("/readyz")
    assert (response.status_code, response.json["disk"]) == (200, False)
