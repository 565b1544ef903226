"""Notices: published at the desk and by programs, shown on the home page until a day."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.desk import Curator, entries
from tests.webapp.visitors import SetClock, Visitor

NOTICES = "/admin/notices"
TEXT = "No dailies tonight: we’re moving."


def shown(visitor: Visitor) -> list[str]:
    assert visitor.get("/").status_code == 200
    return [notice.text for notice in visitor.page.select(".notices__one")]


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator, guest: Visitor, ada: Visitor, clock: SetClock) -> None:
    """Everybody sees a notice until the end of its last day."""
    assert cora.get(NOTICES).status_code == 200
    answer = cora.post(NOTICES, {"text": TEXT, "until": "2026-03-02"})
    assert answer.status_code == 303
    cora.get(answer.location)
    assert "Players see it on the home page now." in cora.page.select_one(".toast").text
    ada.start(level=1)
    assert shown(guest) == shown(ada) == [TEXT]
    clock.advance(days=1)
    assert shown(guest) == [TEXT]
    clock.advance(days=1)
    assert shown(guest) == shown(ada) == []
    (entry,) = entries(app, "notice")
    assert (entry.action, entry.curator_name) == ("publish", "Cora")


def test_a_notice_is_ended(app: Flask, cora: Curator, guest: Visitor) -> None:
    assert cora.post(NOTICES, {"text": TEXT, "until": "2026-03-02"}).status_code == 303
    cora.get(NOTICES)
    end = cora.page.select_one("form[action$='/end']")["action"]
    assert cora.post(end).status_code == 303
    assert cora.post(end).status_code == 404
    assert shown(guest) == []
    cora.get("/admin/audit")
    assert f"Ended the notice “{TEXT}”." in cora.page.text
    assert [entry.action for entry in entries(app, "notice")] == ["publish", "end"]


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "", "until": "2026-03-02"},
        {"text": "x" * 501, "until": "2026-03-02"},
        {"text": TEXT, "until": "2026-02-28"},
        {"text": TEXT, "until": "2028-01-01"},
        {"text": TEXT, "until": "soon"},
    ],
)
def test_bad_input_publishes_nothing(cora: Curator, guest: Visitor, fields: dict[str, str]) -> None:
    assert cora.post(NOTICES, fields).status_code == 422
    assert cora.page.select(".field__wrong")
    assert shown(guest) == []
