"""The work of an order, in lanes: each puzzle is stored once found, so that interrupted work continues."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from math import inf

import sqlalchemy as sa

import engine
from engine.generation import Nearest, OutOfTime
from webapp.bank import bank
from webapp.curation.orders.orders import locked, recipe_at, recipe_text
from webapp.identity import failures
from webapp.models import Order, OrderState, Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.words import gettext as _

MOST_REFUSED = 5  # consecutive failed recipes after which an order without any puzzle fails
MOST_KNOWN = 200  # consecutive known puzzles after which a lane gives up
LOOK_EVERY = 0.5  # seconds between checks that an order is still running


@dataclass(frozen=True, slots=True)
class Lane:
    """A share of an order's work: first, first + step, first + 2 step ... One worker at a time has it."""

    order_id: int
    run: int  # the order's run that it belongs to
    next: int  # number of the next puzzle to try
    step: int
    left: float  # remaining seconds of work
    refused: int = 0  # consecutive failed recipes
    known: int = 0  # consecutive known puzzles


def take_up(now: datetime) -> list[int]:
    """Start waiting orders. Returns their ids."""
    waiting = sa.select(Order.id).where(Order.state == OrderState.QUEUED).order_by(Order.id)
    ids = list(db.session.scalars(waiting))
    db.session.rollback()
    if ids:
        with write_tx():
            chosen = sa.update(Order).where(Order.id.in_(ids), Order.state == OrderState.QUEUED)
            db.session.execute(chosen.values(state=OrderState.RUNNING, started_at=now))
    return ids


def running() -> list[Order]:
    """Return the running orders, oldest first, detached from the session."""
    found = list(
        db.session.scalars(sa.select(Order).where(Order.state == OrderState.RUNNING).order_by(Order.id))
    )
    db.session.expunge_all()
    db.session.rollback()
    return found


def run_of(order: Order) -> int:
    """Return the id of an order's current run: its start in microseconds since 1970."""
    assert order.started_at is not None
    return round(order.started_at.timestamp() * 1_000_000)


def lanes(order: Order, most: int) -> list[Lane]:
    """Split the remaining work of a running order into at most that many lanes."""
    count = min(most, order.count - order.made)
    share = order.budget_seconds / count
    return [Lane(order.id, run_of(order), order.tried + number, count, share) for number in range(count)]


def work(
    lane: Lane, seconds: float, stopping: Callable[[], bool], clock: Callable[[], datetime]
) -> Lane | None:
    """Work on a lane for a while. Returns the remaining lane, or None if it is finished.

    Every puzzle is stored immediately, so interrupted work can be repeated cheaply. A search that is running
    when the time ends continues until the lane's budget is spent.
    """
    began, worked = time.monotonic(), time.thread_time()
    nearest = Nearest()
    number, refused, known = lane.next, lane.refused, lane.known
    wanted = _wanted(lane)
    recipe = {} if wanted is None else json.loads(wanted.recipe)
    db.session.rollback()

    def left() -> float:
        # Several orders share the processors: waiting for one isn't work.
        return lane.left - (time.thread_time() - worked)

    stop = _Stop(lane, stopping, left)
    while wanted is not None and not stop():
        seed = int(wanted.seed) + number
        if not _stored(lane.order_id, seed):
            try:
                puzzle = _candidate(recipe_at(recipe, number), seed, lane.order_id, clock, stop, nearest)
            except OutOfTime:
                break
            except engine.RecipeError:
                refused += 1
                if not _miss(lane, refused, clock):
                    _hear(lane, nearest)
                    return None
            else:
                refused = 0
                outcome = _store(lane, puzzle, clock)
                if outcome is None:
                    return None
                known = 0 if outcome else known + 1
        number += lane.step
        if known >= MOST_KNOWN:
            return None
        if time.monotonic() - began >= seconds:
            break
    _hear(lane, nearest)
    if wanted is None or left() <= 0 or not _running(lane):
        return None
    return Lane(lane.order_id, lane.run, number, lane.step, left(), refused, known)


class _Stop:
    """Whether to stop: the worker stops, the lane's time is up, or the order has ended. Cheap to call."""

    def __init__(self, lane: Lane, stopping: Callable[[], bool], left: Callable[[], float]) -> None:
        self._lane, self._stopping, self._left = lane, stopping, left
        self._looked = time.monotonic()
        self._over = False

    def __call__(self) -> bool:
        if self._over or self._stopping() or self._left() <= 0:
            return True
        if time.monotonic() - self._looked >= LOOK_EVERY:
            self._looked = time.monotonic()
            self._over = not _running(self._lane)
        return self._over


def _wanted(lane: Lane) -> Order | None:
    order = db.session.get(Order, lane.order_id)
    if order is None or not _is_at(order, lane):
        return None
    db.session.expunge(order)
    return order


def _running(lane: Lane) -> bool:
    order = db.session.get(Order, lane.order_id, populate_existing=True)
    at_work = order is not None and _is_at(order, lane)
    db.session.rollback()  # no open transaction while the engine works
    return at_work


def _is_at(order: Order, lane: Lane) -> bool:
    return order.state == OrderState.RUNNING and order.made < order.count and run_of(order) == lane.run


def _stored(order_id: int, seed: int) -> bool:
    known = sa.exists().where(Puzzle.order_id == order_id, Puzzle.seed == str(seed))
    found = db.session.scalar(sa.select(known))
    db.session.rollback()
    return bool(found)


def _candidate(
    recipe: engine.Recipe,
    seed: int,
    order_id: int,
    clock: Callable[[], datetime],
    stop: Callable[[], bool],
    nearest: Nearest,
) -> Puzzle:
    made = engine.generate(recipe, seed, stop, nearest)
    return Puzzle(
        givens=str(made.grid),
        canonical=str(engine.canonical_form(made.grid)),
        status=Status.CANDIDATE,
        method=made.method,
        seed=str(seed),
        recipe=recipe_text(recipe),
        order_id=order_id,
        engine_version=made.engine_version,
        created_at=clock(),
        **bank.rating_of(made.grid),
    )


def _hear(lane: Lane, nearest: Nearest) -> None:
    """Record in the order how many puzzles were rated, and which came nearest."""
    if not nearest.judged:
        return
    with write_tx():
        order = locked(lane.order_id)
        if order is None:
            return
        order.judged += nearest.judged
        known = json.loads(order.nearest or "{}")
        nearer = (-nearest.met, nearest.gap) < (-known.get("met", 0), known.get("gap", inf))
        if nearest.reached is not None and nearer and not order.made:
            names = "field", "reached", "gap", "met"
            order.nearest = json.dumps({name: getattr(nearest, name) for name in names})


def _store(lane: Lane, puzzle: Puzzle, clock: Callable[[], datetime]) -> bool | None:
    """Store a puzzle; False if the bank has an equivalent one, None if the order has ended."""
    with write_tx():
        order = locked(lane.order_id)
        if order is None or not _is_at(order, lane):
            return None
        twin = bank.twin(puzzle.givens, puzzle.canonical)
        if twin is not None and (twin.order_id, twin.seed) == (puzzle.order_id, puzzle.seed):
            return True  # this piece of work was already done
        order.tried += 1
        if twin is not None and twin.status != Status.ENTERED:
            return False
        bank.put(puzzle, twin)
        order.made += 1
        if order.made == order.count:
            order.state, order.ended_at = OrderState.DONE, clock()
        return True


def _miss(lane: Lane, refused: int, clock: Callable[[], datetime]) -> bool:
    """Count a failed recipe; False if that ends the order."""
    with write_tx():
        order = locked(lane.order_id)
        if order is None or not _is_at(order, lane):
            return False
        order.tried += 1
        if refused < MOST_REFUSED or order.made:
            return refused < MOST_KNOWN
        order.state, order.ended_at = OrderState.FAILED, clock()
        order.message = _("No puzzle like this was found. Ask for less.")
        return False


def give_up(order_id: int, now: datetime) -> None:
    """End an order that keeps failing; the puzzles it has made stay."""
    with write_tx():
        order = locked(order_id)
        if order is not None and order.state == OrderState.RUNNING:
            order.state, order.ended_at, order.message = OrderState.FAILED, now, failures.message()


def close(order_id: int, run: int, now: datetime) -> None:
    """End an order whose lanes have all ended before all puzzles were generated."""
    with write_tx():
        order = locked(order_id)
        if order is not None and order.state == OrderState.RUNNING and run_of(order) == run:
            order.state, order.ended_at = OrderState.DONE, now
            order.message = _("Stopped early: time ran out, or no new puzzles turned up.")
