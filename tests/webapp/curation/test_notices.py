"""News of the desk by mail: only subscribed kinds, within the role, each item once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from tests.webapp.curation.test_api_desk import candidate
from tests.webapp.curation.test_drafts import draft
from tests.webapp.curation.test_planning import MONDAY, in_stock
from tests.webapp.curation.test_team import of_role
from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock
from webapp.curation.team.own import notices
from webapp.curation.team.own.news_mail import news_of
from webapp.curation.team.own.notices import Kind, News
from webapp.models import Player, Role, Submission
from webapp.process.database import db, write_tx

ALL = {"kind": list(map(str, Kind))}


@pytest.fixture(autouse=True)
def mails(app: Flask) -> Iterator[None]:
    """Mail is enabled, without a server; two people release a daily."""
    before = app.extensions["settings"]
    url = "smtp://127.0.0.1:1/?from=site@example.org"
    app.extensions["settings"] = replace(before, mail_url=url, two_person=True)
    yield
    app.extensions["settings"] = before


@pytest.fixture
def robin(app: Flask, clock: SetClock) -> Curator:
    """A reviewer who subscribes to everything, and has been notified of the days ahead."""
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    with app.app_context(), write_tx():
        db.session.query(Player).filter_by(name="Robin").one().email = "robin@example.org"
    assert robin.post("/admin/settings/mail", ALL).status_code == 303
    return robin


def due(app: Flask, later: timedelta = timedelta()) -> list[News]:
    with app.app_context():
        return list(notices.due(SetClock.time + later, two_person=True))


def submit(app: Flask, clock: SetClock) -> None:
    number = candidate(app)
    with app.app_context(), write_tx():
        player = db.session.query(Player).filter_by(name="Ada").one()
        db.session.add(Submission(player_id=player.id, puzzle_id=number, created_at=clock.time))


@pytest.mark.both_databases
@pytest.mark.usefixtures("ada")
def test_it_works(app: Flask, cora: Curator, robin: Curator, clock: SetClock) -> None:
    """A comment on a decided puzzle, and a submission; reported once."""
    number = candidate(app)
    (other,) = in_stock(app)
    clock.advance(seconds=1)
    decision = {"action": "approve", "puzzle": f"{number}:0"}
    assert robin.post("/admin/decisions", decision).status_code in (200, 303)
    for each in (number, other):
        cora.post(f"/admin/puzzles/{each}/comments", {"text": "For Sunday?"})
    submit(app, clock)
    (news,) = due(app, timedelta(minutes=5))
    assert (news.to, news.commented, news.submissions) == ("robin@example.org", [number], 1)
    assert due(app, timedelta(minutes=10)) == []


def test_ones_own_comment_is_no_news(app: Flask, robin: Curator, clock: SetClock) -> None:
    (number,) = in_stock(app)
    clock.advance(seconds=1)
    robin.post(f"/admin/puzzles/{number}/comments", {"text": "Hm"})
    assert due(app, timedelta(minutes=5)) == []


@pytest.mark.usefixtures("robin")
def test_an_editor_is_notified_of_drafts_and_gaps_once_a_day(
    app: Flask, cora: Curator, clock: SetClock
) -> None:
    with app.app_context(), write_tx():
        db.session.query(Player).filter_by(name="Robin").one().role = Role.EDITOR
    (number,) = in_stock(app)
    clock.advance(seconds=1)
    assert draft(cora, MONDAY, number) == 303
    (news,) = due(app, timedelta(minutes=5))
    assert (news.drafts, list(news.gaps)) == (1, [])
    (news,) = due(app, timedelta(days=1))
    assert (news.drafts, len(news.gaps)) == (0, notices.SOON.days)
    assert due(app, timedelta(days=1, minutes=5)) == []
    with app.app_context():
        mail = news_of(news)
    assert "Dailies are missing soon" in mail.text
    assert "/admin/settings" in mail.text


@pytest.mark.usefixtures("robin")
def test_a_reviewer_hears_nothing_of_the_calendar(app: Flask) -> None:
    assert due(app, timedelta(days=1)) == []


@pytest.mark.usefixtures("robin", "ada")
def test_who_is_no_curator_any_more_gets_no_mail(app: Flask, clock: SetClock) -> None:
    clock.advance(seconds=1)
    submit(app, clock)
    with app.app_context(), write_tx():
        db.session.query(Player).filter_by(name="Robin").one().role = None
    assert due(app, timedelta(minutes=5)) == []


def test_without_an_address_there_is_none(cora: Curator) -> None:
    assert cora.post("/admin/settings/mail", ALL).status_code == 422
    assert cora.page.find(id="wrong-kind") is not None
    assert cora.post("/admin/settings/mail", {"kind": "gossip"}).status_code == 422


def test_it_is_off_where_no_mail_is_sent(app: Flask, cora: Curator) -> None:
    app.extensions["settings"] = replace(app.extensions["settings"], mail_url=None)
    cora.get("/admin/settings")
    assert cora.page.find("input", {"name": "kind"}) is None


def test_what_is_chosen_is_shown(robin: Curator) -> None:
    robin.get("/admin/settings?done=mail")
    ticked = [
        each["value"] for each in robin.page.find_all("input", {"name": "kind"}) if each.has_attr("checked")
    ]
    assert ticked == ["comment", "submission"]
    assert robin.post("/admin/settings/mail").status_code == 303
    robin.get("/admin/settings")
    assert robin.page.find("input", {"name": "kind", "checked": True}) is None
