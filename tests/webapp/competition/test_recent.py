"""Strips of races: how often they are read."""

from __future__ import annotations

from threading import Thread

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_races import made
from tests.webapp.statements import Sent, noted
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.races import standings
from webapp.competition.races.standings import FRESH, WATCHED, Recent
from webapp.competition.races.tables import Racer
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound


def key_of(race: str) -> str:
    return race.rpartition("/")[2]


@pytest.mark.both_databases
def test_all_races_that_are_watched_are_read_together(
    app: Flask, clock: SetClock, ada: Visitor, other: Visitor
) -> None:
    keys = [key_of(made(visitor, name=f"racer {number}")) for number, visitor in enumerate([ada, other, ada])]
    known = Recent()
    with app.app_context():
        for key in keys:
            known.of(key, clock())
        clock.advance(seconds=2)
        with noted(db.engine) as statements:
            for key in keys:
                assert known.of(key, clock()).key == key
        assert len([sent for sent in statements if "racer" in sent[0]]) == 1


def keys_in(statements: list[Sent], *keys: str) -> list[str]:
    """Return which of these races were read."""
    return [key for key in keys if any(key in parameters for _statement, parameters in statements)]


def test_a_race_nobody_watches_any_more_is_read_no_more(app: Flask, clock: SetClock, ada: Visitor) -> None:
    left, watched = (key_of(made(ada)) for _ in range(2))
    known = Recent()
    with app.app_context():
        for key in (left, watched):
            known.of(key, clock())
        clock.advance(seconds=WATCHED.total_seconds() / 2)
        known.of(watched, clock())
        clock.advance(seconds=WATCHED.total_seconds() / 2)
        with noted(db.engine) as statements:
            known.of(watched, clock())
    assert keys_in(statements, left, watched) == [watched]


def test_made_up_keys_have_no_race_read(app: Flask, clock: SetClock, ada: Visitor) -> None:
    key, made_up = key_of(made(ada)), "x" * 22
    known = Recent()
    with app.app_context():
        known.of(key, clock())
        clock.advance(seconds=2)
        with noted(db.engine) as statements, pytest.raises(NotFound):
            known.of(made_up, clock())
    assert keys_in(statements, key, made_up) == [made_up]


def test_nobody_waits_while_another_reads(
    app: Flask, clock: SetClock, ada: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They get the earlier result, for up to twice as long."""
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
        monkeypatch.setattr(standings, "read", reading)
        known.of(key, clock())
        assert meanwhile == [first]


def test_a_race_whose_racers_have_all_left_still_has_a_page(app: Flask, ada: Visitor) -> None:
    guest = Visitor(app, address="127.0.0.3")
    race = made(guest)
    with app.app_context(), write_tx():
        db.session.execute(sa.delete(Racer))
    assert ada.get(race).status_code == 200
