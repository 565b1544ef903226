"""A replica that leaderboards are read from. Here it is a copy, which gets what is written to it alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_leaderboard import BOARD, lines
from tests.webapp.furnished import opened
from tests.webapp.processes import free_port
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition import replica
from webapp.models import Daily, Player
from webapp.process.config import SettingError, Settings
from webapp.process.database import close, db
from webapp.process.operation import patience


@pytest.fixture
def copy(app: Flask, settings: Settings, clock: SetClock) -> Iterator[Flask]:
    """The site on a copy of its database, with a daily that has a solve by Primary."""
    with app.app_context():
        if db.engine.dialect.name != "postgresql":
            pytest.skip("TEST_DATABASE_URL is unset: no PostgreSQL to test on")
        add_solve(add_player("Before"), add_daily(), 600)
        url, name = db.engine.url, f"{db.engine.url.database}_copy"
        db.session.remove()
        close()
    server = sa.create_engine(url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(sa.text(f'CREATE DATABASE "{name}" TEMPLATE "{url.database}"'))
    try:
        there = url.set(database=name).render_as_string(hide_password=False)
        with opened(replace(settings, database_url=there), clock=clock) as copy:
            yield copy
    finally:
        with server.connect() as connection:
            connection.execute(sa.text(f'DROP DATABASE "{name}" WITH (FORCE)'))
        server.dispose()


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has failed yet."""
    monkeypatch.setattr(replica, "_not_before", 0.0)
    patience.replica_answering.worked()


@pytest.fixture
def site_with(
    app: Flask, copy: Flask, settings: Settings, clock: SetClock, request: pytest.FixtureRequest
) -> Iterator[Flask]:
    """The site with that copy, or with one that is away, as its replica."""
    urls = {}
    for name, each in (("primary", app), ("replica", copy)):
        with each.app_context():
            urls[name] = db.engine.url
    if getattr(request, "param", "") == "away":
        urls["replica"] = urls["replica"].set(host="127.0.0.1", port=free_port())
    shown = {name: url.render_as_string(hide_password=False) for name, url in urls.items()}
    both = replace(settings, database_url=shown["primary"], database_replica_url=shown["replica"])
    with opened(both, clock=clock) as site:
        yield site


def solve(app: Flask, name: str, seconds: float) -> None:
    with app.app_context():
        number = db.session.scalars(sa.select(Daily.id)).one()
        player = db.session.scalar(sa.select(Player.id).where(Player.name == name)) or add_player(name)
        add_solve(player, number, seconds)
        db.session.remove()


def names(visitor: Visitor) -> list[str]:
    assert visitor.get(BOARD).status_code == 200
    return [line[1] for line in lines(visitor)]


@pytest.mark.strictest_database
def test_a_leaderboard_is_read_from_the_replica(copy: Flask, site_with: Flask) -> None:
    solve(copy, "Onlythere", 300)
    assert names(Visitor(site_with)) == ["Onlythere", "Before"]


@pytest.mark.strictest_database
def test_a_solve_of_ones_own_that_has_not_arrived_is_shown(app: Flask, site_with: Flask) -> None:
    """A visitor without one is shown the replica as it is."""
    visitor = Visitor(site_with)
    assert visitor.register("Ada").status_code == 303
    solve(app, "Ada", 200)
    assert names(visitor)[0].startswith("Ada")
    assert names(Visitor(site_with)) == ["Before"]


@pytest.mark.strictest_database
@pytest.mark.parametrize("site_with", ["away"], indirect=True)
def test_a_replica_that_is_away_is_missed_by_nobody(app: Flask, site_with: Flask) -> None:
    solve(app, "Since", 300)
    assert names(Visitor(site_with)) == ["Since", "Before"]
    assert names(Visitor(site_with)) == ["Since", "Before"]  # not tried again


@pytest.mark.strictest_database
def test_the_archive_is_read_from_it_too(site_with: Flask) -> None:
    assert Visitor(site_with).get("/archive?month=2026-03").status_code == 200


@pytest.mark.parametrize(
    "setting",
    [
        {"DATABASE_REPLICA_URL": "sqlite:///other.sqlite"},
        {"DATABASE_REPLICA_URL": "postgresql://db/ninefold"},  # of a site on SQLite
        {"DATABASE_REPLICA_URL": "replica", "DATABASE_URL": "postgresql://db/ninefold"},
    ],
)
def test_only_postgresql_has_replicas(tmp_path: Path, setting: dict[str, str]) -> None:
    with pytest.raises(SettingError, match=r"^DATABASE_REPLICA_URL: "):
        Settings.from_environment({"INSTANCE_PATH": str(tmp_path)} | setting)
