"""Orders: puzzles made to order, each stored as a candidate once found.

The work of an order is numbered from 0, and puzzle n comes from seed + n. So repeating a piece of work
after a crash makes the same puzzle and finds it stored. Any number of workers can share an
order: storing locks its row, and `made` is exactly the number of puzzles that refer to it.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from typing import Any

import sqlalchemy as sa

import engine
from engine.generation.to_order import Nearest, OutOfTime
from webapp.bank import bank
from webapp.game.steps.names import technique_name
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Order, OrderState, Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, BadStart, NotFound
from webapp.process.words import format_decimal, ngettext, reason_of
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

MOST_COUNT = 5000
LONGEST = timedelta(hours=24)
LARGEST_SEED = 2**62
MOST_REFUSED = 5  # unmet recipes in a row after which an order without any puzzle has failed
MOST_KNOWN = 200  # known puzzles in a row after which a lane gives up
LOOK_EVERY = 0.5  # seconds between two checks that an order is still running
MOST_LISTED = 50
LEVELS = "levels"  # in an order's recipe: levels taken in turn

AT_WORK = (OrderState.QUEUED, OrderState.RUNNING)


@dataclass(frozen=True, slots=True)
class Wish:
    """The specification of an order."""

    recipe: Mapping[str, Any]  # fields of engine.Recipe that are not their default, or LEVELS
    count: int
    budget: timedelta  # of work, over all puzzles
    seed: int | None = None  # None: random


@dataclass(frozen=True, slots=True)
class Lane:
    """A share of an order's work: first, first + step, first + 2 step ... Held by one worker at a time."""

    order_id: int
    run: int  # the run of the order this belongs to
    next: int  # the number of the puzzle to try next
    step: int
    left: float  # seconds of work
    refused: int = 0  # unmet recipes in a row
    known: int = 0  # known puzzles in a row


def place(
    wish: Wish,
    curator: Identity | None,
    now: datetime,
    said: Callable[[engine.RecipeError], str] = reason_of,
) -> int:
    """Store an order for the workers. Returns its id. Raises BadInput naming the field.

    said: puts into words why a recipe is refused.
    """
    _check(wish, said)
    order = Order(
        curator_id=None if curator is None else curator.id,
        recipe=json.dumps(wish.recipe, ensure_ascii=False),
        seed=str(secrets.randbits(48) if wish.seed is None else wish.seed),
        count=wish.count,
        budget_seconds=round(wish.budget.total_seconds()),
        state=OrderState.QUEUED,
        created_at=now,
    )
    with write_tx():
        db.session.add(order)
        db.session.flush()
        order_id = order.id
        audit.record(curator, "order", "order", order_id, at=now, after=_facts(order))
    return order_id


def _check(wish: Wish, said: Callable[[engine.RecipeError], str]) -> None:
    wrong: dict[str, str] = {}
    if not 1 <= wish.count <= MOST_COUNT:
        wrong["count"] = _("Enter a number from 1 to %(most)s.", most=MOST_COUNT)
    if not timedelta(seconds=1) <= wish.budget <= LONGEST:
        wrong["budget"] = _("Enter a time from one second to 24 hours.")
    if wish.seed is not None and not 0 <= wish.seed <= LARGEST_SEED:
        wrong["seed"] = _("Enter a whole number from 0 to %(most)s.", most=LARGEST_SEED)
    try:
        levels = wish.recipe.get(LEVELS, ())
        if not isinstance(levels, list | tuple) or len(levels) > MOST_COUNT:
            raise engine.RecipeError(LEVELS, "expected levels, such as [1, 2, 3]")
        for number in range(len(levels) or 1):
            recipe_at(wish.recipe, number)
    except engine.RecipeError as error:
        wrong[error.field] = said(error)
    if wrong:
        raise BadInput(**wrong)


def _facts(order: Order) -> dict[str, Any]:
    return {
        "recipe": json.loads(order.recipe),
        "seed": order.seed,
        "count": order.count,
        "budget_seconds": order.budget_seconds,
    }


def recipe_at(wanted: Mapping[str, Any], number: int) -> engine.Recipe:
    """Return the recipe of an order's puzzle `number`. Raises RecipeError naming the field."""
    own = dict(wanted)
    levels = own.pop(LEVELS, None)
    if levels:
        own["level"] = levels[number % len(levels)]
    return engine.Recipe.of(own)


def recipe_of(order_text: str) -> dict[str, Any]:
    """Parse an order's `recipe`."""
    recipe: dict[str, Any] = json.loads(order_text)
    return recipe


def recipe_text(recipe: engine.Recipe) -> str:
    """Return the JSON of the recipe fields that differ from their default."""
    return json.dumps(recipe.asked)


def of_id(order_id: int) -> Order:
    """Return the order with this id. Raises NotFound."""
    order = db.session.get(Order, order_id)
    if order is None:
        raise NotFound(_("We couldn’t find that order."))
    return order


def latest() -> Sequence[Order]:
    """Return the latest orders, active ones first."""
    at_work = sa.case((Order.state.in_(AT_WORK), 0), else_=1)
    return db.session.scalars(sa.select(Order).order_by(at_work, Order.id.desc()).limit(MOST_LISTED)).all()


def last(curator: Identity) -> Order | None:
    """Return the curator's latest order."""
    own = sa.select(Order).where(Order.curator_id == curator.id).order_by(Order.id.desc())
    return db.session.scalar(own.limit(1))


def cancel(order_id: int, curator: Identity | None, now: datetime) -> None:
    """Cancel an order and keep its puzzles. Raises NotFound, and BadStart if it has already ended."""
    _change(
        order_id,
        curator,
        "cancel",
        AT_WORK,
        {"state": OrderState.CANCELLED, "ended_at": now},
        _("This order has already ended."),
        now,
    )


def resume(order_id: int, curator: Identity | None, now: datetime) -> None:
    """Resume an incomplete order with its full budget.

    Raises NotFound, and BadStart if nothing is left to do.
    """
    _change(
        order_id,
        curator,
        "resume",
        (OrderState.DONE, OrderState.CANCELLED, OrderState.FAILED),
        {"state": OrderState.QUEUED, "ended_at": None, "message": None, "started_at": None},
        _("This order is already complete."),
        now,
    )


def _change(
    order_id: int,
    curator: Identity | None,
    action: str,
    states: Sequence[str],
    values: dict[str, Any],
    refusal: str,
    now: datetime,
) -> None:
    of_id(order_id)
    with write_tx():
        order = _locked(order_id)
        if order is None or order.state not in states or order.made >= order.count:
            raise BadStart(refusal)
        before = {"state": order.state, "made": order.made}
        for name, value in values.items():
            setattr(order, name, value)
        after = {"state": order.state, "made": order.made}
        audit.record(curator, action, "order", order_id, at=now, before=before, after=after)


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

    Every puzzle is stored immediately, so interrupted work can be repeated cheaply. The search for a puzzle
    that is under way when the time ends continues until the lane's budget is spent.
    """
    began, worked = time.monotonic(), time.thread_time()
    nearest = Nearest()
    number, refused, known = lane.next, lane.refused, lane.known
    wanted = _wanted(lane)
    recipe = {} if wanted is None else json.loads(wanted.recipe)
    db.session.rollback()

    def left() -> float:
        # Turns of several orders share the processors: waiting is not work.
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
    db.session.rollback()  # no transaction stays open while the engine works
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
    """Keep with the order what a turn has rated and what came nearest."""
    if not nearest.judged:
        return
    with write_tx():
        order = _locked(lane.order_id)
        if order is None:
            return
        order.judged += nearest.judged
        known = json.loads(order.nearest or "{}")
        nearer = (-nearest.met, nearest.gap) < (-known.get("met", 0), known.get("gap", inf))
        if nearest.reached is not None and nearer and not order.made:
            names = "field", "reached", "gap", "met"
            order.nearest = json.dumps({name: getattr(nearest, name) for name in names})


def tried_in_words(order: Order) -> str:
    """Say how much an order has rated and what came nearest; empty if it rated nothing."""
    if not order.judged:
        return ""
    words = ngettext("One puzzle was rated.", "%(num)s puzzles were rated.", order.judged)
    near = json.loads(order.nearest or "{}")
    if order.made or near.get("gap", 0) <= 0:  # it was in the range, and something else was amiss
        return words
    reached = near["reached"]
    name = {
        "er": lambda: _("ER %(er)s", er=f"{reached:.1f}"),
        "level": lambda: level_name(int(reached)),
        "minutes": lambda: _("%(minutes)s minutes", minutes=format_decimal(reached / 60, "0.0")),
    }.get(near["field"], lambda: technique_name(list(engine.TECHNIQUES)[int(reached)]))()
    # Not called inside the f-string, where extraction would not find the message.
    came = _("The closest one reached %(what)s.", what=name)
    return f"{words} {came}" if name else words


def _locked(order_id: int) -> Order | None:
    return db.session.get(Order, order_id, with_for_update=True)


def _store(lane: Lane, puzzle: Puzzle, clock: Callable[[], datetime]) -> bool | None:
    """Store a puzzle; False if the bank has an equivalent one, None if the order has ended."""
    with write_tx():
        order = _locked(lane.order_id)
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
    """Count an unmet recipe; False if that ends the order."""
    with write_tx():
        order = _locked(lane.order_id)
        if order is None or not _is_at(order, lane):
            return False
        order.tried += 1
        if refused < MOST_REFUSED or order.made:
            return refused < MOST_KNOWN
        order.state, order.ended_at = OrderState.FAILED, clock()
        order.message = _("No puzzle like this was found. Ask for less.")
        return False


def close(order_id: int, run: int, now: datetime) -> None:
    """End an order whose lanes have all ended before all puzzles were made."""
    with write_tx():
        order = _locked(order_id)
        if order is not None and order.state == OrderState.RUNNING and run_of(order) == run:
            order.state, order.ended_at = OrderState.DONE, now
            order.message = _("Stopped early: time ran out, or no new puzzles turned up.")
