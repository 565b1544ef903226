"""Orders: puzzles generated to a specification, each stored as a candidate once found.

The work of an order is numbered from 0, and puzzle n comes from seed + n. So repeating a piece of work after
a crash generates the same puzzle and finds it stored: `made` is exactly the number of puzzles that refer to
the order.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

import engine
from engine.generation import OutOfTime, Symmetry
from webapp.bank import bank
from webapp.curation.puzzles.tables import JobState, Order
from webapp.curation.words import symmetry_name
from webapp.game.steps.names import technique_name
from webapp.identity import audit, failures
from webapp.identity.players import Identity
from webapp.models import Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, BadStart, NotFound
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.i18n import level_name

MOST_COUNT = 500
LONGEST = timedelta(hours=24)
BUDGET = timedelta(minutes=30)  # of work, over all puzzles
MOST_LISTED = 20
OPEN = (JobState.QUEUED, JobState.RUNNING)
MOST_REFUSED = 5  # consecutive failed recipes after which an order without any puzzle fails
MOST_KNOWN = 200  # consecutive misses or known puzzles after which an order gives up
LOOK_EVERY = 0.5  # seconds between checks that an order is still running


def place(
    curator: Identity | None,
    recipe: Mapping[str, Any],
    count: int,
    now: datetime,
    budget: timedelta = BUDGET,
) -> int:
    """Store an order for the workers. Returns its id. Raises BadInput naming the field.

    recipe: fields of engine.Recipe. curator: None for an operator.
    """
    wrong: dict[str, str] = {}
    if not 1 <= count <= MOST_COUNT:
        wrong["count"] = _("Enter a number from 1 to %(most)s.", most=MOST_COUNT)
    try:
        engine.Recipe.of(recipe)
    except engine.RecipeError as error:
        wrong[error.field] = _("Choose one of the options.")
        hardest, level = recipe.get("hardest"), recipe.get("level")
        if hardest in engine.TECHNIQUES and level in bank.LEVELS:
            wrong[error.field] = _(
                "%(technique)s isn’t one of the %(level)s techniques.",
                technique=technique_name(str(hardest)),
                level=level_name(int(str(level))),
            )
    if wrong:
        raise BadInput(**wrong)
    facts = {"recipe": dict(recipe), "count": count}
    with write_tx():
        order = Order(
            curator_id=None if curator is None else curator.id,
            recipe=json.dumps(recipe),
            seed=str(secrets.randbits(48)),
            count=count,
            budget_seconds=round(budget.total_seconds()),
            created_at=now,
        )
        db.session.add(order)
        db.session.flush()
        audit.record(curator, "order", ("order", order.id), at=now, after=facts)
        return order.id


def in_words(order: Order) -> list[str]:
    """Describe an order, one requirement at a time."""
    recipe = json.loads(order.recipe)
    words = []
    if "level" in recipe:
        words.append(level_name(recipe["level"]))
    if recipe.get("hardest") in engine.TECHNIQUES:
        words.append(technique_name(recipe["hardest"]))
    symmetry = recipe.get("symmetry", Symmetry.NONE.value)
    if symmetry != Symmetry.NONE.value:
        words.append(symmetry_name(symmetry))
    return words or [_("any puzzle")]


def latest() -> Sequence[Order]:
    """Return the latest orders, open ones first."""
    first = sa.case((Order.state.in_(OPEN), 0), else_=1)
    return db.session.scalars(sa.select(Order).order_by(first, Order.id.desc()).limit(MOST_LISTED)).all()


def cancel(curator: Identity, order_id: int, now: datetime) -> None:
    """Cancel an order and keep its puzzles. Raises NotFound, and BadStart if it has already ended."""
    with write_tx():
        order = _locked(order_id)
        if order is None:
            raise NotFound(_("We couldn’t find that order."))
        if order.state not in OPEN:
            raise BadStart(_("This order has already ended."))
        before = {"state": order.state}
        order.state, order.ended_at = JobState.CANCELLED, now
        after = {"state": order.state, "made": order.made}
        audit.record(curator, "cancel", ("order", order_id), at=now, before=before, after=after)


# In the background


def work(order_id: int, seconds: float, stopping: Callable[[], bool], clock: Callable[[], datetime]) -> bool:
    """Make puzzles for a running order for a while; True once it has ended. Each is stored at once.

    A search that is running when the time ends continues until the order's budget is spent.
    """
    began, worked = time.monotonic(), time.thread_time()
    refused = known = 0
    while True:
        order = _running(order_id)
        if order is None:
            return True
        # Several orders share the processors: waiting for one isn't work.
        left = order.budget_seconds - (time.thread_time() - worked)
        if left <= 0:
            return _end(order_id, clock(), known)
        if stopping() or time.monotonic() - began >= seconds:
            with write_tx():
                if (order := _locked(order_id)) is not None:
                    spent = max(1, round(time.thread_time() - worked))
                    order.budget_seconds = max(0, order.budget_seconds - spent)
            return False
        stop = _Stop(order_id, stopping, time.thread_time() + left)
        try:
            seed = int(order.seed) + order.tried
            made = engine.generate(engine.Recipe.of(json.loads(order.recipe)), seed, stop)
            puzzle = bank.new(
                made.grid,
                clock(),
                Status.CANDIDATE,
                method=made.method,
                seed=str(seed),
                recipe=order.recipe,
                order_id=order.id,
                **bank.rating_columns(made.grid),
            )
        except OutOfTime:
            continue
        except engine.RecipeError:
            puzzle, refused = None, refused + 1
        stored = _store(order, puzzle, clock())
        known = 0 if stored else known + 1
        refused = 0 if stored else refused
        if known >= MOST_KNOWN or (refused >= MOST_REFUSED and not order.made):
            return _end(order_id, clock(), known)


class _Stop:
    """Whether to stop: the worker stops, the time is up, or the order has ended. Cheap to call."""

    def __init__(self, order_id: int, stopping: Callable[[], bool], until: float) -> None:
        self._order_id, self._stopping, self._until = order_id, stopping, until
        self._looked, self._over = time.monotonic(), False

    def __call__(self) -> bool:
        if self._over or self._stopping() or time.thread_time() >= self._until:
            return True
        if time.monotonic() - self._looked >= LOOK_EVERY:
            self._looked, self._over = time.monotonic(), _running(self._order_id) is None
        return self._over


def _running(order_id: int) -> Order | None:
    """Return a running order, detached, without leaving a transaction open; None if it has ended."""
    order = db.session.get(Order, order_id, populate_existing=True)
    found = order if order is not None and order.state == JobState.RUNNING else None
    db.session.expunge_all()
    db.session.rollback()
    return found


def _store(order: Order, puzzle: Puzzle | None, now: datetime) -> bool:
    """Store a puzzle, or count a miss; False if the bank has an equivalent one or there was none."""
    with write_tx():
        current = _locked(order.id)
        if current is None or current.state != JobState.RUNNING or current.tried != order.tried:
            return False  # it has ended, or another worker has done this piece of work
        current.tried += 1
        twin = None if puzzle is None else bank.twin(puzzle.givens, puzzle.canonical)
        if puzzle is None or (twin is not None and twin.status != Status.ENTERED):
            return False
        bank.store(puzzle, twin)
        current.made += 1
        if current.made == current.count:
            current.state, current.ended_at = JobState.DONE, now
        return True


def _end(order_id: int, now: datetime, known: int) -> bool:
    """End an order before all its puzzles were made. Returns True."""
    with write_tx():
        order = _locked(order_id)
        if order is not None and order.state == JobState.RUNNING:
            tried = ngettext("One puzzle was tried.", "%(num)s puzzles were tried.", order.tried)
            if order.made or known >= MOST_KNOWN:
                order.state, reason = (
                    JobState.DONE,
                    _("Stopped early: time ran out, or no new puzzles turned up."),
                )
            else:
                order.state, reason = JobState.FAILED, _("No puzzle like this was found. Ask for less.")
            order.ended_at, order.message = now, f"{reason} {tried}"
    return True


def give_up(order_id: int, now: datetime) -> None:
    """End an order that keeps failing; the puzzles it has made stay."""
    with write_tx():
        order = _locked(order_id)
        if order is not None and order.state == JobState.RUNNING:
            order.state, order.ended_at, order.message = JobState.FAILED, now, failures.message()


def _locked(order_id: int) -> Order | None:
    return db.session.get(Order, order_id, with_for_update=True, populate_existing=True)
