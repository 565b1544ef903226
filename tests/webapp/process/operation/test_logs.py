"""Log lines: one JSON object each, limited by message, without secrets."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.process.config import Settings
from webapp.process.database import db, write_tx
from webapp.process.operation import logs

pytestmark = pytest.mark.both_databases


@pytest.fixture
def stream() -> io.StringIO:
    """The stream that the lines go to."""
    return io.StringIO()


@pytest.fixture
def log(stream: io.StringIO) -> Iterator[logging.Logger]:
    """A logger set up as a process's root logger is."""
    log = logging.getLogger("tests.lines")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.Line())
    handler.addFilter(logs.Limit())
    log.addHandler(handler)
    yield log
    log.removeHandler(handler)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    """Return the lines written; fails if one is anything but a JSON object."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_an_object_with_the_facts_of_its_event(log: logging.Logger, stream: io.StringIO) -> None:
    log.warning("about %s", "x\ny", extra={"facts": {"status": 503}})
    (line,) = lines(stream)
    assert line["at"].endswith("+00:00")
    assert (line["level"], line["logger"], line["message"]) == ("warning", "tests.lines", "about x\ny")
    assert line["status"] == 503


def test_an_error_keeps_its_traceback_on_its_line(log: logging.Logger, stream: io.StringIO) -> None:
    try:
        raise ValueError("why")
    except ValueError:
        log.exception("failed")
    (line,) = lines(stream)
    assert line["error"].startswith("Traceback")
    assert line["error"].endswith("ValueError: why")


def test_a_message_is_written_five_times_a_minute_and_the_rest_counted(
    log: logging.Logger, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def repeat(times: int) -> None:
        for number in range(times):
            log.warning(f"try {number}")  # a different argument doesn't make another message

    now = 100.0
    monkeypatch.setattr(logs.time, "monotonic", lambda: now)
    repeat(50)
    assert [line["message"] for line in lines(stream)] == [f"try {number}" for number in range(5)]
    log.warning("another")
    assert len(lines(stream)) == 6
    now += logs.A_MINUTE
    repeat(2)
    assert [line.get("left_out") for line in lines(stream)[6:]] == [45, None]


def test_an_attacker_hides_no_other(log: logging.Logger, stream: io.StringIO) -> None:
    for came_from in ["192.0.2.0/24"] * 50 + ["198.51.100.0/24"]:
        log.warning("refused", extra={"facts": {"from": came_from}, "same": ("refused", came_from)})
    assert [line["from"] for line in lines(stream)] == ["192.0.2.0/24"] * 5 + ["198.51.100.0/24"]


def test_what_must_not_be_left_out_is_not(log: logging.Logger, stream: io.StringIO) -> None:
    for _ in range(50):
        log.warning("every one", extra={"same": None})
    assert len(lines(stream)) == 50


def test_passwords_in_addresses_are_left_out(log: logging.Logger, stream: io.StringIO) -> None:
    log.warning("cannot reach %s", "postgresql+psycopg://site:hunter2@db.example/x")
    assert lines(stream)[0]["message"] == "cannot reach postgresql+psycopg://site:***@db.example/x"


def test_what_was_to_be_stored_is_left_out(app: Flask, log: logging.Logger, stream: io.StringIO) -> None:
    """Neither the statement's parameters, nor the row that PostgreSQL quotes."""
    secret = "hunter2"
    insert = sa.text("INSERT INTO heartbeat (worker, seen_at) VALUES (:worker, NULL)")
    with app.app_context():
        try:
            with write_tx():
                db.session.execute(insert, {"worker": secret})
        except sa.exc.IntegrityError:
            log.exception("not stored")
    (line,) = lines(stream)
    assert "IntegrityError" in line["error"]
    assert secret not in json.dumps(line)


def test_an_error_nobody_caught_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.install()
    try:
        raise RuntimeError("out of order")
    except RuntimeError:
        kind, error, traceback = sys.exc_info()
        logs._unforeseen(kind, error, traceback)
    line = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert (line["level"], line["error"].splitlines()[-1]) == ("critical", "RuntimeError: out of order")


def test_a_request_is_logged_by_its_route_if_asked_for(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    create_app(replace(settings, access_log=True)).test_client().get("/attempts/secret-id-of-a-game-1/x")
    (record,) = [record for record in caplog.records if record.name == "ninefold.access"]
    line = json.loads(logs.Line().format(record))
    assert (line["route"], line["status"]) == ("GET None", 404)
    assert "secret" not in json.dumps(line)


def test_requests_are_not_logged_unless_asked_for(guest: Visitor, caplog: pytest.LogCaptureFixture) -> None:
    guest.get("/healthz")
    assert not [record for record in caplog.records if record.name == "ninefold.access"]
