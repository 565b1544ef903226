"""Reports: players say what is wrong with a puzzle; curators read them beside it, and close them."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_leaderboard import play
from tests.webapp.curation.test_calendar import new
from tests.webapp.desk import Curator, entries
from tests.webapp.solves import add_daily
from tests.webapp.visitors import SetClock, Visitor
from webapp.curation.messages import reports
from webapp.models import PuzzleReport, Status
from webapp.process.database import db

TEXT = "It has two solutions."


def stored_texts(app: Flask) -> list[str]:
    with app.app_context():
        return list(db.session.scalars(sa.select(PuzzleReport.text).order_by(PuzzleReport.id)))


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator, ada: Visitor) -> None:
    number = new(app)
    ada.get(f"/puzzles/{number}")
    address = ada.page.find("a", string="Report this puzzle")["href"]
    assert ada.get(address).status_code == 200
    answer = ada.post(address, {"text": TEXT})
    assert answer.status_code == 303
    ada.get(answer.location)
    assert "A curator will read it." in ada.page.find(role="status").text
    cora.get("/admin/reports")
    assert TEXT in cora.page.select_one(".comments").text
    cora.get(f"/admin/puzzles/{number}")
    beside = cora.page.find(id="reports")
    assert TEXT in beside.text and "Ada" in beside.text
    closing = cora.page.select_one("#reports form")["action"]
    assert cora.post(closing, {"back": "puzzle"}).location.endswith(f"/admin/puzzles/{number}#reports")
    assert cora.post(closing).status_code == 409
    cora.get("/admin/reports")
    assert cora.page.select_one(".comments") is None
    (entry,) = entries(app, "puzzle")
    assert (entry.action, entry.curator_name) == ("close", "Cora")
    cora.get("/admin/audit")
    assert f"Closed a report of #{number}." in cora.page.text


def test_the_finish_of_a_daily_leads_to_the_form(app: Flask, ada: Visitor, clock: SetClock) -> None:
    with app.app_context():
        add_daily()
    ada.get(play(ada, clock))
    address = ada.page.find(id="finish-panel").find("a", string="Report this puzzle")["href"]
    assert ada.post(address, {"text": TEXT}).status_code == 303
    assert stored_texts(app) == [TEXT]


def test_a_player_has_one_open_report_of_a_puzzle(app: Flask, ada: Visitor, guest: Visitor) -> None:
    number = new(app)
    for visitor, text in ((ada, "First."), (ada, "Second."), (guest, "Third.")):
        assert visitor.post(f"/puzzles/{number}/report", {"text": text}).status_code == 303
    assert stored_texts(app) == ["Second.", "Third."]


@pytest.mark.parametrize("text", ["", "x" * 1001, "\u202e"])
def test_bad_input_stores_nothing(app: Flask, ada: Visitor, text: str) -> None:
    assert ada.post(f"/puzzles/{new(app)}/report", {"text": text}).status_code == 422
    assert stored_texts(app) == []


@pytest.mark.parametrize("status", [Status.CANDIDATE, Status.REJECTED, Status.ENTERED])
def test_only_a_puzzle_that_was_out_is_reported(app: Flask, ada: Visitor, status: Status) -> None:
    number = new(app, status=status)
    assert ada.get(f"/puzzles/{number}/report").status_code == 404
    assert ada.post(f"/puzzles/{number}/report", {"text": TEXT}).status_code == 404


def test_reports_from_a_network_are_limited(app: Flask, guest: Visitor) -> None:
    address = f"/puzzles/{new(app)}/report"
    capacity = reports.SENT.capacity * app.extensions["settings"].crowd
    sent = [guest.post(address, {"text": TEXT}).status_code for _ in range(capacity + 1)]
    assert sent == [303] * capacity + [429]
