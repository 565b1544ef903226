"""Orders: puzzles made to order, by any number of workers that may die at any time."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.generation.to_order import Nearest
from tests.thorough import amount
from tests.webapp.visitors import SetClock
from webapp.bank import bank
from webapp.curation.orders import lanes, orders
from webapp.curation.orders.lanes import Lane
from webapp.curation.orders.orders import Wish
from webapp.models import AuditEntry, Order, OrderState, Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, BadStart

pytestmark = pytest.mark.usefixtures("inside")

NOW = SetClock.time
CORA = None  # the log says that it was no curator


def wish(count: int = 3, *, budget: float = 60, seed: int = 1000, **recipe: Any) -> Wish:
    return Wish(recipe or {"level": 1}, count, timedelta(seconds=budget), seed)


def lane_of(order_id: int, most: int = 1) -> Lane:
    lanes.take_up(NOW)
    return lanes.lanes(orders.of_id(order_id), most)[0]


def work(lane: Lane, seconds: float = 60) -> Lane | None:
    return lanes.work(lane, seconds, lambda: False, lambda: NOW)


def stored(order_id: int) -> list[Puzzle]:
    return list(
        db.session.scalars(sa.select(Puzzle).where(Puzzle.order_id == order_id).order_by(Puzzle.seed))
    )


def test_an_order_is_made_and_every_puzzle_says_how() -> None:
    order_id = orders.place(wish(3, level=2, symmetry="half_turn"), CORA, NOW)
    assert work(lane_of(order_id)) is None
    order = orders.of_id(order_id)
    assert (order.state, order.made, order.tried, order.ended_at) == (OrderState.DONE, 3, 3, NOW)
    for number, puzzle in enumerate(stored(order_id)):
        assert puzzle.status == Status.CANDIDATE
        assert puzzle.seed == str(1000 + number)
        recipe = engine.Recipe(**json.loads(puzzle.recipe))
        assert recipe == engine.Recipe(level=2, symmetry="half_turn")
        assert str(engine.generate(recipe, int(puzzle.seed)).grid) == puzzle.givens
        rating = engine.rate(engine.parse(puzzle.givens))
        assert (puzzle.level, puzzle.explainer) == (2, rating.scores["explainer"])
        breakdown = json.loads(puzzle.breakdown)
        assert breakdown["counts"] == rating.counts
        assert breakdown["openings"] == list(rating.openings)
        assert puzzle.engine_version == engine.__version__


def test_levels_are_taken_in_turn() -> None:
    order_id = orders.place(wish(6, levels=[1, 2, 3]), CORA, NOW)
    work(lane_of(order_id))
    assert [puzzle.level for puzzle in stored(order_id)] == [1, 2, 3, 1, 2, 3]


def test_work_done_a_second_time_stores_nothing_twice() -> None:
    order_id = orders.place(wish(4), CORA, NOW)
    lane = lane_of(order_id)
    assert work(lane, seconds=0) == replace(lane, next=1, left=pytest.approx(60, abs=5))
    work(lane, seconds=0)
    assert (orders.of_id(order_id).made, orders.of_id(order_id).tried) == (1, 1)
    work(lane)
    order = orders.of_id(order_id)
    assert (order.made, order.tried, len(stored(order_id))) == (4, 4, 4)


def test_two_at_one_order_make_exactly_what_was_asked_for(app: Flask) -> None:
    order_id = orders.place(wish(9, levels=[1, 2]), CORA, NOW)
    lane_of(order_id)
    shares = lanes.lanes(orders.of_id(order_id), 3)
    db.session.remove()

    def at_work(lane: Lane) -> None:
        with app.app_context():
            assert work(lane) is None

    # The first share twice: a worker presumed dead that is not.
    threads = [threading.Thread(target=at_work, args=(lane,)) for lane in (*shares, shares[0])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    order = orders.of_id(order_id)
    found = stored(order_id)
    assert (order.state, order.made, len(found)) == (OrderState.DONE, 9, 9)
    assert len({puzzle.canonical for puzzle in found}) == 9
    assert len({puzzle.seed for puzzle in found}) == 9


@pytest.mark.both_databases
def test_a_puzzle_that_the_bank_has_in_another_guise_is_not_stored() -> None:
    made = engine.generate(engine.Recipe(level=1), 1000).grid
    guise = engine.Grid(made.digits[::-1])  # rotated by 180 degrees
    with write_tx():
        bank.entered(guise, NOW, None).status = Status.REJECTED
    order_id = orders.place(wish(2), CORA, NOW)
    work(lane_of(order_id))
    order = orders.of_id(order_id)
    assert (order.made, order.tried) == (2, 3)
    assert [puzzle.seed for puzzle in stored(order_id)] == ["1001", "1002"]


@pytest.mark.both_databases
@pytest.mark.parametrize("transformed", [False, True])
def test_a_puzzle_that_a_player_has_entered_blocks_no_order(transformed: bool) -> None:
    made = engine.generate(engine.Recipe(level=1), 1000).grid
    with write_tx():
        bank.entered(engine.Grid(made.digits[::-1]) if transformed else made, NOW, None)
    order_id = orders.place(wish(2), CORA, NOW)
    work(lane_of(order_id))
    assert [puzzle.seed for puzzle in stored(order_id)] == ["1000", "1001"]
    assert {puzzle.status for puzzle in stored(order_id)} == {Status.CANDIDATE}


@pytest.mark.both_databases
def test_a_cancelled_order_stops_keeps_what_it_made_and_can_be_resumed() -> None:
    order_id = orders.place(wish(4), CORA, NOW)
    lane = work(lane_of(order_id), seconds=0)
    assert lane is not None
    orders.cancel(order_id, CORA, NOW)
    assert work(lane) is None
    assert (orders.of_id(order_id).state, orders.of_id(order_id).made) == (OrderState.CANCELLED, 1)
    with pytest.raises(BadStart):
        orders.cancel(order_id, CORA, NOW)
    orders.resume(order_id, CORA, NOW)
    assert lanes.take_up(NOW + timedelta(seconds=1)) == [order_id]
    assert work(lane) is None  # it belongs to the previous start
    assert orders.of_id(order_id).made == 1
    work(lanes.lanes(orders.of_id(order_id), 1)[0])
    assert (orders.of_id(order_id).made, len(stored(order_id))) == (4, 4)
    with pytest.raises(BadStart):
        orders.resume(order_id, CORA, NOW)
    actions = db.session.scalars(sa.select(AuditEntry.action).order_by(AuditEntry.id)).all()
    assert actions == ["order", "cancel", "resume"]


@pytest.mark.both_databases
def test_an_order_ends_with_what_it_has_when_its_time_is_spent() -> None:
    order_id = orders.place(wish(5), CORA, NOW)
    lane = lane_of(order_id)
    assert work(replace(lane, left=0.0)) is None
    lanes.close(order_id, lane.run, NOW)
    order = orders.of_id(order_id)
    assert (order.state, order.made) == (OrderState.DONE, 0)
    assert "time ran out" in order.message


@pytest.mark.both_databases
def test_an_order_that_ends_says_what_was_tried_and_what_was_nearest() -> None:
    order_id = orders.place(wish(1, er=[5.3, 5.3]), CORA, NOW)
    asked = count(1)
    lanes.work(lane_of(order_id), 60, lambda: next(asked) > 40, lambda: NOW)
    order = orders.of_id(order_id)
    assert order.judged > 0
    reached = json.loads(order.nearest)["reached"]
    expected = f"{order.judged} puzzles were rated. The closest one reached "
    assert orders.tried_in_words(order).startswith(expected)
    assert 1.0 <= reached < 5.3


def test_what_comes_nearer_later_replaces_what_was_nearest_of_another_wish() -> None:
    order_id = orders.place(wish(1, level=4, minutes=[1, 2]), CORA, NOW)
    lane = lane_of(order_id)
    for nearest, words in [
        (Nearest("level", 5.0, gap=1.0, judged=50_000), "The closest one reached Evil."),
        (
            Nearest("minutes", 400.0, gap=280.0, met=1, judged=45_413),
            "The closest one reached 6.7 minutes.",
        ),
        (Nearest("level", 3.0, gap=1.0, judged=1), "The closest one reached 6.7 minutes."),
    ]:
        lanes._hear(lane, nearest)
        assert orders.tried_in_words(orders.of_id(order_id)).endswith(words)
    assert orders.tried_in_words(orders.of_id(order_id)).startswith("95,414 puzzles were rated. ")


@pytest.mark.strictest_database
@pytest.mark.slow
def test_an_order_that_cannot_be_met_fails_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    # The package has a function of the module's name.
    monkeypatch.setattr(
        import_module("engine.generation.generate"), "MOST_TRIES", amount("TRIES", 500, 10_000)
    )
    # No such puzzle is known, and every try is quick.
    recipe = {"most_givens": 17, "symmetry": "full"}
    order_id = orders.place(wish(1, budget=60, **recipe), CORA, NOW)
    assert work(lane_of(order_id), seconds=600) is None
    order = orders.of_id(order_id)
    assert (order.state, order.made) == (OrderState.FAILED, 0)
    assert order.message == "No puzzle like this was found. Ask for less."


def test_a_worker_that_stops_leaves_the_puzzle_it_was_at_for_later() -> None:
    order_id = orders.place(wish(2), CORA, NOW)
    lane = lane_of(order_id)
    left = lanes.work(lane, 60, lambda: True, lambda: NOW)
    assert left is not None
    assert left.next == lane.next
    assert orders.of_id(order_id).tried == 0


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (wish(0), "count"),
        (wish(5001), "count"),
        (wish(budget=0), "budget"),
        (wish(seed=-1), "seed"),
        (wish(level=6), "level"),
        (wish(levels=[1, 9]), "level"),
        (wish(levels=[5, 1], er=[7.0, 12.0]), "er"),
        (wish(level=5, er=[1.0, 4.5]), "er"),
        (wish(level=5, hardest="naked_pair"), "hardest"),
        (wish(hardest="naked_pair", er=[7.0, 12.0]), "er"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_by_field(bad: Wish, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        orders.place(bad, CORA, NOW)
    assert list(refused.value.fields) == [field]
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Order)) == 0
