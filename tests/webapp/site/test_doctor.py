"""`flask doctor`: a sentence for each thing that is wrong, and none for a site that is well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.processes import web
from tests.webapp.stocked import Originals, at, opened, prepare
from webapp.curation import curators
from webapp.identity import workers
from webapp.models import BackupRecord, Player
from webapp.process.clock import utcnow
from webapp.process.database import db, write_tx, writing
from webapp.site import doctor
from webapp.site.storage import keeping


@pytest.fixture
def well(tmp_path: Path, originals: Originals) -> Iterator[Flask]:
    """A site in which nothing is wrong."""
    instance, folder = tmp_path / "instance", tmp_path / "backups"
    originals.copy(prepare, instance)
    folder.mkdir()
    with opened(at(instance)) as app, app.app_context():
        workers.report("worker-1", utcnow())
        with write_tx():
            row = Player(created_at=utcnow(), name="Grace", name_key="grace", password_hash="x")
            db.session.add(row)
        curators.add("Grace", utcnow(), "administrator")
        keeping.record(keeping.backup_into(at(instance), folder, keeping.parse_rules("1d"), utcnow())[1])
        yield app


def said(app: Flask, **changed: object) -> dict[str, str]:
    """The findings with other settings, by area."""
    found = doctor.examined(replace(app.extensions["settings"], **changed))
    return dict(found)


def test_a_site_that_is_well_gets_one_line(well: Flask) -> None:
    done = well.test_cli_runner().invoke(args=["doctor"])
    assert (done.exit_code, done.output.count("\n")) == (0, 1), done.output
    assert done.output.startswith("Nothing is wrong here: settings, disk, ")


def test_what_is_wrong_with_the_settings_is_said(well: Flask) -> None:
    assert "PUBLIC_URL isn’t set" in said(well, host="0.0.0.0")["settings"]
    found = said(well, public_url="http://sudoku.invalid")
    assert "no https" in found["settings"]
    assert "http://sudoku.invalid doesn’t answer" in found["proxy"]
    assert "MAIL_URL isn’t set" in found["mail"]
    refused = said(well, mail_url="smtp://127.0.0.1:1/?from=a@b.example")
    assert refused["mail"] == "The mail server can’t be used: [Errno 111] Connection refused."
    (well.extensions["settings"].instance_path / "secret_key").chmod(0o644)
    assert "Run chmod 600" in said(well)["settings"]


def test_what_is_wrong_with_the_data_is_said(well: Flask) -> None:
    with write_tx():
        db.session.execute(sa.update(BackupRecord).values(made_at=utcnow() - timedelta(days=2)))
        db.session.execute(sa.update(Player).values(role="editor"))
    with writing():
        db.session.execute(sa.text("DELETE FROM heartbeat"))
        db.session.execute(sa.text("DELETE FROM daily"))
        db.session.commit()
    found = said(well)
    assert "The last backup is of " in found["backups"]
    assert "No worker is running" in found["worker"]
    assert "Only the next 0 days" in found["dailies"]
    assert "There is no administrator" in found["curators"]
    done = well.test_cli_runner().invoke(args=["doctor"])
    assert (done.exit_code, done.output.count("\n")) == (1, 4)


def test_the_public_address_must_lead_to_this_site(well: Flask, tmp_path: Path) -> None:
    with web(tmp_path, well.extensions["settings"].instance_path) as (caller, _process):
        address = f"http://127.0.0.1:{caller.port}"
        assert "proxy" not in said(well, public_url=address)
    assert "doesn’t answer" in said(well, public_url=address)["proxy"]


@pytest.mark.both_databases
def test_the_database_is_asked_for_its_clock(inside: Flask) -> None:
    assert "clock" not in said(inside) and "database" not in said(inside)
