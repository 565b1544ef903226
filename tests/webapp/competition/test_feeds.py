"""The feeds of the dailies: a calendar and Atom, which show when days open and reveal no puzzle."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from tests.webapp.conftest import EASY
from tests.webapp.solves import add_daily
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.daily import feeds
from webapp.models import Daily
from webapp.process.database import db, write_tx

ATOM = "{http://www.w3.org/2005/Atom}"
TODAY = date(2026, 3, 1)  # by SetClock
FEEDS = ("/daily.ics", "/daily.atom")


@pytest.fixture
def day(app: Flask) -> Flask:
    """Yesterday, today and tomorrow have a daily."""
    with app.app_context():
        for number in (-1, 0, 1):
            add_daily(TODAY + timedelta(days=number))
    return app


def events(visitor: Visitor) -> list[dict[str, str]]:
    """Return the entries of the calendar by property, unfolded."""
    response = visitor.get("/daily.ics")
    assert response.status_code == 200
    assert response.mimetype == "text/calendar"
    text = response.text.replace("\r\n ", "")
    return [
        dict(line.split(":", 1) for line in part.split("\r\n") if line)
        for part in re.findall(r"BEGIN:VEVENT\r\n(.*?)END:VEVENT", text, re.DOTALL)
    ]


def test_it_works(day: Flask) -> None:
    found = {event["DTSTART"]: event for event in events(Visitor(day))}
    assert found["20260301T000000Z"] == {
        "UID": "daily-2026-03-01@localhost",
        "DTSTAMP": "20260301T000000Z",
        "DTSTART": "20260301T000000Z",
        "SUMMARY": "Daily 60",
        "DESCRIPTION": "Easy\\, Medium and Hard. Ranked for 48 hours.",
        "URL": "http://localhost/daily/2026-03-01",
        "TRANSP": "TRANSPARENT",
    }
    assert max(found) == "20260315T000000Z"


def test_the_news_feed_has_the_days_that_have_opened_newest_first(day: Flask) -> None:
    visitor = Visitor(day)
    response = visitor.get("/daily.atom")
    assert (response.status_code, response.mimetype) == (200, "application/atom+xml")
    feed = ElementTree.fromstring(response.data)
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == ["Daily 60", "Daily 59"]
    assert entries[0].findtext(f"{ATOM}summary") == "Easy. Ranked for 48 hours."
    assert entries[0].findtext(f"{ATOM}id") == "http://localhost/daily/2026-03-01"
    assert feed.findtext(f"{ATOM}updated") == "2026-03-01T00:00:00+00:00"


def test_a_feed_before_the_first_daily_is_empty_and_still_one(guest: Visitor) -> None:
    feed = ElementTree.fromstring(guest.get("/daily.atom").data)
    assert feed.findall(f"{ATOM}entry") == []
    assert feed.findtext(f"{ATOM}updated")


@pytest.mark.parametrize("path", FEEDS)
def test_a_feed_holds_no_givens_and_makes_no_player(day: Flask, path: str) -> None:
    text = Visitor(day).get(path).text
    assert not re.search(r"[1-9.]{30}", text)
    assert EASY[:9] not in text
    assert "/puzzles/" not in text


@pytest.mark.parametrize("path", FEEDS)
def test_who_has_a_feed_already_gets_no_more_than_that(day: Flask, path: str, clock: SetClock) -> None:
    visitor = Visitor(day)
    tag = visitor.get(path).headers["ETag"]
    assert visitor.get(path, **{"If-None-Match": tag}).status_code == 304
    clock.advance(hours=10)
    assert visitor.get(path, **{"If-None-Match": tag}).status_code == 304
    clock.advance(hours=10)
    assert visitor.get(path, **{"If-None-Match": tag}).status_code == 200


def test_every_page_names_the_feed(guest: Visitor) -> None:
    guest.get("/")
    assert guest.page.find("link", rel="alternate", type="application/atom+xml")["href"] == "/daily.atom"


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=300))
def test_a_calendar_keeps_any_text_in_lines_of_75_octets(title: str) -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    text = feeds.icalendar(title, [], at)
    lines = text.split("\r\n")
    assert all(len(line.encode()) <= feeds.LINE for line in lines)
    name = re.search(r"X-WR-CALNAME:(.*)", text.replace("\r\n ", ""))
    assert name is not None
    assert re.sub(r"\\(.)", r"\1", name[1].rstrip("\r")) == title


@pytest.mark.both_databases
def test_a_day_that_was_back_filled_is_no_news(day: Flask) -> None:
    with day.app_context():
        at = datetime(2026, 3, 4, tzinfo=UTC)
        missed = add_daily(date(2026, 3, 2), level=3)
        with write_tx():
            daily = db.session.get_one(Daily, missed)
            daily.created_at = daily.frozen_at = at
        days = {opening.date: opening.levels for opening in feeds.released(at)}
        assert days == {date(2026, 2, 28): (2,), TODAY: (2,), date(2026, 3, 2): (2,)}
