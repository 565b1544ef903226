"""A chart of solve times as plain values for a template: positions in percent of the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from math import log2
from statistics import median

from webapp.people.profile import Solve

FEWEST_POINTS = 2  # fewer make no chart
MOST_POINTS = 200  # the latest
SMOOTH = 5  # solves in the running median
# Candidate axis labels in seconds; those within the range are drawn.
TICKS = (15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200, 14400, 43200, 86400)


@dataclass(frozen=True, slots=True)
class Point:
    """One solve in the chart."""

    x: float  # percent from the left
    y: float  # percent from the top
    solve: Solve


@dataclass(frozen=True, slots=True)
class TimeChart:
    """Solve times by date, on a logarithmic scale."""

    points: list[Point]
    trend: list[tuple[float, float]]  # the running median, if a single level is shown
    ticks: list[tuple[float, int]]  # percent from the top, milliseconds
    first: datetime
    last: datetime

    @property
    def trend_lines(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The running median as lines from point to point."""
        return list(pairwise(self.trend))

    @property
    def levels(self) -> list[int]:
        """The levels in the chart, for the legend."""
        return sorted({point.solve.level for point in self.points})


def time_chart(solves: Sequence[Solve], level: int | None) -> TimeChart | None:
    """Return the chart of the latest solves, of one level or all; None with fewer than FEWEST_POINTS."""
    shown = [solve for solve in solves if level in (None, solve.level)][-MOST_POINTS:]
    if len(shown) < FEWEST_POINTS:
        return None
    times = [max(1, solve.elapsed_ms) for solve in shown]
    low, high = log2(min(times)) - 0.3, log2(max(times)) + 0.3
    first, last = shown[0].finished_at, shown[-1].finished_at
    span = (last - first).total_seconds()

    def x(at: datetime) -> float:
        return round(3 + 94 * (at - first).total_seconds() / span, 2) if span else 50.0

    def y(ms: float) -> float:
        return round(100 - 100 * (log2(max(1, ms)) - low) / (high - low), 2)

    middle = [
        (x(solve.finished_at), y(median(times[max(0, index + 1 - SMOOTH) : index + 1])))
        for index, solve in enumerate(shown)
    ]
    return TimeChart(
        points=[Point(x(solve.finished_at), y(solve.elapsed_ms), solve) for solve in shown],
        trend=middle if level is not None and len(shown) >= SMOOTH else [],
        ticks=[(y(1000 * tick), 1000 * tick) for tick in TICKS if low <= log2(1000 * tick) <= high],
        first=first,
        last=last,
    )


def weeks_until(last: date, first: date | None, most: int, first_weekday: int) -> list[list[date]]:
    """Return the days of the weeks from `first` to `last`; at most so many, the latest."""
    if first is None:
        return []
    start, of_first = (day - timedelta(days=(day.weekday() - first_weekday) % 7) for day in (last, first))
    count = min(most, (start - of_first).days // 7 + 1)
    return [[start + timedelta(weeks=week, days=day) for day in range(7)] for week in range(1 - count, 1)]
