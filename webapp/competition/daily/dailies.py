"""The dailies: which puzzle everybody meets on which day, from when to when, and how a player stands with it.

A day begins at 00:00 UTC by the server's clock. Its puzzles are scheduled ahead; whoever runs the schedule
fills gaps from the bank, or, where the bank has nothing to spare, with a puzzle made for the day. A daily is
a puzzle that nobody has met: never started, never shown, of a class that no daily within a year has.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from flask import current_app

import engine
from engine import warm
from webapp.bank import bank
from webapp.errors import BadStart, NotFound, NotYet
from webapp.models import Attempt, Daily, Peek, Puzzle, Status
from webapp.models.daily import FIRST_DAY, WINDOW
from webapp.process.database import db, hold_lock, write_tx
from webapp.process.words import gettext as _

log = logging.getLogger(__name__)

AHEAD = timedelta(days=14)  # days after today that are scheduled
BEFORE_RATING = timedelta(days=1)  # the same while puzzles cannot be rated yet
APART = timedelta(days=365)  # between two dailies of one class
RUNNING = 2  # days in a row that may ask for the same hardest technique
SPARED = 1  # fresh puzzles of a level that are left to the bank
LOOKED_AT = 100  # puzzles of the bank tried for one gap
MADE = 50  # puzzles made for one gap, until one keeps all rules
MOST_CHANCE = 8  # givens that agree with a solution by chance once in 40 million grids
MOST_GIVENS = 0.75  # share of a daily's givens in a grid from which it is the daily
SCHEDULING = 2026_0101  # PostgreSQL's advisory lock of whoever changes the schedule


@dataclass(frozen=True, slots=True)
class DailyEntry:
    """One daily as one player finds it at one moment."""

    daily: Daily
    now: datetime
    attempts: tuple[Attempt, ...] = ()  # the player's at this puzzle, oldest first
    peeked: bool = False  # the player has seen the puzzle without playing it

    @property
    def open(self) -> bool:
        """Whether a solve would be on time."""
        return self.daily.opens_at <= self.now < self.daily.closes_at

    @property
    def shown(self) -> Attempt | None:
        """The attempt that counts: the ranked one, else the one in play, else the first that was finished."""
        ranked = next((attempt for attempt in self.attempts if attempt.ranked), None)
        in_play = next((attempt for attempt in self.attempts if attempt.finished_at is None), None)
        finished = [attempt for attempt in self.attempts if attempt.finished_at is not None]
        return ranked or in_play or min(finished, key=_finish, default=None)

    @property
    def state(self) -> str:
        """`new`, `playing` or `solved`."""
        if self.shown is None:
            return "new"
        return "playing" if self.shown.finished_at is None else "solved"

    @property
    def on_time(self) -> bool:
        """Whether the shown attempt was finished within the window."""
        shown = self.shown
        return shown is not None and shown.finished_at is not None and _finish(shown) < self.daily.closes_at

    @property
    def unrankable(self) -> str:
        """Why this player can start no ranked solve any more, in words; empty where one can be started."""
        if not self.open:
            return _("This leaderboard has closed, so this is practice.")
        if self.peeked:
            return _("You saw this puzzle as a curator, so this is practice.")
        if self.attempts:
            return _("You’ve already started this puzzle, so this is practice.")
        return ""


@dataclass(frozen=True, slots=True)
class Day:
    """The dailies of one day as one player finds them, easiest first."""

    date: date
    entries: list[DailyEntry]


def _finish(attempt: Attempt) -> datetime:
    assert attempt.finished_at is not None
    return attempt.finished_at


def today(now: datetime) -> date:
    """The day it is for everybody."""
    return now.astimezone(UTC).date()


def opening(day: date) -> datetime:
    """When a day's puzzles are released."""
    return datetime.combine(day, time(), UTC)


def levels() -> tuple[int, ...]:
    """The levels of a day's puzzles, by the settings."""
    chosen: tuple[int, ...] = current_app.extensions["settings"].daily_levels
    return chosen


# For players


def of_day(day: date, player_id: int | None, now: datetime) -> Day:
    """The released puzzles of a day; raises NotYet before its time and NotFound where it has none.

    A gap on this very day is filled at once, whatever it takes.
    """
    _refuse_unreleased(day, now)
    if day == today(now):
        for level in sorted(set(levels()) - _scheduled_levels(day)):
            log.error("no %s daily was scheduled for %s: one is picked as it is asked for", level, day)
            _fill(day, level, now, rated=False)
    entries = _entries(Daily.date == day, player_id, now)
    if not entries:
        raise NotFound(_("There was no daily that day."))
    return Day(day, entries)


def of_today(player_id: int | None, now: datetime) -> Day:
    """What is scheduled for today, without filling a gap."""
    return Day(today(now), _entries(Daily.date == today(now), player_id, now))


def of_month(first: date, player_id: int | None, now: datetime) -> list[Day]:
    """The released days of the month that begins with `first`, each with what it has, oldest first."""
    after = min(next_month(first), today(now) + timedelta(days=1))
    entries: dict[date, list[DailyEntry]] = defaultdict(list)
    for entry in _entries(sa.and_(Daily.date >= first, Daily.date < after), player_id, now):
        entries[entry.daily.date].append(entry)
    first = max(first, FIRST_DAY)
    days = (first + timedelta(days=number) for number in range((after - first).days))
    return [Day(day, entries[day]) for day in days]


def next_month(first: date) -> date:
    """The first day of the month after."""
    return (first + timedelta(days=31)).replace(day=1)


def released(day: date, level: int, now: datetime) -> Daily:
    """One released daily; raises NotYet before its time and NotFound where there is none."""
    for entry in of_day(day, None, now).entries:
        if entry.daily.level == level:
            return entry.daily
    raise NotFound(_("There’s no daily at this level that day."))


def with_puzzle(puzzle_id: int, player_id: int | None, now: datetime) -> DailyEntry | None:
    """The released daily that has this puzzle; None where there is none."""
    entries = _entries(sa.and_(Daily.puzzle_id == puzzle_id, Daily.date <= today(now)), player_id, now)
    return entries[0] if entries else None


def entry_of(daily: Daily, player_id: int | None, now: datetime) -> DailyEntry:
    """One daily as a player finds it."""
    return _entries(Daily.id == daily.id, player_id, now)[0]


def refuse_equivalent(grid: engine.Grid, now: datetime) -> None:
    """Raise BadStart where a player's own puzzle comes to the same as a daily that is open or yet to come.

    What is compared is the class of the solution: a daily with a digit more or less comes to the same too.
    """
    own = _solution_class(str(grid))
    if any(_solution_class(givens) == own for givens in _not_over(now)):
        raise BadStart(_same_as_a_daily())


def refuse_weakened(grid: engine.Grid, now: datetime) -> None:
    """Raise BadStart where a grid with several solutions has that of a daily that is not over among them.

    With fewer than MOST_CHANCE givens that says nothing: the empty grid has every solution.
    """
    if grid.givens < MOST_CHANCE:
        return
    for givens in _not_over(now):
        solution = engine.solution(engine.parse(givens))
        if solution is not None and all(
            digit in (0, right) for digit, right in zip(grid.digits, solution.digits, strict=True)
        ):
            raise BadStart(_same_as_a_daily())


def _not_over(now: datetime) -> list[str]:
    """The givens of all dailies that are open or yet to come."""
    not_over = sa.select(Puzzle.givens).join(Daily).where(Daily.date > today(now - WINDOW))
    return list(db.session.scalars(not_over))


def _same_as_a_daily() -> str:
    return _("This puzzle is equivalent to an open daily. Play it as the daily.")


def held_in(grid: engine.Grid, now: datetime) -> bool:
    """Whether most givens of a daily whose board is open stand in a grid, where and as they do in the daily.

    Most of them, since with one left out a puzzle can be what it was.
    """
    text = str(grid)
    is_open = Daily.date > today(now - WINDOW), Daily.date <= today(now)
    for givens in db.session.scalars(sa.select(Puzzle.givens).join(Daily).where(*is_open)):
        agreed = sum(digit == found != "." for digit, found in zip(givens, text, strict=True))
        if agreed > (81 - givens.count(".")) * MOST_GIVENS:
            return True
    return False


@lru_cache(maxsize=1024)
def _solution_class(givens: str) -> engine.Grid:
    solution = engine.solution(engine.parse(givens))
    assert solution is not None, "a puzzle has one solution"
    return engine.canonical_form(solution)


def _refuse_unreleased(day: date, now: datetime) -> None:
    wait = opening(day) - now
    if wait > timedelta():
        raise NotYet(_("This daily opens in %(wait)s.", wait=_in_words(wait)), wait)


def _in_words(wait: timedelta) -> str:
    """12:05 or 3:12:05, rounded up: at the end of it the day has begun."""
    minutes, seconds = divmod(-(-wait // timedelta(seconds=1)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def _scheduled_levels(day: date) -> set[int]:
    return set(db.session.scalars(sa.select(Daily.level).where(Daily.date == day)))


def _entries(which: sa.ColumnElement[bool], player_id: int | None, now: datetime) -> list[DailyEntry]:
    dailies = db.session.scalars(sa.select(Daily).where(which).order_by(Daily.date, Daily.level)).all()
    attempts: dict[int, list[Attempt]] = defaultdict(list)
    peeked: set[int] = set()
    if player_id is not None and dailies:
        puzzles = sa.select(Daily.puzzle_id).where(which)
        own = sa.select(Attempt).where(Attempt.player_id == player_id, Attempt.puzzle_id.in_(puzzles))
        for attempt in db.session.scalars(own.order_by(Attempt.started_at, Attempt.id)):
            attempts[attempt.puzzle_id].append(attempt)
        seen = sa.select(Peek.puzzle_id).where(Peek.player_id == player_id, Peek.puzzle_id.in_(puzzles))
        peeked = set(db.session.scalars(seen))
    return [
        DailyEntry(daily, now, tuple(attempts[daily.puzzle_id]), daily.puzzle_id in peeked)
        for daily in dailies
    ]


# For the worker


def schedule(now: datetime, *, rated: bool | None = None) -> Iterator[Daily]:
    """Fill every gap from today to AHEAD; yields each daily once it is stored.

    `rated`: whether puzzles can be rated, by default whether the techniques are compiled. Until then only the
    nearest days are filled, and what its rating moves to another level is replaced before its time.
    """
    rated = warm.ready() if rated is None else rated
    if rated:
        _give_back(now)
    first = today(now)
    last = first + (AHEAD if rated else BEFORE_RATING)
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        for level in sorted(set(levels()) - _scheduled_levels(day)):
            daily = _fill(day, level, now, rated=rated)
            if daily is not None:
                yield daily


def _give_back(now: datetime) -> None:
    """Take back what no curator chose and its rating has moved to another level, before anybody meets it."""
    query = (
        sa.select(Daily)
        .join(Daily.puzzle)
        .where(Daily.date > today(now), Daily.by_hand.is_(False), Puzzle.level != Daily.level)
    )
    if not db.session.scalars(query).all():
        return
    with write_tx():
        for daily in db.session.scalars(query):
            daily.puzzle.status = Status.APPROVED
            db.session.delete(daily)


def _fill(day: date, level: int, now: datetime, *, rated: bool) -> Daily | None:
    """Schedule a puzzle for a day and level; None where another process has been first."""
    while level not in _scheduled_levels(day):
        for puzzle in _candidates(day, level, now, rated=rated):
            if (daily := _assign(day, level, puzzle, now)) is not None:
                return daily
            if level in _scheduled_levels(day):
                break
    return None


def _candidates(day: date, level: int, now: datetime, *, rated: bool) -> Iterator[Puzzle]:
    """Puzzles for a day, the best first: of the bank, made for the day, and at last whatever can be had."""
    rules = _Rules.for_day(day, level)
    of_the_bank = _to_spare(level)
    yield from (puzzle for puzzle in of_the_bank if rules.fit(puzzle))
    if rated:
        for _try in range(MADE):
            puzzle = bank.generated(level, now, rated=True)
            if puzzle.level == level and rules.fit(puzzle):
                yield puzzle
        log.warning("on %s the hardest technique of level %s may repeat: nothing else was found", day, level)
        yield from (puzzle for puzzle in of_the_bank if rules.new_class(puzzle))
    while True:
        puzzle = bank.generated(level, now, rated=False)
        if rules.new_class(puzzle):
            yield puzzle


def _to_spare(level: int) -> list[Puzzle]:
    """Puzzles of the bank that nobody has met, in no order, but for those that players are to find there."""
    fresh = sa.select(Puzzle).where(
        Puzzle.status == Status.APPROVED, Puzzle.level == level, Puzzle.first_started_at.is_(None)
    )
    spare = (db.session.scalar(sa.select(sa.func.count()).select_from(fresh.subquery())) or 0) - SPARED
    if spare <= 0:
        return []
    unseen = fresh.where(Puzzle.shown_at.is_(None)).order_by(sa.func.random()).limit(min(spare, LOOKED_AT))
    return list(db.session.scalars(unseen))


@dataclass(frozen=True, slots=True)
class _Rules:
    """What the days around one day forbid it at one level."""

    classes: frozenset[str]
    hardest: frozenset[str]

    @classmethod
    def for_day(cls, day: date, level: int) -> _Rules:
        near = (
            sa.select(Daily.date, Daily.level, Puzzle.givens, Puzzle.canonical, Puzzle.hardest)
            .join(Daily.puzzle)
            .where(Daily.date.between(day - APART, day + APART))
        )
        rows = db.session.execute(near).all()
        hardest = {row.date: row.hardest for row in rows if row.level == level}
        return cls(
            frozenset(row.canonical or class_of(row.givens) for row in rows),
            frozenset(_repeated(hardest, day)),
        )

    def new_class(self, puzzle: Puzzle) -> bool:
        return (puzzle.canonical or class_of(puzzle.givens)) not in self.classes

    def fit(self, puzzle: Puzzle) -> bool:
        return puzzle.hardest not in self.hardest and self.new_class(puzzle)


def fitting(day: date, level: int) -> Iterator[Puzzle]:
    """Puzzles that the bank can spare and that keep every rule on this day, in no order."""
    rules = _Rules.for_day(day, level)
    return (puzzle for puzzle in _to_spare(level) if rules.fit(puzzle))


def clash(puzzle: Puzzle, day: date, besides: Collection[int] = ()) -> Daily | None:
    """The first daily within a year of `day` whose puzzle comes to the same; not those with these ids."""
    form = puzzle.canonical or class_of(puzzle.givens)
    near = sa.select(Daily).join(Daily.puzzle).options(sa.orm.contains_eager(Daily.puzzle))
    perhaps = near.where(
        Daily.date.between(day - APART, day + APART),
        Daily.id.not_in(besides),
        sa.or_(Puzzle.canonical == form, Puzzle.canonical.is_(None)),
    )
    for other in db.session.scalars(perhaps.order_by(Daily.date)):
        if (other.puzzle.canonical or class_of(other.puzzle.givens)) == form:
            return other
    return None


def repeated(day: date, level: int) -> set[str]:
    """The techniques that would be the hardest on more than RUNNING days in a row if `day` had them too."""
    around = (
        sa.select(Daily.date, Puzzle.hardest)
        .join(Daily.puzzle)
        .where(
            Daily.level == level,
            Daily.date.between(day - timedelta(days=RUNNING), day + timedelta(days=RUNNING)),
        )
    )
    return set(_repeated({row.date: row.hardest for row in db.session.execute(around)}, day))


def hold() -> None:
    """Inside `write_tx()`: whoever else changes the schedule waits until this transaction is over.

    Two processes that put equivalent puzzles on two days would not see each other. SQLite has one writer.
    """
    hold_lock(SCHEDULING)


def _repeated(hardest: dict[date, Any], day: date) -> Iterable[str]:
    """The techniques that would stand on more than RUNNING days in a row if `day` had them too."""
    for before in range(RUNNING + 1):
        around = [day + timedelta(days=offset) for offset in range(-before, RUNNING + 1 - before) if offset]
        found = {hardest.get(other) for other in around}
        if len(found) == 1 and (technique := found.pop()) is not None:
            yield technique


def class_of(givens: str) -> str:
    """The least equivalent form of a puzzle, the same for all its images."""
    return str(engine.canonical_form(engine.parse(givens)))


def _assign(day: date, level: int, puzzle: Puzzle, now: datetime) -> Daily | None:
    """Make this puzzle the daily; None where somebody was first: met it, filled the gap, took its class."""
    daily = Daily(date=day, level=level, created_at=now)
    stored = sa.inspect(puzzle).identity
    try:
        with write_tx():
            hold()
            if stored is None:
                if clash(puzzle, day) is not None:
                    return None
                puzzle.status = Status.DAILY
                daily.puzzle = puzzle
            else:
                unmet = sa.select(Puzzle).where(
                    Puzzle.id == stored[0],
                    Puzzle.status == Status.APPROVED,
                    Puzzle.first_started_at.is_(None),
                    Puzzle.shown_at.is_(None),
                )
                found = db.session.scalar(unmet.with_for_update())
                if found is None or clash(found, day) is not None:
                    return None
                found.status = Status.DAILY
                daily.puzzle = found
            db.session.add(daily)
    except sa.exc.IntegrityError:  # another process was first
        return None
    return daily
