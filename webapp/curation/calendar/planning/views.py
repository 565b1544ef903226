"""The plot of past dailies, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from webapp.curation.calendar.planning.results import Result
from webapp.process.words import format_percent

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, FLOOR = 44, 10, 12, 190  # of the plot area
LEAST_TOP = 2.0  # times the expected time, at least the top of the scale


@dataclass(frozen=True, slots=True)
class Point:
    """A daily in the plot."""

    x: float
    y: float
    result: Result


@dataclass(frozen=True, slots=True)
class Plot:
    """Times of past dailies as multiples of the expected ones, a line for each level."""

    series: list[tuple[int, list[Point], str]]  # level, points, the line through them
    lines: list[tuple[float, str]]  # y, label
    ticks: list[tuple[float, date]]  # x, day
    expected: float  # y of the expected time


def plot(results: Sequence[Result]) -> Plot | None:
    """Return the plot; None if nothing has been finished."""
    timed = [each for each in results if each.against_expected is not None]
    if not timed:
        return None
    days = sorted({each.day for each in timed})
    span = max(1, (days[-1] - days[0]).days)
    top = max(LEAST_TOP, *(each.against_expected or 0 for each in timed))

    def x(day: date) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (day - days[0]).days / span, 1)

    def y(value: float) -> float:
        return round(FLOOR - (FLOOR - TOP) * value / top, 1)

    series = []
    for level in sorted({each.level for each in timed}):
        of_level = sorted((each for each in timed if each.level == level), key=lambda each: each.day)
        points = [Point(x(each.day), y(each.against_expected or 0), each) for each in of_level]
        series.append((level, points, " ".join(f"{point.x},{point.y}" for point in points)))
    step = 0.5 if top <= 4 else 1 if top <= 10 else 5
    lines = [(y(step * number), format_percent(step * number)) for number in range(int(top / step) + 1)]
    shown = days[:: max(1, len(days) // 6)]
    return Plot(series, lines, [(x(day), day) for day in shown], y(1))
