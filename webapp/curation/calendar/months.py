"""A month of the calendar: its slots, the gaps, and the puzzles that fit one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.bank import bank
from webapp.competition.daily import dailies, plan, rules, spare
from webapp.competition.daily.plan import TOLERANCE, Plan, Wish
from webapp.competition.daily.spare import Tier, Way
from webapp.curation import curation
from webapp.curation.calendar.calendar import FURTHEST, refuse_unknown
from webapp.models import Daily, DailyDraft, Puzzle, Status
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

PER_PAGE = 12  # puzzles per page of the picker
MOST_COUNTED = 1200  # puzzles of the picker
PLANNED = "plan"  # sorts by the day's plan
SHOWN_AHEAD = timedelta(days=13)  # of today, into the next month if need be
SORTS: dict[str, Any] = {
    PLANNED: None,
    "number": Puzzle.id,
    "er": Puzzle.explainer,
    "time": Puzzle.expected_seconds,
}


@dataclass(frozen=True, slots=True)
class Slot:
    """One level of one day."""

    day: date
    level: int
    daily: Daily | None
    released: bool
    near: bool = True  # so soon that a gap needs attention
    deviation: float | None = None  # from the planned time, as a share, if it is too large
    draft: Puzzle | None = None  # the draft for it
    off: bool = False  # whether its puzzle doesn't meet the plan

    @property
    def gap(self) -> bool:
        """Whether the slot is empty and can still be filled."""
        return self.daily is None and not self.released


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the calendar: a row per day, a slot per level; this month reaches two weeks ahead."""

    first: date
    levels: tuple[int, ...]
    rows: list[list[Slot]]
    unfilled: int  # gaps of the coming days, in any month
    moved: int  # unreleased dailies, in any month, whose rating now gives another level
    earlier: date | None
    later: date | None
    plan: Plan


@dataclass(frozen=True, slots=True)
class CandidatePage:
    """One page of the puzzles that fit a slot."""

    puzzles: Sequence[Puzzle]
    number: int  # from 1
    pages: int
    total: int  # at most MOST_COUNTED

    @property
    def more(self) -> bool:
        """Whether the count reached its limit, so that there are probably more."""
        return self.total == MOST_COUNTED


def month(first: date, now: datetime) -> Month:
    """Return the month that starts on `first`. Raises NotFound if it is outside the calendar."""
    today = dailies.today(now)
    earliest, latest = FIRST_DAY.replace(day=1), (today + FURTHEST).replace(day=1)
    if not earliest <= first <= latest:
        raise NotFound(_("The calendar doesn’t cover that month."))
    after = dailies.next_month(first)
    end = after if not first <= today < after else max(after, today + SHOWN_AHEAD + timedelta(days=1))
    query = sa.select(Daily).where(Daily.date >= first, Daily.date < end)
    found = {
        (daily.date, daily.level): daily
        for daily in db.session.scalars(query.options(sa.orm.joinedload(Daily.puzzle)))
    }
    levels = tuple(sorted({*dailies.LEVELS, *(level for _day, level in found)}))
    begin = max(first, FIRST_DAY)
    days = [begin + timedelta(days=number) for number in range((end - begin).days)]
    planned = Plan.between(first, end)
    drafts = _drafts(first, end)
    rows = [
        [
            _slot(day, level, found.get((day, level)), planned, today, drafts.get((day, level)))
            for level in levels
        ]
        for day in days
    ]
    return Month(
        first,
        levels,
        rows,
        len(dailies.gaps(today + timedelta(days=1), today + dailies.AHEAD, now)),
        _moved(today),
        (first - timedelta(days=1)).replace(day=1) if first > earliest else None,
        after if first < latest else None,
        planned,
    )


def _drafts(first: date, after: date) -> dict[tuple[date, int], Puzzle]:
    """Return the drafts from a day to before another."""
    query = sa.select(DailyDraft).where(DailyDraft.date >= first, DailyDraft.date < after)
    with_puzzle = query.options(sa.orm.joinedload(DailyDraft.puzzle))
    return {(draft.date, draft.level): draft.puzzle for draft in db.session.scalars(with_puzzle)}


def _slot(
    day: date, level: int, daily: Daily | None, planned: Plan, today: date, draft: Puzzle | None
) -> Slot:
    wish = planned.wish(day, level)
    deviation = None if daily is None else wish.deviation(daily.puzzle)
    if deviation is not None and abs(deviation) <= TOLERANCE:
        deviation = None
    off = daily is not None and day > today and not wish.met_by(daily.puzzle)
    return Slot(day, level, daily, day <= today, day <= today + dailies.AHEAD, deviation, draft, off)


def _moved(today: date) -> int:
    """Count the unreleased dailies whose puzzle's rating now gives another level than announced."""
    elsewhere = sa.and_(Puzzle.rated_level != Daily.level, ~Puzzle.relabelled)
    found = sa.select(sa.func.count()).select_from(Daily).join(Daily.puzzle)
    return db.session.scalar(found.where(Daily.date > today, elsewhere)) or 0


def slot(day: date, level: int, now: datetime) -> Slot:
    """Return one level of one day. Raises BadInput if the calendar has no such day or level."""
    refuse_unknown(day, level, now)
    query = sa.select(Daily).where(Daily.date == day, Daily.level == level)
    draft = _drafts(day, day + timedelta(days=1)).get((day, level))
    return _slot(day, level, db.session.scalar(query), Plan.between(day, day), dailies.today(now), draft)


def following_gap(day: date, level: int, now: datetime) -> date | None:
    """Return the next day after `day` with a gap at this level, within the scheduled days or the month."""
    last = max(dailies.next_month(day.replace(day=1)), dailies.today(now) + dailies.AHEAD)
    coming = dailies.gaps(day + timedelta(days=1), last, now)
    return next((other for other, its_level in coming if its_level == level), None)


def to_choose_from(day: date, level: int, sort: str, number: int) -> CandidatePage:
    """Return the approved, unseen puzzles of a level whose solution no daily near `day` has.

    Counts and shows at most MOST_COUNTED of them.
    """
    other = sa.orm.aliased(Puzzle)
    equivalent = (
        sa.exists()
        .where(Daily.puzzle_id == other.id, other.solution_class == Puzzle.solution_class)
        .where(Daily.date.between(day - rules.APART, day + rules.APART))
    )
    fitting: list[sa.ColumnElement[bool]] = [
        Puzzle.status == Status.APPROVED,
        Puzzle.offered.is_(True),
        Puzzle.level == level,
        bank.CONFIRMED,
        Puzzle.shown_at.is_(None),
        Puzzle.first_started_at.is_(None),
        ~equivalent,
    ]
    some = sa.select(Puzzle.id).where(*fitting).limit(MOST_COUNTED)
    total = db.session.scalar(sa.select(sa.func.count()).select_from(some.subquery())) or 0
    pages = max(1, -(-total // PER_PAGE))
    number = min(max(number, 1), pages)
    tiers = _tiers(sort, plan.wish(day, level))
    ids = spare.first(fitting, tiers, number * PER_PAGE)[(number - 1) * PER_PAGE :]
    return CandidatePage(curation.puzzles(ids), number, pages, total)


def _tiers(sort: str, wish: Wish) -> list[Tier]:
    """Return the ways to puzzles in the order of a key of SORTS."""
    if sort == PLANNED:
        return spare.nearest(wish, spare.BY_NUMBER)
    key = SORTS[sort]
    if sort == "number":
        return [spare.BY_NUMBER]
    return [[Way(key.is_not(None), key.asc(), key)], [Way(key.is_(None), Puzzle.id.asc(), Puzzle.id)]]
