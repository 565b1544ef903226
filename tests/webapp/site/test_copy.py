"""`flask copy`: every row reaches PostgreSQL, a killed copy is repeated, and a wrong target is rejected."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import empty_database
from tests.webapp.season import season
from tests.webapp.site.test_backup import site_of
from tests.webapp.visitors import SetClock
from webapp import create_app
from webapp.models import Player, Puzzle
from webapp.process import config
from webapp.process.config import Settings
from webapp.process.database import db, write_tx
from webapp.site.storage import copying, places
from webapp.site.storage.backup import backup
from webapp.site.storage.copying import copy, target_url
from webapp.site.storage.places import Trouble
from webapp.site.storage.restore import restore
from webapp.site.storage.verify import verify


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the backup that these tests share."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def played(inside: Flask, kept: Path, clock: SetClock, tmp_path: Path) -> Settings:
    """A stopped site with games."""
    if not (kept / "backup").exists():
        season(clock)
        backup(inside.extensions["settings"], kept / "backup", clock.time)
    stopped = Settings.from_environment({"INSTANCE_PATH": str(tmp_path / "stopped")})
    restore(stopped, kept / "backup", clock.time, replace=False)
    return stopped


def a_database(name: str) -> Iterator[str]:
    server = os.environ.get("TEST_DATABASE_URL")
    if not server:
        pytest.skip("TEST_DATABASE_URL is unset: no PostgreSQL to copy to")
    with empty_database(server, name) as url:
        yield url


@pytest.fixture
def target(worker_id: str) -> Iterator[str]:
    """The URL of an empty database on PostgreSQL."""
    yield from a_database(f"copy_{worker_id}")


@pytest.fixture
def copied(played: Settings, target: str, clock: SetClock) -> Callable[..., dict[str, int]]:
    """Copy the site."""

    def run(**more: Callable[[str, int], object]) -> dict[str, int]:
        return copy(lambda settings: create_app(settings, clock=clock), played, target, clock.time, **more)

    return run


@pytest.fixture(scope="module")
def shared_target(worker_id: str) -> Iterator[str]:
    """The same for all tests that don't change it."""
    yield from a_database(f"copied_{worker_id}")


@pytest.fixture
def copied_once(played: Settings, shared_target: str, clock: SetClock) -> tuple[Settings, str]:
    """A stopped site and the URL of its copy."""
    with places.postgresql(shared_target) as connection:
        there = places.tables(connection)
    if not there:
        copy(lambda settings: create_app(settings, clock=clock), played, shared_target, clock.time)
    return played, shared_target


def test_every_row_is_copied_and_new_ones_go_on(
    copied: Callable[..., dict[str, int]], played: Settings, target: str, clock: SetClock
) -> None:
    tables = copied()
    assert tables.keys() == {table.name for table in db.metadata.sorted_tables}
    assert tables["attempt"] == 6
    with site_of(replace(played, database_url=target), clock):
        findings = verify(clock.time)
        assert (findings.shown, findings.attempts) == ([], 6)
        last = db.session.scalar(sa.select(sa.func.max(Player.id)))
        with write_tx():
            player = Player(created_at=clock.time)
            db.session.add(player)
            db.session.flush()
            assert player.id == (last or 0) + 1
        found = sa.inspect(db.engine)
        for table in db.metadata.sorted_tables:
            assert len(found.get_foreign_keys(table.name)) == len(table.foreign_key_constraints), table.name


def test_a_killed_copy_leaves_nothing_and_is_repeated(
    copied: Callable[..., dict[str, int]], target: str
) -> None:
    class Killed(BaseException):
        pass

    def die_in_the_moves(table: str, _rows: int) -> None:
        if table == "move":
            raise Killed

    with pytest.raises(Killed):
        copied(progress=die_in_the_moves)
    with places.postgresql(target) as connection:
        assert sum(places.rows(connection).values()) == 1, "more than the schema's revision is left"
    assert copied()["move"] > 100


def test_a_site_is_not_copied_over_another(copied: Callable[..., dict[str, int]]) -> None:
    copied()
    with pytest.raises(Trouble, match="has tables already"):
        copied()


def test_a_value_that_postgresql_refuses_is_named(
    copied: Callable[..., dict[str, int]], played: Settings, clock: SetClock
) -> None:
    with site_of(played, clock), write_tx():
        db.session.execute(sa.update(Puzzle).where(Puzzle.id == 1).values(seed="long" * 20))
    with pytest.raises(Trouble, match="refuses a row of puzzle: value too long"):
        copied()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE attempt SET elapsed_ms = elapsed_ms + 1 WHERE level = 2",
        "UPDATE attempt SET started_at = started_at - interval '1 day'",
        "UPDATE move SET received_at = received_at + interval '1 us'",
        "UPDATE attempt SET assisted = NOT assisted",
        "UPDATE player SET name = 'Qlayer0' WHERE name = 'Player0'",
        "DELETE FROM daily WHERE id NOT IN (SELECT daily_id FROM attempt)",
        "UPDATE attempt SET points = NULL",
        "UPDATE puzzle SET solution_class = 9223372036854775807 WHERE id = 1",
    ],
)
def test_a_row_that_differs_is_found(copied_once: tuple[Settings, str], change: str) -> None:
    settings, target = copied_once
    file = places.site_file(settings)
    table = db.metadata.tables[change.split()[1 if change.startswith("UPDATE") else 2]]
    with copying.sqlite_file(file).connect() as source, copying.server(target).connect() as connection:
        assert copying.compare(source, connection, table) > 0
        changed = connection.execute(sa.text(change))  # rolled back when the connection is closed
        assert changed.rowcount > 0
        with pytest.raises(Trouble, match=f"The copy of {table.name} differs: "):
            copying.compare(source, connection, table)


def test_a_running_site_is_not_copied(inside: Flask, target: str, clock: SetClock) -> None:
    db.session.execute(sa.text("SELECT 1"))
    with pytest.raises(Trouble, match="Stop it first"):
        copy(create_app, inside.extensions["settings"], target, clock.time)


def test_other_tables_are_left_alone(copied: Callable[..., dict[str, int]], target: str) -> None:
    with psycopg.connect(target.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE theirs (id int)")
    with pytest.raises(Trouble, match="has tables already"):
        copied()


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("nonsense", "--to: expected sqlite"),
        ("sqlite:////tmp/other.sqlite", "--to: expected postgresql"),
        ("mysql://localhost/x", "--to: expected sqlite:///FILE or postgresql:"),
    ],
)
def test_a_wrong_url_is_refused(to: str, reason: str) -> None:
    with pytest.raises(Trouble, match=reason):
        target_url(to)


def test_checking_the_url_makes_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "ROOT", tmp_path)
    assert target_url("postgresql://server/site") == "postgresql+psycopg://server/site"
    assert not list(tmp_path.iterdir())


def test_a_server_that_is_not_there_is_named_without_the_password(played: Settings, clock: SetClock) -> None:
    to = target_url("postgresql://someone:secret@127.0.0.1:1/none")
    with pytest.raises(Trouble, match=r"Cannot connect to postgresql://someone:\*\*\*@127.0.0.1:1/none"):
        copy(create_app, played, to, clock.time)
