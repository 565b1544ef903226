"""The state of the bank: stock, consumption, days left, and how well levels match players' times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

import engine
from engine.generation import ANY
from webapp.bank import bank
from webapp.curation.orders import orders
from webapp.curation.orders.orders import Wish
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Order, Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, BadStart, Changed, NotFound
from webapp.process.words import gettext as _

WINDOW = timedelta(days=14)  # of the average consumption
IN_THE_BANK = (Status.APPROVED, Status.CANDIDATE, Status.DAILY)
FEWEST_ORDERED, MOST_ORDERED = 10, 500  # puzzles in one automatic order
BUDGET_EACH = timedelta(seconds=5)  # of work per puzzle
BUDGET_OF_THEME = timedelta(seconds=60)  # the same for a puzzle with a required technique
ER_STEP = 0.5
# Statuses to relabel; a daily's level is public
RELABELLED = (Status.CANDIDATE, Status.APPROVED, Status.REJECTED)
LONGEST_NOTE = 200


@dataclass(frozen=True, slots=True)
class LevelStock:
    """A level's stock and consumption."""

    level: int
    fresh: int  # approved and never started
    candidates: int
    a_day: float  # puzzles started for the first time, over the last 14 days

    @property
    def days(self) -> float | None:
        """Days until it is empty; None without consumption."""
        return self.fresh / self.a_day if self.a_day else None


@dataclass(frozen=True, slots=True)
class Part:
    """One bar of a distribution."""

    key: str  # a technique's name, or the lower end of an ER interval
    puzzles: int


def levels(now: datetime) -> list[LevelStock]:
    """Return the stock of every level."""
    fresh = bank.fresh_stock()
    candidates = _by_level(Puzzle.status == Status.CANDIDATE)
    started = _by_level(
        Puzzle.first_started_at > now - WINDOW, Puzzle.status.in_((Status.APPROVED, Status.DAILY))
    )
    days = WINDOW / timedelta(days=1)
    return [
        LevelStock(level, fresh[level], candidates[level], started[level] / days) for level in bank.LEVELS
    ]


def _by_level(*conditions: sa.ColumnElement[bool]) -> dict[int, int]:
    rows = db.session.execute(
        sa.select(Puzzle.level, sa.func.count().label("found")).where(*conditions).group_by(Puzzle.level)
    )
    return dict.fromkeys(bank.LEVELS, 0) | {row.level: row.found for row in rows}


def order_ahead(days: int, now: datetime) -> list[int]:
    """Order candidates for every level whose stock, including open candidates, lasts less than `days`.

    At most one open order per level. Returns the ids of the new orders.
    """
    placed = []
    for stock in levels(now):
        wanted = math.ceil(stock.a_day * days) - stock.fresh - stock.candidates
        if wanted > 0 and not _ordered(stock.level):
            count = min(max(wanted, FEWEST_ORDERED), MOST_ORDERED)
            budget = min(count * BUDGET_EACH, orders.LONGEST)
            recipe = {"level": stock.level, "symmetry": ANY}
            placed.append(orders.place(Wish(recipe, count, budget), None, now))
    return placed


def _ordered(level: int) -> bool:
    """Whether an automatic order for a level is open."""
    under_way = sa.select(Order.recipe).where(Order.curator_id.is_(None), Order.state.in_(orders.AT_WORK))
    recipes = map(orders.recipe_of, db.session.scalars(under_way))
    return any(recipe.get("level") == level for recipe in recipes)


def er_bars() -> list[Part]:
    """Count the bank's puzzles per half point of ER, including empty intervals in between."""
    rows = db.session.execute(
        sa.select(sa.NotNullable(Puzzle.explainer), sa.func.count().label("found"))
        .where(Puzzle.status.in_(IN_THE_BANK), Puzzle.explainer.is_not(None))
        .group_by(Puzzle.explainer)
    )
    counts: dict[int, int] = {}
    for rating, found in rows:
        bar = math.floor(rating / ER_STEP)
        counts[bar] = counts.get(bar, 0) + found
    if not counts:
        return []
    return [Part(f"{bar * ER_STEP:.1f}", counts.get(bar, 0)) for bar in range(min(counts), max(counts) + 1)]


def technique_bars() -> list[Part]:
    """Count the bank's puzzles by their hardest technique, easiest first."""
    rows = db.session.execute(
        sa.select(Puzzle.hardest, sa.func.count().label("found"))
        .where(Puzzle.status.in_(IN_THE_BANK), Puzzle.hardest.is_not(None))
        .group_by(Puzzle.hardest)
    )
    counts = {row.hardest: row.found for row in rows}
    return [Part(key, counts[key]) for key in engine.TECHNIQUES if key in counts]


def relabel(
    puzzle_id: int, level: int, seen: int, note: str, curator: Identity | None, now: datetime
) -> None:
    """Override the level of a puzzle; later ratings don't change it.

    seen: the version the curator saw. Raises NotFound, BadInput, Changed if it has changed since, and
    BadStart for a daily.
    """
    if level not in bank.LEVELS:
        raise BadInput(level=_("Choose a level from 1 to 5."))
    note = texts.checked("note", note, LONGEST_NOTE, lines=True)
    with write_tx():
        puzzle = db.session.get(Puzzle, puzzle_id, with_for_update=True)
        if puzzle is None or puzzle.status == Status.ENTERED:
            raise NotFound(_("We couldn’t find that puzzle."))
        if puzzle.status not in RELABELLED:
            raise BadStart(_("This puzzle is a daily. Players have already seen its level."))
        if puzzle.version != seen:
            message = _("Someone changed this puzzle while you were looking. Take another look.")
            raise Changed(message, puzzle_id)
        before = {"level": puzzle.level, "relabelled": puzzle.relabelled}
        puzzle.level, puzzle.relabelled = level, True
        puzzle.version += 1
        after = {"level": level, "relabelled": True}
        audit.record(
            curator, "relabel", ("puzzle", puzzle_id), at=now, before=before, after=after, note=note or None
        )
