"""Results of past dailies: starts, finishes, times against the expectation, help used."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median

import sqlalchemy as sa

from webapp.competition.daily import dailies
from webapp.competition.statistics import COUNTED
from webapp.models import Attempt, Daily, Move, Puzzle
from webapp.models.daily import SCHEDULED
from webapp.play.replays.review import looked_at
from webapp.process.database import db
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

# A daily's attempts at the puzzle it has now, not at one that was withdrawn
_OF_IT = sa.and_(Attempt.daily_id == Daily.id, Attempt.puzzle_id == Daily.puzzle_id)

DAYS = 30  # per page
MOST_GAMES = 40  # the latest solves, searched for long waits: some tenths of a second
MOST_PLACES = 8
MOST_TIMES = 5000  # a daily's first finishers, for its median


@dataclass(frozen=True, slots=True)
class Result:
    """One past daily and how it went."""

    day: date
    level: int
    puzzle_id: int
    starts: int
    finished: int
    assisted: int  # of the finished ones
    hints: int  # in all games
    minutes: float | None  # median of the finished games that count in statistics
    expected: float | None  # minutes

    @property
    def finish_rate(self) -> float | None:
        """Share of those who started; None if nobody did."""
        return self.finished / self.starts if self.starts else None

    @property
    def against_expected(self) -> float | None:
        """The median time as a multiple of the expected one; None if either is missing."""
        return self.minutes / self.expected if self.minutes and self.expected else None


def results(before: date, now: datetime) -> list[Result]:
    """Return the dailies of the DAYS days up to `before`, not later than today, newest first."""
    last = min(before, dailies.today(now))
    within = Daily.date.between(last - timedelta(days=DAYS - 1), last)
    query = (
        sa.select(
            Daily.id,
            Daily.date,
            Daily.level,
            Daily.puzzle_id,
            sa.Nullable(Puzzle.expected_seconds),
            sa.func.count(Attempt.id).label("starts"),
            sa.func.count(Attempt.finished_at).label("finished"),
            sa.func.count(sa.case((sa.and_(Attempt.assisted, Attempt.finished_at.is_not(None)), 1))).label(
                "assisted"
            ),
        )
        .join(Puzzle, Puzzle.id == Daily.puzzle_id)
        .outerjoin(Attempt, _OF_IT)
        .where(within, SCHEDULED)
        .group_by(Daily.id, Daily.date, Daily.level, Daily.puzzle_id, Puzzle.expected_seconds)
        .order_by(Daily.date.desc(), Daily.level)
    )
    hinted = (
        sa.select(Attempt.daily_id, sa.func.count().label("hints"))
        .join(Move, Move.attempt_id == Attempt.id)
        .join(Daily, _OF_IT)
        .where(within, Move.kind == "hint")
        .group_by(Attempt.daily_id)
    )
    hints = {row.daily_id: row.hints for row in db.session.execute(hinted)}
    return [
        Result(
            row.date,
            row.level,
            row.puzzle_id,
            row.starts,
            row.finished,
            row.assisted,
            hints.get(row.id, 0),
            _median(row.id, row.puzzle_id) if row.finished else None,
            None if row.expected_seconds is None else row.expected_seconds / 60,
        )
        for row in db.session.execute(query)
    ]


@dataclass(frozen=True, slots=True)
class Stuck:
    """Where players of a daily waited longest, and the technique available there."""

    daily: Daily
    games: int  # number of games examined
    cells: list[tuple[int, int, float]]  # cell, games with a long wait before it, median seconds
    techniques: list[tuple[str, int]]  # the easiest technique available then, and how often
    given_up: int  # games begun and not finished
    given_up_at: int | None  # the median number of cells filled in these


def stuck(day: date, level: int, now: datetime) -> Stuck:
    """Return where people got stuck in a past daily. Raises NotFound for any other."""
    query = sa.select(Daily).where(Daily.date == day, Daily.level == level, Daily.date <= dailies.today(now))
    daily = db.session.scalar(query)
    if daily is None:
        raise NotFound(_("Nothing was released on that day at this level."))
    own = sa.select(Attempt).where(Attempt.daily_id == daily.id, Attempt.puzzle_id == daily.puzzle_id)
    solved = own.where(*COUNTED)
    found = db.session.scalars(solved.order_by(Attempt.finished_at.desc()).limit(MOST_GAMES)).all()
    waits: dict[int, list[float]] = defaultdict(list)
    offered: Counter[str] = Counter()
    for game in found:
        seen = looked_at(game, None)
        for stall in seen.stalls:
            move = seen.moments[stall.number - 1].move
            if move.digit and len(move.cells) == 1:
                waits[move.cells[0]].append(stall.waited.total_seconds())
            if stall.hint.step is not None:
                offered[stall.hint.step.technique] += 1
    open_games = own.where(Attempt.finished_at.is_(None), Attempt.filled.is_not(None)).limit(MOST_TIMES)
    filled = [each.filled or 0 for each in db.session.scalars(open_games)]
    cells = [(cell, len(times), median(times)) for cell, times in waits.items()]
    cells.sort(key=lambda place: (-place[1], -place[2], place[0]))
    at = None if not filled else int(median(filled))
    return Stuck(daily, len(found), cells[:MOST_PLACES], offered.most_common(MOST_PLACES), len(filled), at)


def _median(daily_id: int, puzzle_id: int) -> float | None:
    """Return the median minutes of a daily's solves that count in statistics."""
    counted = (Attempt.daily_id == daily_id, Attempt.puzzle_id == puzzle_id, *COUNTED)
    times = sa.select(sa.NotNullable(Attempt.elapsed_ms)).where(*counted).order_by(Attempt.finished_at)
    found = db.session.scalars(times.limit(MOST_TIMES)).all()
    return median(found) / 60_000 if found else None


def finished_levels(found: Sequence[Result]) -> set[int]:
    """Return the levels of which a daily has a solve that counts."""
    return {each.level for each in found if each.minutes is not None}


def usual_minutes(found: Sequence[Result], level: int) -> dict[int, float]:
    """Return the median expected minutes of a level's dailies by weekday."""
    by_weekday: dict[int, list[float]] = defaultdict(list)
    for each in found:
        if each.level == level and each.expected is not None:
            by_weekday[each.day.weekday()].append(each.expected)
    return {weekday: median(minutes) for weekday, minutes in by_weekday.items()}
