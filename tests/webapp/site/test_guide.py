"""The pages to read, and the page for an address that leads nowhere."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

import engine
from engine.geometry import HOUSES
from tests.webapp.conftest import solution_of
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition import ranking
from webapp.competition.races import races
from webapp.game import tour
from webapp.identity import limits, players, sessions
from webapp.learn.rush import rush
from webapp.models.daily import WINDOW
from webapp.people import recovery
from webapp.site import guide
from webapp.web import security

PAGES = {
    "/how-to-play": "How to play",
    "/help": "Help",
    "/about": "About Ninefold",
    "/rules": "Rules of ranked play",
    "/privacy": "Privacy",
}


@pytest.mark.parametrize(("path", "title"), PAGES.items())
def test_it_works(guest: Visitor, path: str, title: str) -> None:
    assert guest.get(path).status_code == 200
    assert guest.page.h1.text == title


@pytest.mark.parametrize("path", PAGES)
def test_every_foot_links_it(guest: Visitor, path: str) -> None:
    guest.get("/")
    assert guest.page.select(f"footer a[href='{path}']")


@pytest.mark.parametrize("path", PAGES)
def test_it_takes_no_forms(guest: Visitor, path: str) -> None:
    assert guest.post(path).status_code == 405


def test_reading_makes_no_player(guest: Visitor) -> None:
    for path in PAGES:
        guest.get(path)
        assert guest.page.html["data-player"] == ""


def test_the_pictures_write_only_right_digits_and_note_the_right_one() -> None:
    assert engine.verdict(engine.parse(tour.GIVENS)) == engine.Verdict.UNIQUE
    solution = solution_of(tour.GIVENS)
    for picture in guide.pictures():
        for cell in picture.cells:
            right = int(solution[cell.cell])
            assert cell.digit in (0, right), cell
            assert not cell.corner or right in cell.corner, cell


def test_the_place_of_the_second_picture_is_the_only_one_in_its_box() -> None:
    grid = engine.parse(tour.GIVENS)
    open_cells = [cell for cell in HOUSES[guide.FIRST_BOX] if not grid[cell]]
    position = engine.Position.from_grid(grid)
    assert [cell for cell in open_cells if 3 in position.candidates(cell)] == [tour.ONE]


def test_a_picture_is_one_image_with_words(guest: Visitor) -> None:
    guest.get("/how-to-play")
    images = guest.page.select("[role=img]")
    assert len(images) == 4
    assert all(image["aria-label"] and image.find(class_="board")["aria-hidden"] for image in images)


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
        f"average of your last {ranking.MOST_SCORED} solves. You need at least {ranking.FEWEST_SCORED}"
        in text
    )
    assert f"you get {ranking.ALONE:.0f}" in text


def test_privacy_has_the_times_that_are_acted_on(guest: Visitor) -> None:
    guest.get("/privacy")
    said = {int(days) for days in re.findall(r"(\d+) days", guest.page.main.text)}
    kept = (races.KEPT, rush.KEPT, players.UNUSED, sessions.IDLE, sessions.LONGEST, security.SESSION_LIFETIME)
    assert said == {time // timedelta(days=1) for time in kept}
    assert f"up to {limits.LONGEST // timedelta(hours=1)} hours" in guest.page.main.text
    for kept_too in ("join a league", "replays", "Puzzle rush"):
        assert kept_too in guest.page.main.text


def test_privacy_speaks_of_mail_only_where_it_can_be_sent(
    app: Flask, guest: Visitor, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"for {recovery.LIFETIME // timedelta(minutes=1)} minutes"
    assert words not in guest.get("/privacy").text
    settings = replace(app.extensions["settings"], mail_url="smtp://localhost/?from=a@example.org")
    monkeypatch.setitem(app.extensions, "settings", settings)
    clock.time += timedelta(seconds=1)  # for which a page is kept
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
