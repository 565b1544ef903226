"""The desk's page of languages: how complete each is, and what has changed since."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from flask import Flask

from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock
from webapp import create_app
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.web import i18n
from webapp.web.i18n import catalogs
from webapp.web.i18n.messages import text_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three catalogs: one complete, one begun, one whose English has changed."""
    for code, text, flags in (("de", "Gespeichert", ()), ("ja", "", ()), ("es", "Guardado", ("fuzzy",))):
        catalog = Catalog(code, fuzzy=False)
        catalog.add("Saved", text, flags=flags)
        file = tmp_path / code / catalogs.FILE
        file.parent.mkdir(parents=True)
        file.write_text(text_of(catalog), encoding="utf-8")
    monkeypatch.setattr(i18n, "CATALOGS", tmp_path)
    return tmp_path


def test_it_works(cora: Curator) -> None:
    assert cora.get("/admin/languages").status_code == 200
    rows = [
        [" ".join(cell.text.split()) for cell in row.select("th, td")] for row in cora.page.select("tbody tr")
    ]
    assert rows == [
        ["Deutsch German", "Offered", "1 of 1", "0", "0"],
        ["Español Spanish", "Not offered yet Preview", "0 of 1", "0", "1"],
        ["日本語 Japanese", "Not offered yet Preview", "0 of 1", "1", "0"],
    ]
    assert [" ".join(item.text.split()) for item in cora.page.select("section li")] == [
        "Saved Guardado",
        "Saved",
    ]


def test_an_incomplete_language_can_be_previewed(
    site: Flask, settings: Settings, clock: SetClock, cora: Curator, folder: Path
) -> None:
    """Messages it lacks are in English. Players can't choose it, and no address leads to it."""
    (folder / "de" / catalogs.FILE).unlink()
    begun = Catalog("de", fuzzy=False)
    begun.add("Learn", "Lernen")
    begun.add("Change", "")
    (folder / "de" / catalogs.FILE).write_text(text_of(begun), encoding="utf-8")
    app = create_app(replace(settings, database_url=site.config["SQLALCHEMY_DATABASE_URI"]), clock=clock)
    cora.client.application = app
    assert app.extensions["languages"] == ["en"]
    assert cora.get("/de/learn").status_code == 404
    assert cora.post("/admin/languages", {"code": "xx"}).status_code == 422
    assert cora.post("/admin/languages", {"code": "de"}).status_code == 303
    page = cora.get("/learn").text
    assert '<html lang="de"' in page
    assert ">Lernen<" in page and ">Change</button>" in page
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
