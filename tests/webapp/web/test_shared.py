"""Pages shared by all visitors: rendered once, never with one visitor's data for another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from flask import Flask, template_rendered
from jinja2 import Template
from werkzeug.test import Client

from tests.webapp.conftest import EASY
from tests.webapp.visitors import SetClock, Visitor
from webapp.process.database import db, write_tx, writing

TOKEN = re.compile(r"[\w-]{40,}\.[\w-]{6}\.[\w-]{27}")
PAGES = ("/", "/leaderboard", "/archive", "/daily", "/learn", "/rules", "/help", "/about")


@pytest.fixture
def made(app: Flask) -> Iterator[Callable[[], int]]:
    """Count the renderings of the home page since."""
    found: list[str | None] = []

    def note(_sender: Flask, template: Template, **_more: object) -> None:
        found.append(template.name)

    with template_rendered.connected_to(note, app):
        yield lambda: found.count("site/first.html") + found.count("site/home.html")


def anybody(app: Flask) -> Client:
    """A new visitor."""
    return Client(app)


@pytest.mark.parametrize("path", PAGES)
def test_two_visitors_get_the_same_page_but_for_their_tokens(app: Flask, path: str) -> None:
    with writing():  # pages of other tests are not cached
        pass
    pages = [anybody(app).get(path) for _ in range(3)]
    tokens = [set(TOKEN.findall(page.text)) for page in pages]
    assert [len(each) for each in tokens] == [1, 1, 1]
    assert len(set.union(*tokens)) == 3
    assert len({TOKEN.sub("", page.text) for page in pages}) == 1


def test_a_page_is_made_once(app: Flask, made: Callable[[], int]) -> None:
    for _ in range(3):
        assert anybody(app).get("/").status_code == 200
    assert made() == 1


def test_a_kept_page_sets_a_cookie_of_its_own(app: Flask) -> None:
    cookies = [anybody(app).get("/").headers["Set-Cookie"] for _ in range(3)]
    assert len(set(cookies)) == 3


def test_a_player_gets_no_kept_page_and_leaves_none(
    app: Flask, guest: Visitor, made: Callable[[], int]
) -> None:
    plain = anybody(app).get("/").text
    guest.start(grid=EASY)
    assert guest.get("/").text != plain
    assert TOKEN.sub("", anybody(app).get("/").text) == TOKEN.sub("", plain)
    before = made()
    guest.get("/")
    guest.get("/")
    assert made() == before + 2


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/?cell=0", {}),
        ("/", {"Accept-Language": "de"}),
        ("/de/", {}),
        ("/", {"Cookie": "ui=theme-dark"}),
        ("/", {"Cookie": "language=de"}),
        ("/", {"Host": "127.0.0.1:1"}),
    ],
)
def test_other_requests_get_other_pages(
    app: Flask, made: Callable[[], int], path: str, headers: dict[str, str]
) -> None:
    anybody(app).get("/")
    other = Client(app, use_cookies=False).get(path, headers=headers)
    assert other.status_code == 200
    assert made() == 2


def test_who_has_chosen_a_language_sees_it_chosen(app: Flask) -> None:
    chosen = Client(app, use_cookies=False)
    by_browser = chosen.get("/", headers={"Accept-Language": "de"}).text
    by_choice = chosen.get("/", headers={"Accept-Language": "de", "Cookie": "language=de"}).text
    assert TOKEN.sub("", by_browser) != TOKEN.sub("", by_choice)


def test_a_page_is_made_again_after_a_write_and_in_another_second(
    app: Flask, clock: SetClock, made: Callable[[], int]
) -> None:
    anybody(app).get("/")
    with app.app_context(), write_tx():
        db.session.execute(db.text("SELECT 1"))
    anybody(app).get("/")
    assert made() == 2
    clock.advance(seconds=1)
    anybody(app).get("/")
    assert made() == 3


def test_a_move_of_somebody_leaves_pages_kept(app: Flask, guest: Visitor, made: Callable[[], int]) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("digit", 0, 9))
    anybody(app).get("/")
    guest.move(address, 2, ("digit", 0, 4))
    anybody(app).get("/")
    assert made() == 1
