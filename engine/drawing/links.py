"""Links: how the lines of a chain run over a board of 90 by 90 units. Pure geometry, in plain numbers.

A line goes from the edge of one candidate to the edge of another and ends in an arrowhead. It bows past the
digits and candidates that lie between, and past the lines drawn before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist, hypot
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.drawing.bows import HEAD, POINTS, RING, choose

SLIM: Final = 0.42  # half the width of an arrowhead, as a share of its length

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link to be drawn: from the middle of one candidate to that of another."""

    start: Point
    end: Point
    strong: bool
    steps: tuple[int, ...] = ()  # the steps of the proof that it belongs to, from 1
    headed: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A link as the paths of an SVG: its curve, and its arrowhead, empty where it has none."""

    path: str
    head: str
    strong: bool
    steps: tuple[int, ...]
    curve: tuple[Point, ...]  # points from edge to edge


def lines(arrows: Sequence[Arrow], rings: Iterable[Point], digits: Iterable[Point]) -> tuple[Line, ...]:
    """Draw the arrows, each past what is drawn already.

    rings: the candidates drawn. digits: the middles of the cells that hold a digit.
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
    """The control point of the curve that swings out by `bow` at its middle."""
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
    neck = tip[0] - 0.8 * size * across, tip[1] - 0.8 * size * down  # a little inside, so that no gap shows
    return Line(_path(start, bend, neck), head, arrow.strong, arrow.steps, points)


def _path(start: Point, bend: Point, end: Point) -> str:
    return "M{:.2f} {:.2f}Q{:.2f} {:.2f} {:.2f} {:.2f}".format(*start, *bend, *end)


def _towards(point: Point, other: Point) -> Point:
    """Where the ring around a point meets the way to another."""
    (x, y), (to_x, to_y) = point, other
    length = dist(point, other)
    return x + RING * (to_x - x) / length, y + RING * (to_y - y) / length
