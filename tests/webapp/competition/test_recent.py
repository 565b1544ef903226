"""Strips of races: how often they are read, and which the web server's loop answers without a thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from http.client import parse_headers
from io import BytesIO
from threading import Thread

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_races import begun, joined, made, moves_to_solve
from tests.webapp.statements import noted
from tests.webapp.visitors import SetClock, Visitor
from webapp import create_app
from webapp.competition.races import races, recent, standings
from webapp.competition.races.recent import FRESH, WATCHED, Recent
from webapp.models import Racer
from webapp.process.config import Settings
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound

HTMX = {"HX-Request": "true"}


@pytest.fixture
def bob(app: Flask) -> Visitor:
    """Another visitor, without an account."""
    return Visitor(app, address="127.0.0.2")


def strip_of(visitor: Visitor, race: str) -> str:
    """The address that the page of a race asks for its strip."""
    visitor.get(race)
    strip = visitor.page.select_one("#race")
    assert strip is not None
    return str(strip["hx-get"])


def asked(address: str, more: str = "", version: str = "HTTP/1.1") -> bytes:
    """What a browser sends, as the web server's loop sees it."""
    return f"GET {address} {version}\r\nHost: localhost\r\nHX-Request: true\r\n{more}\r\n".encode()


def key_of(race: str) -> str:
    return race.rpartition("/")[2]


@pytest.fixture
def at_once(app: Flask) -> Callable[[bytes], bytes | None]:
    """What the loop asks."""
    found: Callable[[bytes], bytes | None] = app.extensions["at_once"]
    return found


def test_a_strip_that_has_been_seen_is_answered_at_once_as_the_route_does(
    ada: Visitor, at_once: Callable[[bytes], bytes | None]
) -> None:
    strip = strip_of(ada, made(ada))
    by_route = ada.get(strip, **HTMX)
    assert by_route.status_code == 204
    answer = at_once(asked(strip, "Connection: keep-alive\r\n"))
    assert answer is not None
    status, _line, rest = answer.partition(b"\r\n")
    assert status == b"HTTP/1.1 204 No Content"
    assert rest.endswith(b"\r\n\r\n")
    headers = dict(parse_headers(BytesIO(rest)).items())
    assert headers.pop("Connection") == "keep-alive"
    assert headers.pop("Date")
    of_route = dict(by_route.headers)
    del of_route["Vary"], of_route["Content-Type"]  # of what is not kept, and is not there
    assert headers == of_route


def test_a_strip_that_must_be_read_is_left_to_the_route(
    clock: SetClock, ada: Visitor, bob: Visitor, at_once: Callable[[bytes], bytes | None]
) -> None:
    race = made(ada)
    strip = strip_of(ada, race)
    assert at_once(asked(strip)) is None  # no strip has been asked for in this process
    ada.get(strip, **HTMX)
    assert at_once(asked(strip)) is not None
    clock.advance(seconds=FRESH.total_seconds())
    assert at_once(asked(strip)) is None
    joined(bob, race)
    assert ada.get(strip, **HTMX).status_code == 200
    assert at_once(asked(strip)) is None  # since it has changed
    assert at_once(asked(strip_of(ada, race))) is not None


def test_the_start_of_a_race_is_noticed_at_once(
    clock: SetClock, ada: Visitor, at_once: Callable[[bytes], bytes | None]
) -> None:
    """Though nothing is read anew between the last moment of the countdown and the first of the race."""
    race = made(ada)
    ada.post(f"{race}/start")
    clock.advance(seconds=9.9)
    strip = strip_of(ada, race)
    ada.get(strip, **HTMX)
    assert at_once(asked(strip)) is not None
    clock.advance(seconds=0.2)
    assert at_once(asked(strip)) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("GET", "POST"),
        ("GET", "HEAD"),
        ("/strip", ""),
        ("HTTP/1.1", "HTTP/1.0"),
        ("seen=", "seem="),
        ("Host:", "Connection: close\r\nHost:"),
        ("Host:", "Connection: Upgrade, HTTP2-Settings\r\nHost:"),
        ("Host:", "content-length: 1\r\nHost:"),
        ("Host:", "Transfer-Encoding: chunked\r\nHost:"),
        ("\r\n\r\n", "\r\n"),
        ("\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
    ],
)
def test_an_unusual_request_is_left_to_the_route(
    ada: Visitor, at_once: Callable[[bytes], bytes | None], before: str, after: str
) -> None:
    strip = strip_of(ada, made(ada))
    ada.get(strip, **HTMX)
    usual = asked(strip)
    assert at_once(usual) is not None
    assert at_once(usual.replace(before.encode(), after.encode())) is None


def test_nothing_is_answered_at_once_where_every_request_is_logged(settings: Settings) -> None:
    assert "at_once" not in create_app(replace(settings, access_log=True)).extensions


@pytest.mark.both_databases
def test_all_races_that_are_watched_are_read_together(
    app: Flask, clock: SetClock, ada: Visitor, bob: Visitor
) -> None:
    keys = [key_of(made(visitor, name=f"racer {number}")) for number, visitor in enumerate([ada, bob, ada])]
    known = Recent()
    with app.app_context():
        for key in keys:
            known.of(key, clock())
        clock.advance(seconds=2)
        with noted(db.engine) as statements:
            for key in keys:
                assert known.of(key, clock()).key == key
        assert len([sent for sent in statements if "racer" in sent[0]]) == 1


def test_a_race_nobody_watches_any_more_is_read_no_more(app: Flask, clock: SetClock, ada: Visitor) -> None:
    left, watched = (key_of(made(ada)) for _ in range(2))
    known = Recent()
    with app.app_context():
        for key in (left, watched):
            known.of(key, clock())
        clock.advance(seconds=WATCHED.total_seconds())
        known.of(watched, clock())
        assert known.known(watched, clock()) is not None
        assert known.known(left, clock()) is None


def test_made_up_keys_have_no_race_read(app: Flask, clock: SetClock, ada: Visitor) -> None:
    key = key_of(made(ada))
    known = Recent()
    with app.app_context():
        known.of(key, clock())
        clock.advance(seconds=2)
        with pytest.raises(NotFound):
            known.of("x" * 22, clock())
        assert known.known(key, clock()) is None


def test_a_race_that_is_gone_is_not_found(app: Flask, clock: SetClock, ada: Visitor) -> None:
    key = key_of(made(ada))
    known = Recent()
    with app.app_context():
        known.of(key, clock())
        clock.advance(days=31)
        races.forget(clock())
        with pytest.raises(NotFound):
            known.of(key, clock())


def test_nobody_waits_while_another_reads(
    app: Flask, clock: SetClock, ada: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They get what was read before, for twice as long."""
    key = key_of(made(ada))
    known = Recent()
    with app.app_context():
        first = known.of(key, clock())
        clock.advance(seconds=FRESH.total_seconds())
        meanwhile = []

        def reading(keys: object) -> object:
            other = Thread(target=lambda: meanwhile.append(known.of(key, clock())))
            other.start()
            other.join()
            return read(keys)  # type: ignore[arg-type]

        read = standings.read
        monkeypatch.setattr(recent.standings, "read", reading)
        known.of(key, clock())
        assert meanwhile == [first]


def test_a_race_whose_racers_have_all_left_still_has_a_page(app: Flask, ada: Visitor) -> None:
    guest = Visitor(app, address="127.0.0.3")
    race = made(guest)
    with app.app_context(), write_tx():
        db.session.execute(sa.delete(Racer))
    assert ada.get(race).status_code == 200


def test_what_has_not_changed_keeps_its_version(clock: SetClock, ada: Visitor) -> None:
    race = made(ada)
    (board,) = begun(clock, race, ada)
    moves = moves_to_solve(ada, board)
    strip = strip_of(ada, race)
    ada.move(board, 1, moves[0])  # less than a tenth
    clock.advance(seconds=2)
    assert ada.get(strip, **HTMX).status_code == 204
