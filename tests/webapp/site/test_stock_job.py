"""The job that keeps the bank stocked: what comes first, and for how long."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.conftest import EASY
from webapp.bank import bank
from webapp.models import Puzzle
from webapp.process.clock import now
from webapp.process.database import db, write_tx
from webapp.site.jobs import stock
from webapp.site.jobs.schedules import work_through

pytestmark = pytest.mark.both_databases


def test_the_bank_is_filled_before_entered_puzzles_are_rated(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with write_tx():
        db.session.execute(sa.delete(Puzzle))
        bank.entered(engine.parse(EASY), now(), None)
    seen: list[int] = []
    rate_anew = bank.rate_anew
    monkeypatch.setattr(
        bank, "rate_anew", lambda: seen.append(min(bank.fresh_stock().values())) or rate_anew()
    )
    monkeypatch.setitem(inside.extensions, "stopping", threading.Event())
    for step in stock.STEPS[:2]:
        step(inside)
    assert seen == [inside.extensions["settings"].bank_stock]
    assert set(db.session.scalars(sa.select(Puzzle.rating_version))) == {bank.RATED}


def test_ratings_leave_room_for_the_next_run(inside: Flask) -> None:
    del inside
    assert work_through(iter([1, 2, 3]), threading.Event(), timedelta()) == 0
    assert work_through(iter([1, 2, 3]), threading.Event()) == 3
