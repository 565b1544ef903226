"""The budget for reading: an address that has spent its share reads no more, and all others do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.visitors import SetClock, Visitor
from webapp.identity import budget


@pytest.fixture
def purses(app: Flask) -> budget.Purses:
    app.extensions["purses"] = found = budget.Purses(30)
    return found


@pytest.mark.both_databases
def test_who_has_read_too_much_waits_and_plays_on(
    guest: Visitor,
    other: Visitor,
    purses: budget.Purses,
    clock: SetClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "FREE", 100.0)
    address = guest.start(grid=EASY)
    other.address = "203.0.113.5"
    purses.pay("127.0.0.1", 4 + 0.6, clock())
    refused = guest.get("/archive")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "2")
    assert guest.move(address, 1, ("digit", 0, 9)).status_code == 200
    assert other.get("/archive").status_code == 200
    clock.advance(seconds=3)
    assert guest.get("/archive").status_code == 200


def test_a_clock_that_was_ahead_locks_nobody_out(purses: budget.Purses, clock: SetClock) -> None:
    purses.pay("127.0.0.1", 4.6, clock() + timedelta(days=40))
    assert purses.wait("127.0.0.1", clock()) > 0
    clock.advance(seconds=3)
    assert purses.wait("127.0.0.1", clock()) == 0


def test_a_page_pays_for_what_it_takes_beyond_the_free_part(
    guest: Visitor, purses: budget.Purses, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "FREE", -5.0)
    assert guest.get("/archive").status_code == 200
    assert purses.wait("127.0.0.1", clock()) > 0
    assert purses.wait("127.0.0.2", clock()) == 0


def test_a_head_is_refused_and_pays_like_a_get(
    guest: Visitor, purses: budget.Purses, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "FREE", -5.0)
    assert guest.client.head("/archive").status_code == 200
    assert purses.wait("127.0.0.1", clock()) > 0
    assert guest.client.head("/archive").status_code == 429


def test_a_class_reads_at_once(purses: budget.Purses, clock: SetClock) -> None:
    """Thirty people who each open a page of 30 ms every three seconds."""
    for _ in range(100):
        for _ in range(30):
            assert purses.wait("203.0.113.5", clock()) == 0
            purses.pay("203.0.113.5", 0.03 - budget.FREE, clock())
        clock.advance(seconds=3)
