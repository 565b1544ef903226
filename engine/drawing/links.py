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

RING: Final = 1.55  # radius of a ring around a candidate
HEAD: Final = 2.4  # length of an arrowhead
POINTS: Final = 17  # of a curve, from end to end
# How far a line may swing out at its middle, to either side: at most this share of its length. Close
# candidates are linked by an arc, since their rings nearly touch.
_BOWS: Final = (1.2, 1.8, 2.5, 3.3, 4.2, 5.2, 6.4, 8.0, 10.0)
_MOST: Final = 0.45
_CLOSE: Final = 6.0
_ARCS: Final = (2.4, 3.0, 3.6)
# The distance that a line keeps from rings, digits and other lines, and the cost of not keeping it; swinging
# out ten units costs as much as touching a digit.
_RINGS: Final = RING + 0.5, 12.0
_DIGITS: Final = 2.7, 8.0
_LINES: Final = 1.4, 24.0 / POINTS
_SHARE_OF_BOW: Final = 0.8
_OUTSIDE: Final = 50.0
_LEAST: Final = 0.4  # distance from the edge of the board
_INWARDS: Final = 0.1
_SIDE: Final = 90.0

SLIM: Final = 0.42  # half the width of an arrowhead, as a share of its length

Point = tuple[float, float]
Floats = npt.NDArray[np.float64]


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
    around, past, drawn = _array(rings), _array(digits), np.empty((0, 2))
    found = []
    for arrow in arrows:
        bow, curve = _choose(arrow, around, past, drawn)
        drawn = np.concatenate([drawn, curve])
        found.append(_line(arrow, bow, curve.tolist()))
    return tuple(found)


def _array(points: Iterable[Point]) -> Floats:
    return np.array([*points], dtype=float).reshape(-1, 2)


def _choose(arrow: Arrow, rings: Floats, digits: Floats, drawn: Floats) -> tuple[float, Floats]:
    """Return how far a line swings out at its middle, positive to the left, and the points of its curve."""
    start, end = np.array(arrow.start), np.array(arrow.end)
    length = dist(start, end)
    sizes = _ARCS if length < _CLOSE else [size for size in _BOWS if size <= max(_MOST * length, _BOWS[0])]
    bows = [bow for size in sizes for bow in (size, -size)]
    curves = np.array([_curve(arrow, bow) for bow in bows])
    cost = _SHARE_OF_BOW * np.abs(bows)
    cost += _OUTSIDE * np.maximum(0, np.maximum(_LEAST - curves, curves - _SIDE + _LEAST)).max(axis=(1, 2))
    straight = np.abs(start + end - _SIDE).sum() / 2
    cost += _INWARDS * (np.abs(curves[:, POINTS // 2] - _SIDE / 2).sum(axis=1) > straight)
    others = rings[(np.abs(rings - start).sum(axis=1) > 0) & (np.abs(rings - end).sum(axis=1) > 0)]
    for points, (room, price) in ((others, _RINGS), (digits, _DIGITS)):
        near = _distances(curves, points).min(axis=1)
        cost += np.where(near < room, price * (2 - near / room), 0).sum(axis=1)
    room, price = _LINES
    beside = (_distances(curves, drawn) < room).any(axis=2)
    apart = _distances(curves, np.array([start, end])).min(axis=2) > 2 * RING + HEAD
    cost += price * (beside & apart).sum(axis=1)
    best = int(cost.argmin())
    return bows[best], curves[best]


def _distances(curves: Floats, points: Floats) -> Floats:
    """Return the distance of every point of every curve to each of the points."""
    distances: Floats = np.sqrt(((curves[:, :, None] - points) ** 2).sum(axis=3))
    return distances


def _curve(arrow: Arrow, bow: float) -> Floats:
    """Return the points of the curve that swings out by `bow`, from edge to edge."""
    bend = _bend(arrow, bow)
    start, end = np.array(_towards(arrow.start, bend)), np.array(_towards(arrow.end, bend))
    t = np.linspace(0, 1, POINTS)[:, None]
    points: Floats = (1 - t) ** 2 * start + 2 * t * (1 - t) * np.array(bend) + t**2 * end
    return points


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
