"""The recipes of CONTRIBUTING for the site, each followed with a toy: nothing else has to know of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask import Flask

from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.process.config import Settings
from webapp.web import i18n
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


def test_a_language_is_one_folder(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "eo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalog = Catalog(locale="eo")
    catalog.add("Evil", "Diabla")
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, catalog)
    monkeypatch.setattr(i18n, "CATALOGS", tmp_path)
    app = create_app(settings)
    with app.test_request_context(headers={"Accept-Language": "eo, en;q=0.5"}):
        assert (i18n.locale(), i18n.level_name(5)) == ("eo", "Diabla")
    with app.test_request_context(headers={"Accept-Language": "fr"}):
        assert (i18n.locale(), i18n.level_name(5)) == ("en", "Evil")
