"""Orders: puzzles generated to a specification, each stored as a candidate once found.

The work of an order is numbered from 0, and puzzle n comes from seed + n. So repeating a piece of work after
a crash generates the same puzzle and finds it stored. Any number of workers can share an
order: storing locks its row, and `made` is exactly the number of puzzles that refer to it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

import engine
from webapp.game.steps.names import technique_name
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Order, OrderState
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, BadStart, NotFound
from webapp.process.words import format_decimal, ngettext, reason_of
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

MOST_COUNT = 5000
LONGEST = timedelta(hours=24)
LARGEST_SEED = 2**62
MOST_LISTED = 50
LEVELS = "levels"  # field of an order's recipe: levels to alternate

AT_WORK = (OrderState.QUEUED, OrderState.RUNNING)


@dataclass(frozen=True, slots=True)
class Wish:
    """The specification of an order."""

    recipe: Mapping[str, Any]  # fields of engine.Recipe that differ from their default, or LEVELS
    count: int
    budget: timedelta  # of work, over all puzzles
    seed: int | None = None  # None: random


def place(
    wish: Wish,
    curator: Identity | None,
    now: datetime,
    said: Callable[[engine.RecipeError], str] = reason_of,
) -> int:
    """Store an order for the workers. Returns its id. Raises BadInput naming the field.

    said: returns the message for a refused recipe.
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
        audit.record(curator, "order", ("order", order_id), at=now, after=_facts(order))
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
        order = locked(order_id)
        if order is None or order.state not in states or order.made >= order.count:
            raise BadStart(refusal)
        before = {"state": order.state, "made": order.made}
        for name, value in values.items():
            setattr(order, name, value)
        after = {"state": order.state, "made": order.made}
        audit.record(curator, action, ("order", order_id), at=now, before=before, after=after)


def tried_in_words(order: Order) -> str:
    """Describe how many puzzles an order has rated and which came nearest; empty if none."""
    if not order.judged:
        return ""
    words = ngettext("One puzzle was rated.", "%(num)s puzzles were rated.", order.judged)
    near = json.loads(order.nearest or "{}")
    if order.made or near.get("gap", 0) <= 0:  # the value was in range, and another requirement failed
        return words
    reached = near["reached"]
    name = {
        "er": lambda: _("ER %(er)s", er=f"{reached:.1f}"),
        "level": lambda: level_name(int(reached)),
        "minutes": lambda: _("%(minutes)s minutes", minutes=format_decimal(reached / 60, "0.0")),
    }.get(near["field"], lambda: technique_name(list(engine.TECHNIQUES)[int(reached)]))()
    # Outside the f-string, where extraction would miss the message.
    came = _("The closest one reached %(what)s.", what=name)
    return f"{words} {came}" if name else words


def locked(order_id: int) -> Order | None:
    return db.session.get(Order, order_id, with_for_update=True)
