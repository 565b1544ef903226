"""Drafts of dailies: released together, and with two-person release by another curator."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_schedule import scheduled
from tests.webapp.curation.test_planning import MONDAY, in_stock, in_the_bank, standing
from tests.webapp.desk import Curator, log
from tests.webapp.visitors import SetClock, Visitor
from webapp.curation.calendar import drafts
from webapp.models import DailyDraft, Puzzle, Status
from webapp.process.database import db, write_tx

TUESDAY = MONDAY + timedelta(days=1)


def draft(curator: Curator, day: object, number: int, instead: int | str = "", **more: str) -> int:
    """Schedule a puzzle as a draft. Returns the status."""
    fields = {"date": str(day), "level": "3", "puzzle": str(number), "instead": str(instead), **more}
    return curator.post("/admin/calendar", fields).status_code


def drafted(app: Flask) -> list[int]:
    with app.app_context():
        return list(db.session.scalars(sa.select(DailyDraft.puzzle_id).order_by(DailyDraft.date)))


def release(curator: Curator) -> int:
    """Press the calendar's release button. Returns the status."""
    curator.get(f"/admin/calendar?month={MONDAY:%Y-%m}")
    form = curator.page.find(id="calendar-release")
    keys = [field["value"] for field in form.find_all("input", {"name": "draft"})]
    return curator.post("/admin/calendar/releases", {"draft": keys}).status_code


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator) -> None:
    """Drafts leave the calendar as it is until they are released, all at once."""
    with app.app_context():
        one, two, old = in_the_bank([5, 6, 7])
        scheduled(MONDAY, 3, db.session.get_one(Puzzle, old))
    assert cora.post("/admin/calendar/mode", {"drafting": "1"}).status_code == 303
    assert draft(cora, MONDAY, one, old) == draft(cora, TUESDAY, two) == 303
    assert standing(app) == {MONDAY: old}
    cora.get(f"/admin/calendar?date={MONDAY}&level=3")
    assert f"#{one}" in cora.page.find(id="calendar-draft").text
    assert release(cora) == 303
    assert standing(app) == {MONDAY: one, TUESDAY: two}
    assert drafted(app) == []
    with app.app_context():
        assert db.session.get_one(Puzzle, old).status == Status.APPROVED
        assert db.session.get_one(Puzzle, one).offered
    actions = [action for _who, action, _number in log(app)]
    assert actions == ["draft", "draft", "unschedule", "schedule", "schedule"]
    cora.get("/admin/audit")
    assert f"Drafted #{one} for" in cora.page.text


def test_no_player_gets_what_is_drafted(app: Flask, cora: Curator, guest: Visitor) -> None:
    (one,) = in_stock(app)
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    draft(cora, MONDAY, one)
    with app.app_context():
        assert not db.session.get_one(Puzzle, one).offered
    fields = {"date": str(MONDAY), "level": "3", "drafted": str(one)}
    assert cora.post("/admin/calendar/drafts/removals", fields).status_code == 303
    assert cora.post("/admin/calendar/drafts/removals", fields).status_code == 409
    with app.app_context():
        assert db.session.get_one(Puzzle, one).offered
    assert guest.post("/admin/calendar/releases").status_code == 403


def test_if_one_draft_cannot_go_live_none_does(app: Flask, cora: Curator) -> None:
    one, two = in_stock(app, 2)
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    draft(cora, MONDAY, one)
    draft(cora, TUESDAY, two)
    with app.app_context(), write_tx():
        db.session.get_one(Puzzle, two).shown_at = SetClock.time
    assert release(cora) == 422
    assert "already seen" in cora.page.find(id="calendar-told").text
    assert standing(app) == {}
    assert drafted(app) == [one, two]


def test_a_draft_changed_meanwhile_is_not_released_unseen(app: Flask, cora: Curator) -> None:
    one, two = in_stock(app, 2)
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    draft(cora, MONDAY, one)
    draft(cora, MONDAY, two, one)
    assert cora.post("/admin/calendar/releases", {"draft": f"{MONDAY}:3:{one}"}).status_code == 409
    assert drafted(app) == [two]


def test_a_draft_replaces_only_what_its_curator_saw(app: Flask, cora: Curator) -> None:
    """The pages send the version they show: the draft there, else the daily."""
    with app.app_context():
        old, one, two = in_the_bank([5, 6, 7])
        scheduled(MONDAY, 3, db.session.get_one(Puzzle, old))
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    page = f"/admin/calendar?date={MONDAY}&level=3"
    assert draft(cora, MONDAY, one) == 409
    assert f"It’s now #{old}." in cora.page.find(id="calendar-told").text
    assert shown_there(cora, page) == str(old)
    assert draft(cora, MONDAY, one, old) == 303
    assert draft(cora, MONDAY, two, old) == 409
    assert "The draft for" in cora.page.find(id="calendar-told").text
    assert drafted(app) == [one]
    assert shown_there(cora, page) == str(one)
    assert draft(cora, MONDAY, two, one) == 303
    assert drafted(app) == [two]
    cora.post("/admin/calendar/mode", {"drafting": "0"})
    assert shown_there(cora, page) == str(old)


def shown_there(curator: Curator, page: str) -> str:
    """Return the puzzle that the forms of a slot would replace, all of them the same."""
    curator.get(page)
    forms = curator.page.find(id="calendar-slot").find_all("form", action="/admin/calendar")
    (shown,) = {form.find("input", {"name": "instead"})["value"] for form in forms}
    return str(shown)


def test_a_draft_that_needs_confirmation_asks_for_it(app: Flask, cora: Curator) -> None:
    with app.app_context():
        before, between, one = in_the_bank([5, 6, 7])
        with write_tx():
            for number in (before, between, one):
                db.session.get_one(Puzzle, number).hardest = "x_wing"
        scheduled(MONDAY, 3, db.session.get_one(Puzzle, before))
        scheduled(TUESDAY, 3, db.session.get_one(Puzzle, between))
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    wednesday = TUESDAY + timedelta(days=1)
    assert draft(cora, wednesday, one) == 422
    assert "three days in a row" in cora.page.find(id="calendar-told").text
    assert cora.page.find(id="calendar-sure") is not None
    assert drafted(app) == []
    assert draft(cora, wednesday, one, sure="1") == 303


@pytest.mark.parametrize("sent", [{}, {"draft": "x"}, {"draft": f"{MONDAY}:3"}, {"draft": f"{MONDAY}:x:1"}])
def test_a_release_of_nothing_is_refused(cora: Curator, sent: dict[str, str]) -> None:
    assert cora.post("/admin/calendar/releases", sent).status_code == 422


def test_a_drafted_puzzle_is_drafted_once_and_not_scheduled(app: Flask, cora: Curator) -> None:
    (one,) = in_stock(app)
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    assert (draft(cora, MONDAY, one), draft(cora, TUESDAY, one)) == (303, 422)
    cora.post("/admin/calendar/mode", {"drafting": "0"})
    assert draft(cora, TUESDAY, one) == 422
    assert "is drafted for" in cora.page.find(id="calendar-told").text


def test_a_draft_whose_day_has_come_is_dropped(app: Flask, cora: Curator) -> None:
    (one,) = in_stock(app)
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    draft(cora, MONDAY, one)
    with app.app_context():
        assert drafts.expire(SetClock.time) == 0
        assert drafts.expire(SetClock.time + timedelta(days=22)) == 1
        assert db.session.get_one(Puzzle, one).offered


@pytest.mark.both_databases
def test_a_draft_that_is_dropped_meanwhile_is_not_dropped_again(app: Flask, cora: Curator) -> None:
    """Its curator drops it just after the worker has seen it."""
    (one,) = in_stock(app)
    cora.post("/admin/calendar/mode", {"drafting": "1"})
    draft(cora, MONDAY, one)
    fields = {"date": str(MONDAY), "level": "3", "drafted": str(one)}
    statuses: list[int] = []

    def drop_it(*_of_the_statement: object) -> None:
        if not statuses:
            statuses.append(0)
            dropping = Thread(target=lambda: statuses.append(undraft(cora, fields)))
            dropping.start()
            dropping.join()

    with app.app_context():
        sa.event.listen(db.engine, "after_cursor_execute", drop_it)
        try:
            assert drafts.expire(SetClock.time + timedelta(days=22)) == 0
        finally:
            sa.event.remove(db.engine, "after_cursor_execute", drop_it)
        assert statuses == [0, 303]
        assert db.session.get_one(Puzzle, one).offered
    assert [action for _who, action, _number in log(app)] == ["draft", "undraft"]


def undraft(curator: Curator, fields: dict[str, str]) -> int:
    return curator.post("/admin/calendar/drafts/removals", fields).status_code
