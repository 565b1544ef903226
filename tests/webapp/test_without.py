"""The site without its optional capabilities has no link, address or read of their tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import open_the_desk, solution_of
from tests.webapp.desk import Curator
from tests.webapp.statements import noted
from tests.webapp.stocked import opened
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.capability import PACKAGES, capabilities_of, load
from webapp.process.database import db

LINK = re.compile(r'(?:href|hx-get)="(/(?!static/)[^"#]*)"')
ONE_OF_MANY = re.compile(r"[?].*|\d[\w-]*|(?<=/learn/)\w+|(?<=/players/)\w+")
STARTS = (
    "/",
    "/attempts",
    "/learn",
    "/leaderboard",
    "/daily",
    "/enter",
    "/account",
    "/admin/",
    "/admin/settings",
)
OPTIONAL = sorted({entry.key for entry in load(PACKAGES) if entry.optional})


@contextmanager
def without(app: Flask, clock: SetClock, *keys: str) -> Iterator[Flask]:
    """The same site with these capabilities off."""
    settings = replace(app.extensions["settings"], without=keys)
    with opened(settings, clock=clock) as smaller:
        yield smaller


def engine_of(app: Flask) -> sa.Engine:
    with app.app_context():
        return db.engine


def walked(visitor: Visitor) -> dict[str, int]:
    """Return the status of every kind of linked page."""
    found: dict[str, int] = {}
    waiting = list(STARTS)
    while waiting:
        address = waiting.pop(0)
        kind = ONE_OF_MANY.sub("…", address)
        if kind not in found:
            answer = visitor.get(address)
            found[kind] = answer.status_code
            if answer.mimetype == "text/html":
                waiting += [link.replace("&amp;", "&") for link in LINK.findall(answer.text)]
            elif answer.status_code == 303:
                waiting.append(answer.location)
    return found


def play_a_daily(visitor: Visitor) -> str:
    """Solve today's Easy without help. Returns the leaderboard."""
    attempt = visitor.start(daily="2026-03-01", level=2, ranked=1)
    visitor.get(attempt)
    moves = solving_moves(visitor.givens, solution_of(visitor.givens))
    assert visitor.move(attempt, 1, *moves).status_code == 200
    return visitor.get("/leaderboard?date=2026-03-01&level=2").text


@pytest.mark.parametrize("off", [*([key] for key in OPTIONAL), OPTIONAL], ids=[*OPTIONAL, "all"])
def test_nothing_of_what_is_off_is_left(day: Flask, clock: SetClock, off: list[str]) -> None:
    with without(day, clock, *off) as app, noted(engine_of(app)) as sent:
        curator = Curator(app, clock=clock)
        open_the_desk(curator)
        curator.start(level=1)
        assert "Cora" in play_a_daily(curator)
        pages = walked(curator)
        assert {page: status for page, status in pages.items() if status >= 400} == {}
        assert len(pages) > 40
        rules = {rule.endpoint: rule for rule in app.url_map.iter_rules()}
        gone = [rule for rule in day.url_map.iter_rules() if rule.endpoint not in rules]
        assert gone
        for rule in gone:
            address = re.sub(r"<[^>]*>", "1", rule.rule)
            assert curator.get(address).status_code == 404, address
    tables = {
        records.model.__table__.name
        for entry in capabilities_of(day)
        if entry.key in off
        for records in entry.records
    }
    words = {word for statement, _values in sent for word in re.findall(r"\w+", statement)}
    assert tables & words == set()


@pytest.mark.usefixtures("day")
def test_a_guest_walks_the_whole_site(guest: Visitor) -> None:
    guest.start(level=1)
    pages = walked(guest)
    assert {page: status for page, status in pages.items() if status >= 400} == {
        "/admin/": 403,
        "/admin/settings": 403,
    }
