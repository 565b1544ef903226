"""The desk's page of languages: how complete each is, and what has changed since."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from tests.webapp.desk import Curator
from tests.webapp.visitors import Visitor
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
        ["Español Spanish", "Not offered yet", "0 of 1", "0", "1"],
        ["日本語 Japanese", "Not offered yet", "0 of 1", "1", "0"],
    ]
    assert [" ".join(item.text.split()) for item in cora.page.select("section li")] == [
        "Saved Guardado",
        "Saved",
    ]


def test_it_is_for_curators(ada: Visitor, guest: Visitor) -> None:
    assert (ada.get("/admin/languages").status_code, guest.get("/admin/languages").status_code) == (403, 403)


def test_it_is_only_read(cora: Curator) -> None:
    assert cora.post("/admin/languages").status_code == 405
