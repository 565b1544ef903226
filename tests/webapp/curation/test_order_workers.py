"""An order processed by real workers: several at once, killed in the middle, gone for good."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.thorough import amount
from tests.webapp.processes import WORKER, Process, running, wait_until
from webapp.curation.orders import orders
from webapp.curation.orders.orders import Wish
from webapp.models import Heartbeat, Order, OrderState, Puzzle
from webapp.process.clock import now
from webapp.process.database import db, write_tx

pytestmark = pytest.mark.slow

ORDERED = amount("ORDERED", 48, 60)  # of fewer, a busy machine makes the rest between two polls
KILLS = amount("ORDER_KILLS", 2, 3)
MANY = 120  # seconds of work: neither worker finishes its own before the other's are taken over
PATIENCE = 300 + ORDERED + 20 * KILLS  # seconds


@contextmanager
def at_work(app: Flask, tmp_path: Path, *names: str) -> Iterator[list[Process]]:
    """Start workers with these names on the app's databases; their stock is full with one puzzle a level."""
    settings = app.extensions["settings"]
    on_sqlite = settings.database_url.startswith("sqlite")
    more = {} if on_sqlite else {"DATABASE_URL": settings.database_url}
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                running(
                    *WORKER,
                    "--name",
                    name,
                    instance=settings.instance_path,
                    log=tmp_path / f"{name}.log",
                    BANK_STOCK="1",
                    **more,
                )
            )
            for name in names
        ]


def placed(app: Flask, count: int) -> int:
    with app.app_context():
        levels = {"levels": [1, 2, 3, 4, 5]}
        return orders.place(Wish(levels, count, timedelta(hours=2), seed=7_000_000), None, now())


def state(app: Flask, order_id: int) -> tuple[str, int, int]:
    """Return state, made, tried."""
    with app.app_context():
        order = db.session.get(Order, order_id, populate_existing=True)
        assert order is not None
        found = (str(order.state), order.made, order.tried)
        db.session.remove()
        return found


def heartbeats(app: Flask) -> int:
    with app.app_context():
        found = db.session.scalar(sa.select(sa.func.count()).select_from(Heartbeat)) or 0
        db.session.remove()
        return found


def assert_each_once(app: Flask, order_id: int, count: int) -> None:
    with app.app_context():
        puzzles = db.session.scalars(sa.select(Puzzle).where(Puzzle.order_id == order_id)).all()
        assert len(puzzles) == count
        for column in ("givens", "canonical", "seed"):
            assert len({getattr(puzzle, column) for puzzle in puzzles}) == count, column
        alike = sa.select(Puzzle.canonical).group_by(Puzzle.canonical).having(sa.func.count() > 1)
        ordered = {puzzle.canonical for puzzle in puzzles}
        assert not ordered & set(db.session.scalars(alike))


@pytest.mark.both_databases
def test_two_workers_killed_again_and_again_end_with_exactly_what_was_ordered(
    fresh_app: Flask, tmp_path: Path
) -> None:
    order_id = placed(fresh_app, ORDERED)
    draws = random.Random(5)
    progress = [(0, 0)]
    kills = 0
    give_up = time.monotonic() + PATIENCE
    with at_work(fresh_app, tmp_path, "left", "right") as workers:
        while True:
            word, made, tried = state(fresh_app, order_id)
            progress.append((made, tried))
            if word == OrderState.DONE:
                break
            assert time.monotonic() < give_up, (word, made, tried, kills)
            # The kills are spread over the first half of it: the rest may be made between two polls.
            if kills < KILLS and 2 * made * (KILLS + 1) >= ORDERED * (kills + 1):
                worker = draws.choice(workers)
                worker.kill()
                worker.start()
                kills += 1
            time.sleep(0.1)
        assert kills == KILLS
    assert progress == sorted(progress)
    assert all(earlier[1] <= later[1] for earlier, later in itertools.pairwise(progress))
    assert progress[-1][0] == ORDERED
    assert_each_once(fresh_app, order_id, ORDERED)
    took = time.monotonic() - give_up + PATIENCE
    print(f"{ORDERED} made, each once, {kills} kills, {len(progress)} looks, {tried} seeds, {took:.0f} s")


def test_a_small_order_does_not_wait_for_one_that_finds_nothing(fresh_app: Flask, tmp_path: Path) -> None:
    with fresh_app.app_context():
        recipe = {"er": [5.3, 5.3]}  # no technique has this rating
        hopeless = orders.place(Wish(recipe, 20, timedelta(hours=2), seed=1), None, now())
    with at_work(fresh_app, tmp_path, "only"):
        wait_until(lambda: state(fresh_app, hopeless)[0] == OrderState.RUNNING)
        wait_until(lambda: heartbeats(fresh_app) > 0)
        began = time.monotonic()
        small = placed(fresh_app, 2)
        wait_until(lambda: state(fresh_app, small)[0] == OrderState.DONE)
        print(f"a small order was done after {time.monotonic() - began:.1f} s")
        assert state(fresh_app, hopeless)[:2] == (OrderState.RUNNING, 0)


def test_the_work_of_a_worker_that_never_comes_back_is_taken_over(fresh_app: Flask, tmp_path: Path) -> None:
    order_id = placed(fresh_app, MANY)
    with at_work(fresh_app, tmp_path, "gone") as workers:
        wait_until(lambda: state(fresh_app, order_id)[1] >= 1)
        workers[0].kill()
    with fresh_app.app_context(), write_tx():  # a minute later
        past = now() - timedelta(minutes=2)
        db.session.execute(sa.update(Heartbeat).values(seen_at=past))
    with at_work(fresh_app, tmp_path, "next"):
        wait_until(lambda: "taking over" in (tmp_path / "next.log").read_text())
        wait_until(lambda: state(fresh_app, order_id)[0] == OrderState.DONE)
    assert_each_once(fresh_app, order_id, MANY)
