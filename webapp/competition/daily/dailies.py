"""The dailies: which puzzle is played on which day, its window, and each player's state.

A day begins at 00:00 UTC by the server's clock. Its puzzles are scheduled ahead; the schedule
fills gaps from the bank or, if the bank has nothing to spare, with a newly made puzzle. A daily is
a puzzle no player has seen: never started, never shown, and its solution not that of a daily within a year.
"""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa
from flask import current_app

import engine
from engine import warm
from webapp.bank import bank
from webapp.competition.daily import plan, spare
from webapp.competition.daily.plan import Wish
from webapp.models import Attempt, Daily, Peek, Puzzle, Status
from webapp.models.daily import ARCHIVE_FROM
from webapp.models.puzzle import solution_class
from webapp.process.database import db, hold_lock, write_tx
from webapp.process.errors import NoPuzzle, NotFound, NotYet
from webapp.process.words import gettext as _

log = logging.getLogger(__name__)

AHEAD = timedelta(days=14)  # days after today that are scheduled
BEFORE_RATING = timedelta(days=1)  # the same while puzzles cannot be rated yet
APART = timedelta(days=365)  # between two dailies of one class
RUNNING = 2  # days in a row that may have the same hardest technique
SPARED = 1  # fresh puzzles per level that stay in the bank
LOOKED_AT = 100  # puzzles of the bank tried for one gap
MADE = 50  # puzzles made for one gap before rules are relaxed
SCHEDULING = 2026_0101  # PostgreSQL advisory lock for changes to the schedule


@dataclass(frozen=True, slots=True)
class DailyEntry:
    """A daily from one player's view at one moment."""

    daily: Daily
    now: datetime
    attempts: tuple[Attempt, ...] = ()  # the player's at this puzzle, oldest first
    peeked: bool = False  # the player has seen the puzzle without playing it

    @property
    def open(self) -> bool:
        """Whether a solve would be on time."""
        made_late = self.daily.id is None or self.daily.backfilled
        return not made_late and self.daily.opens_at <= self.now < self.daily.closes_at

    @property
    def shown(self) -> Attempt | None:
        """The attempt that counts: the ranked one, else the one in progress, else the first finished one."""
        ranked = next((attempt for attempt in self.attempts if attempt.ranked), None)
        in_play = next((attempt for attempt in self.attempts if attempt.finished_at is None), None)
        finished = [attempt for attempt in self.attempts if attempt.finished_at is not None]
        return ranked or in_play or min(finished, key=_finish, default=None)

    @property
    def givens(self) -> str | None:
        """The givens as the player has seen them; None before that."""
        return None if self.shown is None else self.shown.givens

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
            return _("You’ve seen this puzzle before, so this is practice.")
        if self.attempts:
            return _("You’ve already started this puzzle, so this is practice.")
        return ""


@dataclass(frozen=True, slots=True)
class Day:
    """The dailies of one day from one player's view, easiest first."""

    date: date
    entries: list[DailyEntry]


def _finish(attempt: Attempt) -> datetime:
    assert attempt.finished_at is not None
    return attempt.finished_at


def today(now: datetime) -> date:
    """Return today's date, the same for everyone."""
    return now.astimezone(UTC).date()


def opening(day: date) -> datetime:
    """Return the release time of a day's puzzles."""
    return datetime.combine(day, time(), UTC)


def levels() -> tuple[int, ...]:
    """Return the configured levels of a day's puzzles."""
    chosen: tuple[int, ...] = current_app.extensions["settings"].daily_levels
    return chosen


def lacking(scheduled: Collection[int]) -> list[int]:
    """Return the levels that a day with dailies at these still needs, easiest first.

    One with as many as are configured needs none, whichever they are: the configuration may be newer.
    """
    missing = sorted(set(levels()) - set(scheduled))
    return missing[: max(0, len(levels()) - len(scheduled))]


# For players


def of_day(day: date, player_id: int | None, now: datetime) -> Day:
    """Return the released puzzles of a day. Raises NotYet before its release, NotFound if it has none.

    A gap today is filled immediately if there is a puzzle. Those of an archived day may have none yet.
    """
    _refuse_unreleased(day, now)
    if day == today(now):
        for level in lacking(_scheduled_levels(day)):
            log.error("no %s daily was scheduled for %s: one is picked as it is asked for", level, day)
            _fill(day, level, now, rated=False)
    entries = _archived(day, _entries(Daily.date == day, player_id, now), now)
    if not entries:
        raise NotFound(_("There was no daily that day."))
    return Day(day, entries)


def of_today(player_id: int | None, now: datetime) -> Day:
    """Return what is scheduled for today, without filling gaps."""
    return Day(today(now), _entries(Daily.date == today(now), player_id, now))


def of_month(first: date, player_id: int | None, now: datetime) -> list[Day]:
    """Return the released days of the month that starts on `first`, with their dailies, oldest first."""
    after = min(next_month(first), today(now) + timedelta(days=1))
    entries: dict[date, list[DailyEntry]] = defaultdict(list)
    for entry in _entries(sa.and_(Daily.date >= first, Daily.date < after), player_id, now):
        entries[entry.daily.date].append(entry)
    days = (first + timedelta(days=number) for number in range((after - first).days))
    return [Day(day, _archived(day, entries[day], now)) for day in days]


def _archived(day: date, entries: list[DailyEntry], now: datetime) -> list[DailyEntry]:
    """Add the levels that an archived day lacks, as dailies without a puzzle: `released` finds them one."""
    if not _backfills(day, entries, now):
        return entries
    missing = set(levels()) - {entry.daily.level for entry in entries}
    added = [DailyEntry(Daily(date=day, level=level), now) for level in missing]
    return sorted([*entries, *added], key=lambda entry: entry.daily.level)


def _backfills(day: date, entries: Iterable[DailyEntry], now: datetime) -> bool:
    """Whether a day has passed and was never scheduled, so that its dailies are made when asked for."""
    return ARCHIVE_FROM <= day < today(now) and all(entry.daily.backfilled for entry in entries)


def next_month(first: date) -> date:
    """Return the first day of the next month."""
    return (first + timedelta(days=31)).replace(day=1)


def released(day: date, level: int, now: datetime) -> Daily:
    """Return a released daily. Raises NotYet before its release, NotFound if there is none.

    One of an archived day is given a puzzle of the bank now. Raises NoPuzzle if that has none to spare.
    """
    for entry in of_day(day, None, now).entries:
        if entry.daily.level == level:
            return entry.daily if entry.daily.id is not None else _backfill(day, level, now)
    raise NotFound(_("There’s no daily at this level that day."))


def with_puzzle(puzzle_id: int, player_id: int | None, now: datetime) -> DailyEntry | None:
    """Return the released daily with this puzzle, or None."""
    entries = _entries(sa.and_(Daily.puzzle_id == puzzle_id, Daily.date <= today(now)), player_id, now)
    return entries[0] if entries else None


def entry_of(daily: Daily, player_id: int | None, now: datetime) -> DailyEntry:
    """Return a daily from a player's view."""
    return _entries(Daily.id == daily.id, player_id, now)[0]


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
    found = sa.select(Daily).where(which).options(sa.orm.joinedload(Daily.puzzle, innerjoin=True))
    dailies = db.session.scalars(found.order_by(Daily.date, Daily.level)).all()
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
    """Fill every gap from today to AHEAD; yields each daily once stored.

    `rated`: whether puzzles can be rated, by default whether the techniques are compiled. Until then only the
    nearest days are filled, from the bank and the first stock. What a rating moves to another level is
    replaced before its time.
    """
    rated = warm.ready() if rated is None else rated
    if rated:
        _give_back(now)
    first = today(now)
    last = first + (AHEAD if rated else BEFORE_RATING)
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        for level in lacking(_scheduled_levels(day)):
            daily = _fill(day, level, now, rated=rated)
            if daily is not None:
                yield daily


def _give_back(now: datetime) -> None:
    """Remove unreleased automatic dailies whose level is not their puzzle's any more, or not configured."""
    moved = sa.and_(Puzzle.rated_level != Daily.level, ~Puzzle.relabelled)
    misplaced = sa.or_(Puzzle.level != Daily.level, moved, Daily.level.not_in(levels()))
    query = (
        sa.select(Daily)
        .join(Daily.puzzle)
        .where(Daily.date > today(now), Daily.by_hand.is_(False), misplaced)
    )
    if not db.session.scalars(query).all():
        return
    with write_tx():
        hold()
        for daily in db.session.scalars(query):
            puzzle = daily.puzzle
            puzzle.status, puzzle.level = Status.APPROVED, puzzle.moved_to or puzzle.level
            db.session.delete(daily)


def _fill(day: date, level: int, now: datetime, *, rated: bool) -> Daily | None:
    """Schedule a puzzle for a day and level; None if another process was first, or if there is none."""
    for puzzle in _candidates(day, level, now, rated=rated):
        if (daily := _assign(day, level, puzzle, now)) is not None:
            return daily
        if level in _scheduled_levels(day):
            break
    return None


def _backfill(day: date, level: int, now: datetime) -> Daily:
    """Give an archived day a puzzle from the bank, the same for everyone from now on."""
    rules = _Rules.for_day(day, level)
    for puzzle in filter(rules.new_class, _to_spare(level, Wish())):
        daily = _assign(day, level, puzzle, now, frozen_at=now)
        # Where somebody else was first, theirs.
        asked = sa.select(Daily).where(Daily.date == day, Daily.level == level)
        if daily is not None or (daily := db.session.scalar(asked)) is not None:
            return daily
    raise NoPuzzle(_("We’re still making puzzles for this day. Try again in a minute."))


def _candidates(day: date, level: int, now: datetime, *, rated: bool) -> Iterator[Puzzle]:
    """Yield puzzles for a day, best first: from the bank, newly made or of the first stock, then any new one.

    The rating of each confirms its level. They end only where puzzles cannot be rated yet.
    """
    rules = _Rules.for_day(day, level)
    of_the_bank = _to_spare(level, rules.wish)
    if rules.wish.minutes is None:  # else the plan says how long it takes
        of_the_bank.sort(key=rules.out_of_step)
    yield from (puzzle for puzzle in of_the_bank if rules.fit(puzzle) and rules.wish.met_by(puzzle))
    if rated:
        made = []
        for _try in range(MADE):
            puzzle = bank.generated(level, now)
            if puzzle.level == level and rules.fit(puzzle):
                if rules.wish.met_by(puzzle):
                    yield puzzle
                made.append(puzzle)
        # What is planned counts for less than a daily at all.
        yield from (puzzle for puzzle in of_the_bank if rules.fit(puzzle))
        yield from made
        log.warning("on %s the hardest technique of level %s may repeat: nothing else was found", day, level)
        yield from (puzzle for puzzle in of_the_bank if rules.new_class(puzzle))
    yield from filter(rules.new_class, bank.first(level, now))
    while warm.ready():
        puzzle = bank.generated(level, now)
        if puzzle.level == level and rules.new_class(puzzle):
            yield puzzle


def _to_spare(level: int, wish: Wish) -> list[Puzzle]:
    """Return unseen puzzles of the bank that are surely of this level; some stay for players.

    Those come first that are nearest to the wish, else they are unordered.
    """
    offered = Puzzle.status == Status.APPROVED, Puzzle.offered.is_(True), Puzzle.level == level
    fresh = *offered, Puzzle.first_started_at.is_(None)
    some = sa.select(Puzzle.id).where(*fresh).limit(LOOKED_AT + SPARED).subquery()
    most = (db.session.scalar(sa.select(sa.func.count()).select_from(some)) or 0) - SPARED
    if most <= 0:
        return []
    unseen = *fresh, Puzzle.shown_at.is_(None), bank.CONFIRMED
    numbers = spare.first(unseen, spare.nearest(wish, spare.anywhere()), most)
    found = {
        puzzle.id: puzzle for puzzle in db.session.scalars(sa.select(Puzzle).where(Puzzle.id.in_(numbers)))
    }
    return [found[number] for number in numbers if number in found]


@dataclass(frozen=True, slots=True)
class _Rules:
    """The constraints of neighboring days on one day and level."""

    classes: frozenset[int]  # of solutions: nobody solves the same grid twice a year
    hardest: frozenset[str]
    wish: Wish
    longest_easier: float  # seconds expected for the day's dailies of lower levels, at most
    shortest_harder: float  # seconds expected for those of higher levels, at least

    @classmethod
    def for_day(cls, day: date, level: int) -> _Rules:
        near = (
            sa.select(
                *(Daily.date, Daily.level, Puzzle.givens, Puzzle.solution_class, Puzzle.hardest),
                Puzzle.expected_seconds,
            )
            .join(Daily.puzzle)
            .where(Daily.date.between(day - APART, day + APART))
        )
        rows = db.session.execute(near).all()
        hardest = {row.date: row.hardest for row in rows if row.level == level}
        lasts = {row.level: row.expected_seconds for row in rows if row.date == day and row.expected_seconds}
        planned = plan.wish(day, level)
        return cls(
            frozenset(map(_solution_class, rows)),
            frozenset(_repeated(hardest, day)) - {planned.technique},
            planned,
            max((seconds for other, seconds in lasts.items() if other < level), default=0.0),
            min((seconds for other, seconds in lasts.items() if other > level), default=math.inf),
        )

    def new_class(self, puzzle: Puzzle) -> bool:
        return _solution_class(puzzle) not in self.classes

    def fit(self, puzzle: Puzzle) -> bool:
        return puzzle.hardest not in self.hardest and self.new_class(puzzle)

    def out_of_step(self, puzzle: Puzzle) -> bool:
        """Whether the day would expect more time for an easier level than for a harder one."""
        seconds = puzzle.expected_seconds
        return seconds is None or not self.longest_easier < seconds < self.shortest_harder


def gaps(first: date, last: date, now: datetime) -> list[tuple[date, int]]:
    """Return the unreleased days and levels without a daily from `first` to `last`, in order."""
    begin = max(first, today(now) + timedelta(days=1))
    query = sa.select(Daily.date, Daily.level).where(Daily.date.between(begin, last))
    taken: dict[date, set[int]] = {}
    for row in db.session.execute(query):
        taken.setdefault(row.date, set()).add(row.level)
    days = (begin + timedelta(days=number) for number in range((last - begin).days + 1))
    return [(day, level) for day in days for level in lacking(taken.get(day, ()))]


def fitting(day: date, level: int) -> Iterator[Puzzle]:
    """Return spare puzzles of the bank that satisfy every rule and the plan for this day, the best first."""
    rules = _Rules.for_day(day, level)
    to_spare = _to_spare(level, rules.wish)
    return (puzzle for puzzle in to_spare if rules.fit(puzzle) and rules.wish.met_by(puzzle))


def clash(puzzle: Puzzle, day: date, besides: Collection[int] = ()) -> Daily | None:
    """Return the first daily within a year of `day` with an equivalent solution, except these ids."""
    its_class = _solution_class(puzzle)
    near = sa.select(Daily).join(Daily.puzzle).options(sa.orm.contains_eager(Daily.puzzle))
    perhaps = near.where(
        Daily.date.between(day - APART, day + APART),
        Daily.id.not_in(besides),
        sa.or_(Puzzle.solution_class == its_class, Puzzle.solution_class.is_(None)),
    )
    for other in db.session.scalars(perhaps.order_by(Daily.date)):
        if _solution_class(other.puzzle) == its_class:
            return other
    return None


def repeated(day: date, level: int) -> set[str]:
    """Return the techniques that would be the hardest on more than RUNNING days in a row on `day`.

    That of a theme may be.
    """
    around = (
        sa.select(Daily.date, Puzzle.hardest)
        .join(Daily.puzzle)
        .where(
            Daily.level == level,
            Daily.date.between(day - timedelta(days=RUNNING), day + timedelta(days=RUNNING)),
        )
    )
    found = set(_repeated({row.date: row.hardest for row in db.session.execute(around)}, day))
    return found - {plan.wish(day, level).technique}


def hold() -> None:
    """Inside `write_tx()`: lock the schedule until this transaction ends.

    Without it, two processes could schedule equivalent puzzles on two days. SQLite has a single writer.
    """
    hold_lock(SCHEDULING)


def _repeated(hardest: dict[date, Any], day: date) -> Iterable[str]:
    """Return the techniques that would be the hardest on more than RUNNING days in a row on `day`."""
    for before in range(RUNNING + 1):
        around = [day + timedelta(days=offset) for offset in range(-before, RUNNING + 1 - before) if offset]
        found = {hardest.get(other) for other in around}
        if len(found) == 1 and (technique := found.pop()) is not None:
            yield technique


def class_of(givens: str) -> str:
    """Return the canonical form of a puzzle, shared by all equivalent ones."""
    return str(engine.canonical_form(engine.parse(givens)))


def _solution_class(row: Any) -> int:
    """Return the class of a puzzle's solution; row: anything with `solution_class` and `givens`."""
    its_class: int | None = row.solution_class
    return solution_class(class_of(row.givens)) if its_class is None else its_class


def _assign(
    day: date, level: int, puzzle: Puzzle, now: datetime, *, frozen_at: datetime | None = None
) -> Daily | None:
    """Make this puzzle the daily; None after losing a race for the puzzle, the gap or its class."""
    daily = Daily(date=day, level=level, created_at=now, frozen_at=frozen_at)
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
                    Puzzle.level == level,
                    bank.CONFIRMED,
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
