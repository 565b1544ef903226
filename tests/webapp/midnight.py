"""The change of day under load: real web processes, a clock that is set, many clients that read and start.

tests/webapp/competition/test_midnight.py runs some, once with the next day scheduled and once without.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from flask import Flask, Response, g, request

from tests.webapp.processes import Caller, web
from webapp import create_app
from webapp.competition.daily import schedule
from webapp.models import Daily, Puzzle
from webapp.models.daily import number_of
from webapp.process.commands.schema import upgrade
from webapp.process.config import Settings
from webapp.process.database import db

MIDNIGHT = datetime(2026, 5, 2, tzinfo=UTC)
BEFORE, AFTER = date(2026, 5, 1), date(2026, 5, 2)
TIMED = "timed: "  # before the figures of a request in the log
OFFSET = "clock_offset"  # the file in INSTANCE_PATH: seconds between the machine's clock and the site's
WEB = ("gunicorn", "-c", "python:webapp.process.server", "tests.webapp.midnight:site()")


class OffsetClock:
    """The machine's clock with the offset in a file, so that all processes agree and it can be set."""

    def __init__(self, instance: Path) -> None:
        self.file = instance / OFFSET

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(self.file.read_text()))

    def set(self, to: datetime) -> None:
        aside = self.file.with_suffix(".new")
        aside.write_text(str((to - datetime.now(UTC)).total_seconds()))
        aside.replace(self.file)


def site() -> Flask:
    """Return the app that the web processes run."""
    settings = Settings.from_environment()
    return create_app(settings, clock=OffsetClock(settings.instance_path))


def timed_site() -> Flask:
    """Return the same app; it logs how many seconds each request took, and was without a processor."""
    app = site()

    @app.before_request
    def begin() -> None:
        g.timed = time.monotonic(), _without_processor()

    @app.after_request
    def end(response: Response) -> Response:
        if "timed" in g:
            began, before = g.timed
            took, waited = time.monotonic() - began, _without_processor() - before
            figures = json.dumps([f"{request.method} {request.url_rule}", took, waited])
            print(f"{TIMED}{figures}\n", end="", file=sys.stderr, flush=True)
        return response

    return app


def _without_processor() -> float:
    """Return for how many seconds threads of this process were ready to run but had no processor."""
    waits = 0
    for file in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has ended
            waits += int(file.read_text().split()[1])
    return waits / 1e9


@dataclass
class Outcome:
    """The clients' observations."""

    asked: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    boards: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # (day, level) -> givens seen


class Client:
    """A client that returns again and again: reads the day, starts one of its puzzles, tries the other
    day's.
    """

    def __init__(self, port: int, clock: OffsetClock, outcome: Outcome, seed: int) -> None:
        self.port = port
        self.clock = clock
        self.outcome = outcome
        self.random = random.Random(seed)

    def run(self, until: datetime) -> None:
        while self.clock() < until:
            try:
                self.visit()
            except (OSError, http.client.HTTPException, AssertionError) as error:
                self.outcome.wrong.append(f"{self.clock():%H:%M:%S} {type(error).__name__}: {error}")

    def visit(self) -> None:
        caller = Caller(self.port)
        day = self.look(caller)
        level = self.random.choice("234")
        self.start(caller, day, level, expected=303)
        earliest = self.clock()
        status = self.start(caller, AFTER, level, expected=None)
        released = {303: True, 404: False}.get(status)
        possible = {moment >= MIDNIGHT for moment in (earliest, self.clock())}
        assert released in possible, f"tomorrow's puzzle: {status} between {earliest} and {self.clock()}"

    def look(self, caller: Caller) -> date:
        """Open /daily, which shows the current day."""
        earliest = self.clock()
        status, text, _location = caller.request("GET", "/daily")
        self.outcome.asked[f"GET /daily {status}"] += 1
        assert status == 200, text[:200]
        shown = re.search(r'href="/daily/(\d{4}-\d\d-\d\d)/\d"', text)
        assert shown is not None
        day = date.fromisoformat(shown[1])
        assert day in {earliest.date(), self.clock().date()}, (
            f"{day} shown between {earliest}, {self.clock()}"
        )
        assert f"Daily {number_of(day)}" in text
        return day

    def start(self, caller: Caller, day: date, level: str, *, expected: int | None) -> int:
        """Start a day's puzzle and record which it is."""
        form = [("daily", day.isoformat()), ("level", level), ("ranked", "1")]
        status, text, location = caller.request("POST", "/attempts", form)
        self.outcome.asked[f"POST /attempts {status}"] += 1
        assert status < 500 and expected in (status, None), f"{status} {text[:200]}"
        if status == 303:
            status_of_board, board, _location = caller.request("GET", location)
            self.outcome.asked[f"GET /attempts/… {status_of_board}"] += 1
            assert status_of_board == 200
            givens = re.search(r'data-givens="([\d.]{81})"', board)
            assert givens is not None
            self.outcome.boards.setdefault((day.isoformat(), level), set()).add(givens[1])
        return status


def change_of_day(folder: Path, *, clients: int, seconds: float, gap: bool, **environment: str) -> Outcome:
    """Run clients over a midnight, `seconds` before and after; with `gap` the new day is not scheduled."""
    instance = folder / "instance"
    clock, outcome = OffsetClock(instance), Outcome()
    settings = Settings.from_environment({"INSTANCE_PATH": str(instance)} | environment)
    clock.set(MIDNIGHT - timedelta(hours=12))
    app = create_app(settings, clock=clock)
    with app.app_context():
        upgrade()
        for daily in schedule.schedule(clock(), rated=False):
            if gap and daily.date == AFTER:
                break
    with web(folder, instance, command=WEB, **environment) as (caller, _process):
        clock.set(MIDNIGHT - timedelta(seconds=seconds))
        until = MIDNIGHT + timedelta(seconds=seconds)
        threads = [
            threading.Thread(target=Client(caller.port, clock, outcome, seed).run, args=(until,))
            for seed in range(clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with app.app_context():
        rows = db.session.execute(sa.select(Daily.date, Daily.level, Puzzle.givens).join(Daily.puzzle)).all()
        db.session.remove()
        db.engine.dispose()
    right = {(row.date.isoformat(), str(row.level)): {row.givens} for row in rows}
    for which, seen in outcome.boards.items():
        if right.get(which) != seen:
            outcome.wrong.append(f"{which}: {len(seen)} different puzzles, or not the one scheduled")
    if "Traceback" in (folder / "log").read_text():
        outcome.wrong.append("the log has a traceback")
    return outcome
