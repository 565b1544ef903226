"""The dailies: each day's puzzles, their window, and each player's state.

A day begins at 00:00 UTC by the server's clock. Its puzzles are scheduled ahead; the schedule fills gaps from
the bank or, if the bank has nothing to spare, with a generated puzzle. No player has seen a daily before: it
was never started or shown, and no daily within a year has its solution.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta

import sqlalchemy as sa

from engine import warm
from webapp.bank import bank, offer
from webapp.competition.daily import spare
from webapp.competition.daily.entries import DailyEntry, Day
from webapp.competition.daily.plan import Wish
from webapp.competition.daily.rules import Rules, clash
from webapp.models import Attempt, Daily, Peek, Puzzle, Status
from webapp.models.daily import ARCHIVE_FROM
from webapp.process.database import db, hold_lock, write_tx
from webapp.process.errors import NoPuzzle, NotFound, NotYet
from webapp.process.words import gettext as _

log = logging.getLogger(__name__)

AHEAD = timedelta(days=14)  # days after today that are scheduled
BEFORE_RATING = timedelta(days=1)  # the same while ratings aren't available yet
SPARED = 1  # fresh puzzles per level that stay in the bank
LOOKED_AT = 100  # puzzles of the bank tried for one gap
MADE = 50  # puzzles generated for one gap before rules are relaxed
LEVELS = (2, 3, 4)  # of each day
SCHEDULING = 2026_0101  # PostgreSQL advisory lock for changes to the schedule


def today(now: datetime) -> date:
    """Return today's date, the same for everyone."""
    return now.astimezone(UTC).date()


def opening(day: date) -> datetime:
    """Return the release time of a day's puzzles."""
    return datetime.combine(day, time(), UTC)


def lacking(scheduled: Collection[int]) -> list[int]:
    """Return the levels that a day with dailies at these still needs, easiest first."""
    return sorted(set(LEVELS) - set(scheduled))


# For players


def of_day(day: date, player_id: int | None, now: datetime) -> Day:
    """Return the released puzzles of a day. Raises NotYet before its release, NotFound if it has none.

    A gap today is filled immediately if a puzzle is available. Past days may have entries without a puzzle.
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
    """Add the missing levels of a past day, as dailies without a puzzle, which `released` assigns."""
    if not _backfills(day, entries, now):
        return entries
    missing = set(LEVELS) - {entry.daily.level for entry in entries}
    added = [DailyEntry(Daily(date=day, level=level), now) for level in missing]
    return sorted([*entries, *added], key=lambda entry: entry.daily.level)


def _backfills(day: date, entries: Iterable[DailyEntry], now: datetime) -> bool:
    """Whether a past day was never scheduled, so that its dailies are created on request."""
    return ARCHIVE_FROM <= day < today(now) and all(entry.daily.backfilled for entry in entries)


def next_month(first: date) -> date:
    """Return the first day of the next month."""
    return (first + timedelta(days=31)).replace(day=1)


def released(day: date, level: int, now: datetime) -> Daily:
    """Return a released daily. Raises NotYet before its release, NotFound if there is none.

    Assigns a puzzle of the bank to a past daily without one. Raises NoPuzzle if the bank can't spare any.
    """
    for entry in of_day(day, None, now).entries:
        if entry.daily.level == level:
            return entry.daily if entry.daily.id is not None else _backfill(day, level, now)
    raise NotFound(_("There’s no daily at this level that day."))


def with_puzzle(puzzle_id: int, player_id: int | None, now: datetime) -> DailyEntry | None:
    """Return the released daily with this puzzle, or None."""
    entries = _entries(sa.and_(Daily.puzzle_id == puzzle_id, Daily.date <= today(now)), player_id, now)
    return entries[0] if entries else None


def that_had(puzzle_id: int) -> Daily | None:
    """Return the daily from which a puzzle was withdrawn, or None."""
    had = sa.select(Daily).where(Daily.former_id == puzzle_id, Daily.withdrawn_at.is_not(None))
    return db.session.scalar(had.limit(1))


def entry_of(daily: Daily, player_id: int | None, now: datetime) -> DailyEntry:
    """Return a daily from a player's view."""
    return _entries(Daily.id == daily.id, player_id, now)[0]


def _refuse_unreleased(day: date, now: datetime) -> None:
    wait = opening(day) - now
    if wait > timedelta():
        raise NotYet(_("This daily opens in %(wait)s.", wait=_in_words(wait)), wait)


def _in_words(wait: timedelta) -> str:
    """Format a wait as 12:05 or 3:12:05, rounded up, so that the day has begun at its end."""
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

    `rated`: whether ratings are available, by default whether the techniques are compiled. Until then only
    the nearest days are filled, from the bank and the first stock. A puzzle whose rating then gives another
    level is replaced before its day.
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
    """Remove unreleased automatic dailies whose level is no longer their puzzle's, or no longer
    configured.
    """
    moved = sa.and_(Puzzle.rated_level != Daily.level, ~Puzzle.relabelled)
    misplaced = sa.or_(Puzzle.level != Daily.level, moved, Daily.level.not_in(LEVELS))
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
    """Schedule a puzzle for a day and level; None if another process did, or if there is none."""
    for puzzle in _candidates(day, level, now, rated=rated):
        if (daily := _assign(day, level, puzzle, now)) is not None:
            return daily
        if level in _scheduled_levels(day):
            break
    return None


def _backfill(day: date, level: int, now: datetime) -> Daily:
    """Assign a past day a puzzle from the bank, the same for everyone from now on."""
    rules = Rules.for_day(day, level)
    for puzzle in filter(rules.new_class, sorted(_to_spare(level, Wish()), key=_atypical)):
        daily = _assign(day, level, puzzle, now, frozen_at=now)
        # If another process was faster, return its daily.
        asked = sa.select(Daily).where(Daily.date == day, Daily.level == level)
        if daily is not None or (daily := db.session.scalar(asked)) is not None:
            return daily
    raise NoPuzzle(_("We’re still making puzzles for this day. Try again in a minute."))


def _candidates(day: date, level: int, now: datetime, *, rated: bool) -> Iterator[Puzzle]:
    """Yield puzzles for a day, best first: from the bank, generated or of the first stock, then any new one.

    The rating of each confirms its level. The sequence ends only while ratings aren't available.
    """
    rules = Rules.for_day(day, level)
    of_the_bank = _to_spare(level, rules.wish)
    if rules.wish.minutes is None:  # otherwise the plan sets the time
        of_the_bank.sort(key=rules.out_of_step)
    planned = rules.wish != Wish()
    fitting = [puzzle for puzzle in of_the_bank if rules.fit(puzzle) and rules.wish.met_by(puzzle)]
    yield from (puzzle for puzzle in fitting if planned or not _atypical(puzzle))
    if rated:
        made = []
        for _try in range(MADE):
            puzzle = bank.generated(level, now)
            if puzzle.level == level and rules.fit(puzzle):
                if rules.wish.met_by(puzzle) and (planned or not _atypical(puzzle)):
                    yield puzzle
                made.append(puzzle)
        # Any daily is better than none, so the plan comes second.
        yield from (puzzle for puzzle in of_the_bank if rules.fit(puzzle))
        yield from made
        log.warning("on %s the hardest technique of level %s may repeat: nothing else was found", day, level)
        yield from (puzzle for puzzle in of_the_bank if rules.new_class(puzzle))
    yield from fitting
    yield from filter(rules.new_class, bank.first(level, now))
    while warm.ready():
        puzzle = bank.generated(level, now)
        if puzzle.level == level and rules.new_class(puzzle):
            yield puzzle


def _atypical(puzzle: Puzzle) -> bool:
    """Whether this isn't one of the puzzles that its level is known for."""
    return not offer.typical(puzzle.level, puzzle.expected_seconds, puzzle.hardest)


def _to_spare(level: int, wish: Wish) -> list[Puzzle]:
    """Return unseen puzzles of the bank whose level is confirmed; some stay for players.

    Those nearest to the wish come first; without one they are unordered.
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
    rules = Rules.for_day(day, level)
    to_spare = _to_spare(level, rules.wish)
    return (puzzle for puzzle in to_spare if rules.fit(puzzle) and rules.wish.met_by(puzzle))


def hold() -> None:
    """Inside `write_tx()`: lock the schedule until this transaction ends.

    Without it, two processes could schedule equivalent puzzles on two days. SQLite has a single writer.
    """
    hold_lock(SCHEDULING)


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
    except sa.exc.IntegrityError:  # another process was faster
        return None
    return daily
