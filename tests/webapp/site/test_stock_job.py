"""The job that keeps the bank stocked: its order, and its time limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.conftest import EASY
from webapp.bank import bank, capability, systems
from webapp.models import Puzzle
from webapp.process.clock import now
from webapp.process.database import db, write_tx
from webapp.process.jobs import work_through

pytestmark = [pytest.mark.strictest_database, pytest.mark.usefixtures("small")]


@pytest.fixture
def small(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that keeps two fresh puzzles of each level and of one system, and is not about to stop."""
    monkeypatch.setattr(systems, "RECIPES", {"a3": systems.RECIPES["a3"]})
    monkeypatch.setitem(inside.extensions, "settings", replace(inside.extensions["settings"], bank_stock=2))
    monkeypatch.setitem(inside.extensions, "stopping", threading.Event())


def test_the_bank_is_filled_before_entered_puzzles_are_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    with write_tx():
        db.session.execute(sa.delete(Puzzle))
        bank.entered(engine.parse(EASY), now(), None)
    seen: list[int] = []
    rate_anew = bank.rate_anew

    def watched(*, promised_only: bool = False) -> Iterator[int]:
        if not promised_only:
            seen.append(min(bank.fresh_stock().values()))
        return rate_anew(promised_only=promised_only)

    monkeypatch.setattr(bank, "rate_anew", watched)
    for job in capability.CAPABILITY.jobs[:2]:
        job.work(now())
    assert seen == [2]
    assert set(db.session.scalars(sa.select(Puzzle.rating_version))) == {bank.RATED}


def test_the_stock_follows_use() -> None:
    capability.fill(now())
    least = bank.fresh_stock()
    assert capability.fill(now()) == 0
    with write_tx():
        begun = db.session.scalars(sa.select(Puzzle).where(Puzzle.level == 2).limit(1)).one()
        begun.first_started_at = now()
    assert capability.fill(now()) == 2  # its replacement, and one more for the next day
    assert bank.fresh_stock() == least | {2: least[2] + 1}


def test_jobs_rest_four_times_as_long_as_they_compute() -> None:
    def busy() -> Iterator[int]:
        for number in range(3):
            until = time.thread_time() + 0.02
            while time.thread_time() < until:
                pass
            yield number

    began, used = time.monotonic(), time.thread_time()
    assert work_through(busy()) == 3
    assert time.thread_time() - used <= 0.25 * (time.monotonic() - began)


def test_ratings_leave_room_for_the_next_run() -> None:
    assert work_through(iter([1, 2, 3]), timedelta()) == 0
    assert work_through(iter([1, 2, 3])) == 3
