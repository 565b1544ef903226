"""A database that is down, locked, full or frozen: 503 soon, with a page that says so, on every path."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.chaos import AT_MOST, Wire
from tests.webapp.processes import allowed
from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.play import play
from webapp.process.config import Settings
from webapp.process.database import db, sqlite_module


@contextmanager
def in_time() -> Iterator[None]:
    """Assert that the block takes no longer than a request may."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < allowed(AT_MOST)


def is_unavailable(response: Any) -> bool:
    """Tell whether this is the response of an outage, for a person and for a program."""
    return (
        response.status_code == 503
        and int(response.headers["Retry-After"]) > 0
        and ("We can’t reach our database" in response.text or "We’re busy right now" in response.text)
    )


def test_a_locked_database_lets_read_and_refuses_to_write(app: Flask, ada: Visitor) -> None:
    with app.app_context():
        file = db.engine.url.database
    holder = sqlite_module()[0].connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE").close()
    try:
        with in_time():
            assert is_unavailable(ada.post("/attempts", {"level": 1}))
        with in_time():
            assert ada.get("/attempts").status_code == 200
    finally:
        holder.execute("ROLLBACK").close()
        holder.close()
    assert ada.post("/attempts", {"level": 1}).status_code == 303


def test_a_full_disk_is_an_outage(app: Flask, ada: Visitor) -> None:
    address = ada.start()
    with app.app_context():
        disk = sqlite_module()[0].connect(db.engine.url.database, isolation_level=None)
        disk.execute("VACUUM").close()  # space left free by other tests would hold all moves
        ((pages,),) = disk.execute("PRAGMA page_count").fetchall()
        disk.close()

    def fill(connection: Any, _entry: Any, _proxy: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}").close()

    with app.app_context():
        sa.event.listen(db.engine, "checkout", fill)
    try:
        for seq in range(1, 2000, 50):
            moves = [("corner", 0, 1 + number % 9) for number in range(50)]
            with in_time():
                response = ada.move(address, seq, *moves)
            if response.status_code != 200:
                break
        assert is_unavailable(response)
    finally:
        with app.app_context():
            sa.event.remove(db.engine, "checkout", fill)
            db.engine.dispose()
    assert ada.move(address, seq, *moves).status_code == 200


@pytest.mark.both_databases
def test_a_frozen_database_is_noticed_and_its_return_too(
    settings: Settings, app: Flask, database_url: str
) -> None:
    """Unanswered packets: only PostgreSQL is reached by a network."""
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite is no network away")
    url = sa.make_url(database_url)
    wire = Wire(url.host or "127.0.0.1", url.port or 5432)
    through = url.set(host="127.0.0.1", port=wire.port).render_as_string(hide_password=False)
    away = create_app(replace(settings, database_url=through), clock=app.extensions["clock"])
    visitor = Visitor(away)
    visitor.get("/")
    address = visitor.start()
    wire.freeze()
    with in_time():
        assert is_unavailable(visitor.get(address))
    with in_time():
        ready = visitor.get("/readyz")
    assert (ready.status_code, ready.json["database"]) == (503, False)
    wire.heal()
    assert visitor.get(address).status_code == 200
    wire.close()
    with in_time():
        assert is_unavailable(visitor.get(address))
    wire.heal()
    assert visitor.get(address).status_code == 200
    with away.app_context():
        # Data already read is returned, though the connection is dropped before it is given back.
        db.session.execute(sa.text("SELECT 1"))
        wire.cut()
    with away.app_context():
        db.engine.dispose()


def test_no_path_fails_otherwise_while_the_database_is_away(settings: Settings, ada: Visitor) -> None:
    away = create_app(replace(settings, database_url="sqlite:////nowhere/ninefold.sqlite"))
    visitor = Visitor(away)
    visitor.client.set_cookie("s", ada.cookie)
    wrong = []
    for rule in [rule for rule in away.url_map.iter_rules() if "GET" in (rule.methods or ())]:
        values = dict.fromkeys(rule.arguments, "1") | {"attempt_id": "a" * 22}
        with away.test_request_context():
            path = rule.build({name: values[name] for name in rule.arguments}, append_unknown=False)
        response = visitor.get(path[1])
        if response.status_code >= 500 and rule.rule != "/readyz" and not is_unavailable(response):
            wrong.append(f"{rule.rule}: {response.status_code}")
    assert not wrong
    assert is_unavailable(visitor.get("/"))


def test_an_outage_while_a_refusal_is_rendered_is_one(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = guest.start(level=1)

    def gone(*_: object) -> None:
        raise sa.exc.TimeoutError

    monkeypatch.setattr(play, "moves_of", gone)
    assert is_unavailable(guest.move(address, 9, ("digit", 0, "1")))
