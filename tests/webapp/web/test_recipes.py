"""The recipes of CONTRIBUTING for the site, each followed with a toy: no other module has to change."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.messages import source
from tests.webapp.conftest import take_a_name
from tests.webapp.stocked import opened
from tests.webapp.visitors import SetClock, Visitor
from webapp import create_app
from webapp.capability import PACKAGES, capabilities_of
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.web import assets, i18n
from webapp.web.auth import way_back
from webapp.web.i18n import catalogs, messages
from webapp.web.preferences import PREFERENCES, Preference, choice


@pytest.fixture
def toy() -> Iterator[Preference]:
    """A preference with one row in the table, for one test."""
    cursor = Preference("cursor", "Cursor", (("", "Pen"), ("cat", "Cat")))
    PREFERENCES.append(cursor)
    yield cursor
    PREFERENCES.remove(cursor)


@pytest.mark.usefixtures("toy")
def test_a_preference_is_one_row(guest: Visitor, app: Flask) -> None:
    guest.get("/")
    drawn = guest.page.select("#settings-panel input[name=cursor]")
    assert [option["value"] for option in drawn] == ["", "cat"]
    with app.test_request_context(headers={"Cookie": "ui=theme-dark.cursor-cat"}):
        assert choice("cursor") == "cat"


@pytest.mark.xdist_group("catalogs")  # their messages are read once
def test_a_language_is_one_folder(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started from the source, offered once it is translated, and later changes are noticed."""
    monkeypatch.setattr(messages, "collected", source)
    messages.start("eo", tmp_path)
    file = tmp_path / "eo" / catalogs.FILE
    monkeypatch.setattr(i18n, "CATALOGS", tmp_path)
    assert create_app(settings).extensions["languages"] == ["en"]

    catalog = catalogs.catalog(tmp_path, "eo")
    for message in catalog:
        if message.id:
            message.string = message.id
    catalog["Evil"].string = "Diabla"
    file.write_text(messages.text_of(catalog), encoding="utf-8")
    app = create_app(settings)
    with app.test_request_context(headers={"Accept-Language": "eo, en;q=0.5"}):
        assert (i18n.locale(), i18n.level_name(5)) == ("eo", "Diabla")
    with app.test_request_context(headers={"Accept-Language": "fr"}):
        assert (i18n.locale(), i18n.level_name(5)) == ("en", "Evil")

    catalog.delete("Evil")
    catalog.add("Evill", "Diabla")
    catalog.add("Gone from the source", "Foririnta")
    changed = messages.updated(catalog, source())
    file.write_text(messages.text_of(changed), encoding="utf-8")
    state = catalogs.completeness("eo", catalogs.catalog(tmp_path, "eo"))
    assert not state.complete
    assert "Foririnta" not in file.read_text()
    assert create_app(settings).extensions["languages"] == ["en"]


@pytest.mark.parametrize("code", ["xx", "not a code", "", "../de", "de"])
def test_no_catalog_is_started_for_what_is_no_language_or_has_one(tmp_path: Path, code: str) -> None:
    (tmp_path / "de" / catalogs.FILE).parent.mkdir(parents=True)
    (tmp_path / "de" / catalogs.FILE).touch()
    with pytest.raises(SystemExit, match=r"write fr, pt_BR|brings it up"):
        messages.start(code, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["de"]


def test_a_capability_is_one_folder_and_one_line(
    day: Flask, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a page, a panel, a table, a job and a style sheet; the line is its package's in PACKAGES."""
    static = shutil.copytree(assets.STATIC, tmp_path / "static")
    (static / "css/toy").mkdir()
    (static / "css/toy/applause.css").write_text(".applause { color: red }")
    (static / "css/applause.txt").write_text("toy/applause.css\n")
    monkeypatch.setattr(assets, "STATIC", static)
    packages = (*PACKAGES, "tests.webapp.toy")
    with opened(day.extensions["settings"], clock=clock, packages=packages) as app:
        ada = Visitor(app)
        take_a_name(ada)
        attempt = ada.start(level=1)
        ada.finish(attempt)
        assert ada.get("/applause").text == "1 started, 1 solved"
        ada.get("/")
        assert ada.page.find("a", href="/applause").text == "Applause"
        assert ada.page.select_one(".applause").text == "1 solved"
        assert '"applause": [{"started": 1, "solved": 1}]' in ada.get("/account/export").text
        (clap,) = [job for entry in capabilities_of(app) for job in entry.jobs if job.name == "clap"]
        with app.app_context():
            table = db.metadata.tables["clap"]
            table.create(db.engine)
            try:
                assert clap.work(clock()) == 1
                assert db.session.scalar(sa.select(table)) == clock()
            finally:
                db.session.rollback()
                table.drop(db.engine)
                db.metadata.remove(table)
        with ada.get(app.extensions["assets"].url("applause.css")) as sheet:
            assert sheet.text == ".applause{color:red}\n"
        with app.test_request_context():
            assert way_back("/applause") == "/applause"
