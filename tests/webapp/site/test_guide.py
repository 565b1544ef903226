"""The static pages, and the page for unknown addresses."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.conftest import solution_of
from tests.webapp.statements import change
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition import points
from webapp.competition.races import races
from webapp.game import tour
from webapp.identity import limits, players, sessions
from webapp.models import Player, Role
from webapp.models.daily import WINDOW
from webapp.people import recovery
from webapp.web import security

PAGES = {
    "/help": "Help",
    "/about": "About Ninefold",
    "/rules": "Rules of ranked play",
    "/privacy": "Privacy",
}


@pytest.mark.parametrize(("path", "title"), PAGES.items())
def test_it_works(guest: Visitor, path: str, title: str) -> None:
    assert guest.get(path).status_code == 200
    assert guest.page.h1.text == title


def test_every_foot_leads_to_them(guest: Visitor) -> None:
    """That of the guided board has only what helps there."""
    guest.get("/")
    assert [link["href"] for link in guest.page.select("footer a")] == ["/help"]
    guest.get("/learn")
    assert [link["href"] for link in guest.page.select("footer a")] == ["/help", "/about"]
    guest.get("/about")
    links = {link["href"] for link in guest.page.select("main a")}
    assert {"/rules", "/privacy", "/lab/make", "/analysis"} <= links


def test_reading_makes_no_player(guest: Visitor) -> None:
    for path in PAGES:
        guest.get(path)
        assert guest.page.html["data-player"] == ""


def test_each_step_of_the_guide_names_the_only_digit_that_its_house_lacks() -> None:
    grid = engine.parse(tour.GIVENS)
    assert engine.rate(grid).level == 1
    solution = solution_of(tour.GIVENS)
    for step in tour.STEPS:
        assert [cell for cell in step.cells if not grid[cell]] == [step.cell]
        assert solution[step.cell] == str(step.digit)


def test_help_holds_every_key_of_the_boards_sheet(guest: Visitor) -> None:
    guest.get(guest.start(level=1))
    sheet = [key.text for key in guest.page.select("#help .help__key")]
    guest.get("/help")
    assert [key.text for key in guest.page.select(".help__key")] == sheet
    assert not guest.page.select("dialog#help")


def test_the_rules_have_the_figures_that_are_acted_on(guest: Visitor) -> None:
    text = " ".join(guest.get("/rules").text.split())
    assert f"within {WINDOW // timedelta(hours=1)} hours" in text
    assert (
        f"average of your last {points.MOST_SCORED} solves. You need at least {points.FEWEST_SCORED}" in text
    )
    assert f"first place earns {points.BEST} points" in text


@pytest.mark.both_databases
@pytest.mark.parametrize("role", [None, *Role])
@pytest.mark.usefixtures("ada")
def test_the_rules_promise_a_check_where_somebody_could_do_it(
    app: Flask, guest: Visitor, role: Role | None
) -> None:
    change(app, sa.update(Player).values(role=role))
    text = " ".join(guest.get("/rules").text.split())
    checked = role in (Role.ADMINISTRATOR, Role.MODERATOR)
    assert ("A person looks at the first three" in text) == checked
    assert ("This site has no moderator yet." in text) != checked


def test_privacy_has_the_times_that_are_acted_on(guest: Visitor) -> None:
    guest.get("/privacy")
    said = {int(days) for days in re.findall(r"(\d+) days", guest.page.main.text)}
    kept = (races.KEPT, players.UNUSED, sessions.IDLE, sessions.LONGEST, security.SESSION_LIFETIME)
    assert said == {time // timedelta(days=1) for time in kept}
    assert f"up to {limits.LONGEST // timedelta(hours=1)} hours" in guest.page.main.text
    for kept_too in ("replays",):
        assert kept_too in guest.page.main.text


def test_privacy_speaks_of_mail_only_where_it_can_be_sent(
    app: Flask, guest: Visitor, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"for {recovery.LIFETIME // timedelta(minutes=1)} minutes"
    assert words not in guest.get("/privacy").text
    settings = replace(app.extensions["settings"], mail_url="smtp://localhost/?from=a@example.org")
    monkeypatch.setitem(app.extensions, "settings", settings)
    clock.time += timedelta(seconds=1)  # for which a page is cached
    assert words in guest.get("/privacy").text


@pytest.mark.parametrize("path", ["/nothing-here", "/puzzles/999999", "/daily/2031-01-01", "/players/Nobody"])
def test_a_page_that_is_not_there_leads_on(guest: Visitor, path: str) -> None:
    assert guest.get(path).status_code == 404
    links = {link["href"] for link in guest.page.select("main a")}
    assert {"/", "/daily"} <= links
    assert guest.page.select_one("main form[action='/puzzles'] input[name=find]")


def test_an_address_that_only_takes_forms_leads_on(guest: Visitor) -> None:
    assert guest.get("/logout").status_code == 405
    assert guest.page.select("main a[href='/daily']")
