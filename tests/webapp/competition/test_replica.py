"""A streaming replica for reading leaderboards: two servers of the test's own, on loopback."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask
from flask_migrate import upgrade

from tests.webapp.competition.test_leaderboard import BOARD, lines
from tests.webapp.processes import free_port, wait_until
from tests.webapp.replicated import Server, programs, servers
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.stocked import opened
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition import replica
from webapp.models import Daily, Player
from webapp.process.config import SettingError, Settings
from webapp.process.database import db

pytestmark = pytest.mark.slow  # they start servers


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Server, Server]]:
    """A server and its replica."""
    try:
        programs()
    except SystemExit as missing:
        pytest.skip(str(missing))
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)  # another user runs the servers
        with servers(Path(name) / "postgresql") as pair:
            yield pair


@pytest.fixture(scope="module")
def primary(pair: tuple[Server, Server], settings: Settings, clock: SetClock) -> Iterator[Flask]:
    """The site without the replica, with a daily that has a solve by Before."""
    with opened(replace(settings, database_url=driven(pair[0].url)), clock=clock) as site:
        with site.app_context():
            upgrade()
            add_solve(add_player("Before"), add_daily(), 600)
            db.session.remove()
        yield site


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset earlier failures."""
    monkeypatch.setattr(replica, "_not_before", 0.0)
    monkeypatch.setattr(replica, "_said", False)


@pytest.fixture
def site_with(
    pair: tuple[Server, Server],
    settings: Settings,
    clock: SetClock,
    request: pytest.FixtureRequest,
) -> Iterator[Flask]:
    """The site of `primary` with the replica, which is paused, unreachable, or no replica."""
    server, standby = pair
    url = sa.make_url(standby.url)
    kind = getattr(request, "param", "")
    if kind == "away":
        url = url.set(port=free_port())
    elif kind == "copy":
        url = sa.make_url(server.url).set(database="template1")
    shown = url.render_as_string(hide_password=False)
    both = replace(settings, database_url=driven(server.url), database_replica_url=driven(shown))
    with standing_still(server, standby), opened(both, clock=clock) as site:
        yield site


def driven(url: str) -> str:
    return Settings.from_environment({"DATABASE_URL": url}).database_url


@contextmanager
def standing_still(server: Server, standby: Server) -> Iterator[None]:
    """Pause the replica with all data so far; later changes don't reach it."""
    there = server.ask("SELECT pg_current_wal_lsn()")
    wait_until(lambda: standby.ask(f"SELECT pg_last_wal_replay_lsn() >= '{there}'") is True)
    standby.ask("SELECT pg_wal_replay_pause()")
    wait_until(lambda: standby.ask("SELECT pg_get_wal_replay_pause_state()") == "paused")
    try:
        yield
    finally:
        standby.ask("SELECT pg_wal_replay_resume()")


def solve(app: Flask, name: str, seconds: float) -> None:
    with app.app_context():
        number = db.session.scalars(sa.select(Daily.id)).one()
        player = db.session.scalar(sa.select(Player.id).where(Player.name == name)) or add_player(name)
        add_solve(player, number, seconds)
        db.session.remove()


def names(visitor: Visitor) -> list[str]:
    assert visitor.get(BOARD).status_code == 200
    return [line[1].split()[0] for line in lines(visitor)]


def test_a_leaderboard_is_read_from_the_replica(primary: Flask, site_with: Flask) -> None:
    solve(primary, "Late", 300)
    assert "Late" not in names(Visitor(site_with))
    assert "Late" in names(Visitor(primary))


def test_a_solve_of_ones_own_that_has_not_arrived_is_shown(primary: Flask, site_with: Flask) -> None:
    """A visitor without a solve sees the replica as it is."""
    visitor = Visitor(site_with)
    assert visitor.register("Ada").status_code == 303
    solve(primary, "Ada", 200)
    assert "Ada" in names(visitor)
    assert "Ada" not in names(Visitor(site_with))


def test_a_choice_of_ones_own_that_has_not_arrived_is_shown(
    primary: Flask, request: pytest.FixtureRequest
) -> None:
    before = Visitor(primary)
    assert before.register("Cleo").status_code == 303
    solve(primary, "Cleo", 250)
    cookie = before.client.get_cookie("s")
    assert cookie is not None
    visitor = Visitor(request.getfixturevalue("site_with"), token=before.token)  # with that in the replica
    visitor.client.set_cookie("s", cookie.value)
    visitor.get(BOARD)
    form = visitor.page.select_one("#my-replay")
    assert form is not None and "Your replay is private." in form.text
    assert visitor.post(str(form["action"]), {"shown": "yes"}).status_code == 303
    visitor.get(BOARD)
    assert "Your replay is private." not in visitor.page.select_one("#my-replay").text


@pytest.mark.parametrize("site_with", ["away"], indirect=True)
def test_a_replica_that_is_away_is_missed_by_nobody(primary: Flask, site_with: Flask) -> None:
    solve(primary, "Since", 300)
    assert "Since" in names(Visitor(site_with))
    assert "Since" in names(Visitor(site_with))  # not tried again


@pytest.mark.parametrize("site_with", ["copy"], indirect=True)
def test_what_replays_nothing_is_no_replica(
    primary: Flask,
    site_with: Flask,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A copy, or a promoted replica, would show old leaderboards forever; the log says so once."""
    solve(primary, "Newest", 300)
    for _time in range(2):
        monkeypatch.setattr(replica, "_not_before", 0.0)  # half a minute later
        assert "Newest" in names(Visitor(site_with))
    assert caplog.text.count("DATABASE_REPLICA_URL leads to no replica") == 1


@pytest.mark.usefixtures("primary")
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
