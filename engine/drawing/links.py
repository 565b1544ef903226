"""The lines of a chain on a board of 90 by 90 units. Pure geometry, in plain numbers.

A line goes from the edge of one candidate to the edge of another and ends in an arrowhead. It curves around
digits and candidates in between, and around earlier lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist, hypot
from typing import Final

import numpy as np
import numpy.typing as npt

from .bows import HEAD, POINTS, RING, choose

SLIM: Final = 0.42  # half the width of an arrowhead, as a share of its length

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link to be drawn: from the center of one candidate to that of another."""

    start: Point
    end: Point
    strong: bool
    steps: tuple[int, ...] = ()  # the proof's steps that it belongs to, from 1
    headed: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A link as SVG paths: its curve, and its arrowhead, if any."""

    path: str
    head: str
    strong: bool
    steps: tuple[int, ...]
    curve: tuple[Point, ...]  # points from end to end


def lines(arrows: Sequence[Arrow], rings: Iterable[Point], digits: Iterable[Point]) -> tuple[Line, ...]:
    """Draw the arrows, each around what is drawn already.

    rings: the candidates drawn. digits: the centers of cells with a digit.
    """
    if not arrows:
        return ()
    ends = np.array([(*arrow.start, *arrow.end) for arrow in arrows], dtype=float)
    bows, curves = np.empty(len(arrows)), np.empty((len(arrows), POINTS, 2))
    choose(ends, _array(rings), _array(digits), bows, curves)
    return tuple(map(_line, arrows, bows.tolist(), curves.tolist()))


def _array(points: Iterable[Point]) -> npt.NDArray[np.float64]:
    return np.array([*points], dtype=float).reshape(-1, 2)


def _bend(arrow: Arrow, bow: float) -> Point:
    """Return the control point of the curve that swings out by `bow` at its middle."""
    (x1, y1), (x2, y2) = arrow.start, arrow.end
    length = dist(arrow.start, arrow.end)
    return (x1 + x2) / 2 + 2 * bow * (y2 - y1) / length, (y1 + y2) / 2 - 2 * bow * (x2 - x1) / length


def _line(arrow: Arrow, bow: float, curve: list[list[float]]) -> Line:
    bend = _bend(arrow, bow)
    start, tip = _towards(arrow.start, bend), _towards(arrow.end, bend)
    points = tuple((x, y) for x, y in curve)
    if not arrow.headed:
        return Line(_path(start, bend, tip), "", arrow.strong, arrow.steps, points)
    size = min(HEAD, 0.6 * dist(start, tip))
    length = hypot(tip[0] - bend[0], tip[1] - bend[1])
    across, down = (tip[0] - bend[0]) / length, (tip[1] - bend[1]) / length
    base = tip[0] - size * across, tip[1] - size * down
    left = base[0] - SLIM * size * down, base[1] + SLIM * size * across
    right = base[0] + SLIM * size * down, base[1] - SLIM * size * across
    head = "M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}Z".format(*tip, *left, *right)
    neck = tip[0] - 0.8 * size * across, tip[1] - 0.8 * size * down  # slightly inside, so that no gap shows
    return Line(_path(start, bend, neck), head, arrow.strong, arrow.steps, points)


def _path(start: Point, bend: Point, end: Point) -> str:
    return "M{:.2f} {:.2f}Q{:.2f} {:.2f} {:.2f} {:.2f}".format(*start, *bend, *end)


def _towards(point: Point, other: Point) -> Point:
    """Return where the line to another point leaves the ring around a point."""
    (x, y), (to_x, to_y) = point, other
    length = dist(point, other)
    return x + RING * (to_x - x) / length, y + RING * (to_y - y) / length
