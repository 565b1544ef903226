"""The site under test, on SQLite and, if TEST_DATABASE_URL names a server, on PostgreSQL too.

A test with a database runs on SQLite, unless it is marked. `both_databases` is for tests of statements,
constraints, transactions, migrations, limits or rankings, and for those that are the only ones to send a
statement (each of the site's statements is sent to both). `strictest_database` is for long tests that are
harder for PostgreSQL: they run there, or on SQLite without a server. DATABASES=both runs all of them on both,
DATABASES=sqlite skips PostgreSQL.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from flask import Flask

import engine
from tests.webapp import recordings
from tests.webapp.desk import Curator, appoint
from tests.webapp.stocked import Originals, at, migrate, opened
from tests.webapp.visitors import SetClock, Visitor
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.identity import aside, passwords
from webapp.identity.budget import Purses
from webapp.models import Puzzle, Status
from webapp.process.commands.schema import upgrade
from webapp.process.config import Settings
from webapp.process.database import db, write_tx
from webapp.process.operation.machine import memory_folder
from webapp.web import assets
from webapp.web.i18n import catalogs

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


CHEAP, REAL = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1), passwords.hasher


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each of its databases."""
    if "database_url" in metafunc.fixturenames:
        metafunc.parametrize("database_url", databases(metafunc), indirect=True, scope="session")
    if "database_setting" in metafunc.fixturenames:
        metafunc.parametrize("database_setting", databases(metafunc), indirect=True, scope="function")


def databases(metafunc: pytest.Metafunc) -> list[str]:
    """Return the kinds of database a test runs on."""
    chosen = os.environ.get("DATABASES", "")
    marked = metafunc.definition.get_closest_marker
    if chosen == "sqlite":
        return ["sqlite"]
    if chosen == "both" or marked("both_databases"):
        return ["sqlite", "postgresql"]
    strict = marked("strictest_database") and "TEST_DATABASE_URL" in os.environ
    return ["postgresql" if strict else "sqlite"]


@pytest.fixture(scope="session")
def built_once(originals: Originals) -> Iterator[None]:
    """Let new instances share static files and catalogs, which take most of the time to make one."""

    def shared(make: Callable[[Any, Path], None]) -> Callable[[Any, Path], None]:
        def place(source: Any, target: Path) -> None:
            original = originals.made(f"{make.__name__} {target.name}", lambda aside: make(source, aside))
            target.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                target.symlink_to(original)

        return place

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "_build", shared(assets._build))
        patch.setattr(catalogs, "_compile", shared(catalogs._compile))
        yield


@pytest.fixture(scope="session")
def settings(originals: Originals, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """The default settings, for an instance of its own, on SQLite, with its tables, in memory."""
    request.getfixturevalue("built_once")
    with TemporaryDirectory(prefix="ninefold-tests-", dir=memory_folder()) as folder:
        originals.copy(migrate, Path(folder) / "instance")
        yield at(Path(folder) / "instance")


@pytest.fixture(scope="session")
def database_url(request: pytest.FixtureRequest, settings: Settings, worker_id: str) -> Iterator[str]:
    """An empty database of this test process, one kind after the other."""
    if request.param == "sqlite":
        yield settings.database_url
        return
    server = os.environ.get("TEST_DATABASE_URL")
    if not server:
        pytest.skip("TEST_DATABASE_URL is unset: no PostgreSQL to test on")
    with empty_database(server, f"test_{worker_id}") as url:
        yield url


@contextmanager
def empty_database(server: str, name: str) -> Iterator[str]:
    """Yield the address of a database on this PostgreSQL server, dropped at the end."""
    url = sa.make_url(Settings.from_environment({"DATABASE_URL": server}).database_url)
    name = f"ninefold_{name}_{os.getpid()}"
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
    try:
        yield url.set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(sa.text(f'DROP DATABASE "{name}" WITH (FORCE)'))
        engine.dispose()


@pytest.fixture
def database_setting(request: pytest.FixtureRequest, worker_id: str) -> Iterator[dict[str, str]]:
    """Settings for real processes with an empty database of one test: SQLite's is in their instance."""
    server = os.environ.get("TEST_DATABASE_URL")
    if request.param == "sqlite":
        yield {}
        return
    if not server:
        pytest.skip("TEST_DATABASE_URL is unset: no PostgreSQL to test on")
    with empty_database(server, f"processes_{worker_id}") as url:
        yield {"DATABASE_URL": url}


@pytest.fixture(scope="session")
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(scope="session")
def site(
    settings: Settings, database_url: str, clock: SetClock, request: pytest.FixtureRequest
) -> Iterator[Flask]:
    """The app with its tables; made once, emptied for every test."""
    request.getfixturevalue("kernels")
    with opened(replace(settings, database_url=database_url), clock=clock) as app:
        with app.app_context():
            upgrade()
        for name in ("patient", "cheap_passwords"):
            request.getfixturevalue(name)
        yield app


@pytest.fixture(scope="session")
def patient() -> Iterator[None]:
    """Allow waits of a minute for a hasher or a rating, which other tests may keep busy.

    Players are told to retry after seconds.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "LEAST_WAIT", 60.0)
        patch.setattr(aside, "PATIENCE", 60.0)
        yield


@pytest.fixture(scope="session")
def cheap_passwords() -> Iterator[None]:
    """Hash passwords at a thousandth of the cost: most tests sign a player up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", CHEAP)
        passwords.dummy.cache_clear()
        yield
        passwords.dummy.cache_clear()


@pytest.fixture
def real_hasher(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hash passwords at their full cost."""
    monkeypatch.setattr(passwords, "hasher", REAL)
    passwords.dummy.cache_clear()
    yield
    passwords.dummy.cache_clear()


@pytest.fixture
def app(site: Flask, clock: SetClock) -> Flask:
    """The app with an empty database except for one approved puzzle of every level, and the clock reset."""
    clock.time = SetClock.time
    site.extensions["purses"] = Purses(10_000)  # all tests read from one address, within no time
    with site.app_context():
        with write_tx():
            empty(db.session.connection())
            db.session.execute(sa.insert(Puzzle), BANK)
        db.session.remove()
    return site


def empty(connection: sa.Connection) -> None:
    """Delete all rows, through the driver itself, since SQLAlchemy would cost more than the database."""
    statements = [str(table.delete()) for table in reversed(db.metadata.sorted_tables)]
    if connection.dialect.name == "postgresql":
        statements = ["; ".join(statements)]
    cursor = connection.connection.cursor()
    for statement in statements:
        cursor.execute(statement)
    cursor.close()


@pytest.fixture
def inside(app: Flask) -> Iterator[Flask]:
    """The app with its context, for tests that call services."""
    with app.app_context():
        yield app


def bank_puzzle(level: int) -> Puzzle:
    """Return an approved, listed puzzle: the same one for all levels, with its digits relabeled."""
    return Puzzle(**_of_the_bank(level))


def _of_the_bank(level: int) -> dict[str, Any]:
    return {
        "givens": EASY.translate(str.maketrans("123456789", "123456789"[level:] + "123456789"[:level])),
        "level": level,
        "rating_version": "test",
        "status": Status.APPROVED,
        "method": "dig_hole",
        "seed": "1",
        "engine_version": "test",
        "created_at": SetClock.time,
        "shown_at": SetClock.time,
    }


BANK = [_of_the_bank(level) for level in range(1, 6)]


def new_puzzle(level: int) -> Puzzle:
    """Return a new, unsaved puzzle of a class of its own, with a rating of this level."""
    grid = engine.generate(engine.Recipe(fewest_givens=30), seed=secrets.randbits(62)).grid
    return Puzzle(
        givens=str(grid),
        canonical=str(engine.canonical_form(grid)),
        level=level,
        rating_version=bank.RATED,
        status=Status.APPROVED,
        method="dig_hole",
        seed="1",
        engine_version="test",
        created_at=SetClock.time,
    )


@pytest.fixture
def day(app: Flask) -> Flask:
    """The site with today's dailies."""
    recordings.filled(app, lambda: list(schedule.schedule(SetClock.time, rated=False)))
    return app


@pytest.fixture
def guest(app: Flask) -> Visitor:
    """A new visitor."""
    return Visitor(app)


@pytest.fixture
def other(app: Flask) -> Visitor:
    """Another new visitor."""
    return Visitor(app)


@pytest.fixture
def ada(app: Flask, clock: SetClock) -> Visitor:
    """A player with a name."""
    return recordings.once(Visitor(app), clock, take_a_name)


def take_a_name(visitor: Visitor) -> None:
    assert visitor.register("Ada").status_code == 303


@pytest.fixture
def cora(app: Flask, clock: SetClock) -> Curator:
    """A curator who has signed in to the desk just now."""
    return recordings.once(Curator(app, clock=clock), clock, open_the_desk)


def open_the_desk(curator: Curator) -> None:
    assert appoint(curator).prove().status_code == 303


def solution_of(givens: str) -> str:
    """Return the digits of the solution, for tests that play to the end."""
    solved = engine.solution(engine.parse(givens))
    assert solved is not None
    return str(solved)


@pytest.fixture
def instance(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder for an instance of this test alone."""
    request.getfixturevalue("built_once")
    return tmp_path / "instance"
