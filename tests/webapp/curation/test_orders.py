"""Orders: puzzles made to a specification by workers that may die at any time."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.desk import Curator, entries
from tests.webapp.visitors import SetClock
from webapp.bank import bank
from webapp.curation.puzzles import orders
from webapp.curation.puzzles.tables import JobState, Order
from webapp.models import Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput

pytestmark = pytest.mark.usefixtures("inside")

NOW = SetClock.time


def place(count: int = 2, seconds: float = 60, **recipe: Any) -> int:
    """Place an order and start it."""
    number = orders.place(None, recipe or {"level": 1}, count, NOW, timedelta(seconds=seconds))
    with write_tx():
        order = db.session.get_one(Order, number)
        order.state, order.seed = JobState.RUNNING, "1000"
    return number


def work(number: int, seconds: float = 60, *, stopping: bool = False) -> bool:
    return orders.work(number, seconds, lambda: stopping, lambda: NOW)


def order(number: int) -> Order:
    return db.session.get_one(Order, number, populate_existing=True)


def made(number: int) -> list[Puzzle]:
    return list(db.session.scalars(sa.select(Puzzle).where(Puzzle.order_id == number).order_by(Puzzle.seed)))


@pytest.mark.both_databases
def test_it_works() -> None:
    number = place(3, level=2, symmetry="half_turn")
    assert work(number)
    found = order(number)
    assert (found.state, found.made, found.tried, found.ended_at) == (JobState.DONE, 3, 3, NOW)
    for at, puzzle in enumerate(made(number)):
        assert (puzzle.status, puzzle.level, puzzle.seed) == (Status.CANDIDATE, 2, str(1000 + at))
        assert json.loads(puzzle.recipe or "") == {"level": 2, "symmetry": "half_turn"}
        assert engine.verdict(engine.parse(puzzle.givens)) is engine.Verdict.UNIQUE


@pytest.mark.both_databases
def test_a_puzzle_that_the_bank_has_is_not_stored_again() -> None:
    first = place(1)
    work(first)
    again = place(1)
    assert work(again)
    assert (order(again).made, order(again).tried) == (1, 2)


def test_a_worker_that_stops_leaves_the_rest_for_later() -> None:
    number = place(2)
    assert not work(number, stopping=True)
    assert (order(number).state, order(number).made) == (JobState.RUNNING, 0)
    assert work(number)
    assert order(number).made == 2


@pytest.mark.both_databases
def test_two_at_one_order_make_exactly_what_was_asked_for(app: Flask) -> None:
    with app.app_context():
        number = place(4)

    def alongside() -> None:
        with app.app_context():
            while not work(number):
                pass

    threads = [threading.Thread(target=alongside) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with app.app_context():
        assert (order(number).made, len(made(number))) == (4, 4)
        assert {puzzle.seed for puzzle in made(number)} == {"1000", "1001", "1002", "1003"}


def test_an_order_ends_when_its_time_is_spent_and_says_so() -> None:
    number = place(500, seconds=1, level=1)
    while not work(number, 0.2):
        pass
    found = order(number)
    assert found.state == JobState.DONE
    assert 0 < found.made < 500
    assert "Stopped early" in (found.message or "")


def test_a_cancelled_order_keeps_what_it_made() -> None:
    number = place(2)
    with write_tx():
        order(number).state = JobState.CANCELLED
    assert work(number)
    assert made(number) == []


def test_a_puzzle_that_a_player_has_entered_blocks_no_order() -> None:
    first = place(1)
    work(first)
    with write_tx():
        (puzzle,) = made(first)
        puzzle.status, puzzle.order_id = Status.ENTERED, None
        version = puzzle.rating_version
    again = place(1)
    work(again)
    assert [found.status for found in made(again)] == [Status.CANDIDATE]
    assert version == bank.RATED


@pytest.mark.parametrize(
    ("recipe", "count", "field"),
    [
        ({"level": 1}, 0, "count"),
        ({"level": 1}, 501, "count"),
        ({"level": 6}, 1, "level"),
        ({"hardest": "nothing"}, 1, "hardest"),
        ({"level": 1, "hardest": "x_wing"}, 1, "hardest"),
        ({"symmetry": "round"}, 1, "symmetry"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_by_field(recipe: dict[str, Any], count: int, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        orders.place(None, recipe, count, NOW)
    assert list(refused.value.fields) == [field]


@pytest.mark.both_databases
def test_the_form_orders_and_cancels(app: Flask, cora: Curator) -> None:
    form = {"level": "4", "hardest": "x_wing", "symmetry": "any", "count": "3"}
    assert cora.post("/admin/orders", form).status_code == 303
    cora.get("/admin/orders")
    (shown,) = cora.page.select(".jobs__one")
    assert "Hard · X-Wing · Any symmetry" in shown.text
    number = shown["id"].removeprefix("order-")
    assert cora.post(f"/admin/orders/{number}/cancel").status_code == 303
    assert cora.post(f"/admin/orders/{number}/cancel").status_code == 409
    assert [entry.action for entry in entries(app, "order")] == ["order", "cancel"]


def test_the_form_says_at_its_field_what_is_wrong(cora: Curator) -> None:
    refused = cora.post("/admin/orders", {"level": "1", "hardest": "x_wing", "count": "3"})
    assert (refused.status_code, "isn’t one of the Beginner techniques" in refused.text) == (422, True)
