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

RING: Final = 1.55  # radius of a ring around a candidate
HEAD: Final = 2.4  # length of an arrowhead
SLIM: Final = 0.42  # half its width, as a share of its length

# How far a line may swing out at its middle, on either side: at most this share of its length.
BOWS: Final = (1.2, 1.8, 2.5, 3.3, 4.2, 5.2, 6.4, 8.0, 10.0)
MOST: Final = 0.45
CLOSE: Final = 6.0  # candidates nearer than this are linked by an arc, since their rings all but touch
ARCS: Final = (2.4, 3.0, 3.6)

# What a line keeps away from, how far, and what it costs not to; a bow of ten units costs as much as a digit.
ROOM_OF_RING: Final = (RING + 0.5, 12.0)
ROOM_OF_DIGIT: Final = (2.7, 8.0)
ROOM_OF_LINE: Final = (1.4, 24.0)  # the whole way along another; near an end that both have it costs nothing
SAME_SIDE: Final = 6.0  # as a line over the same row or column of candidates
OUTSIDE: Final = 50.0
SHARE_OF_BOW: Final = 0.8
INWARDS: Final = 0.1

_T: Final = np.linspace(0, 1, 17)[:, None]
_CENTRE: Final = 45.0

Point = tuple[float, float]
Points = npt.NDArray[np.float64]


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
    around, printed = [*rings], np.array([*digits], dtype=float).reshape(-1, 2)
    found: list[Line] = []
    drawn: list[tuple[Arrow, float, Points]] = []
    for arrow in arrows:
        others = np.array([ring for ring in around if ring not in (arrow.start, arrow.end)], dtype=float)
        bows = _bows(arrow)
        curves = np.array([_curve(arrow, bow) for bow in bows])
        cost = _costs(arrow, bows, curves, others.reshape(-1, 2), printed, drawn)
        best = int(cost.argmin())
        drawn.append((arrow, bows[best], curves[best]))
        found.append(_line(*drawn[-1]))
    return tuple(found)


def _bows(arrow: Arrow) -> list[float]:
    """Swings to choose from, to the left of the way from start to end where they are positive."""
    length = dist(arrow.start, arrow.end)
    sizes = ARCS if length < CLOSE else [bow for bow in BOWS if bow <= max(MOST * length, BOWS[0])]
    return [side * size for size in sizes for side in (1.0, -1.0)]


def _bend(arrow: Arrow, bow: float) -> Point:
    """The control point of the curve that swings out by `bow` at its middle."""
    (x1, y1), (x2, y2) = arrow.start, arrow.end
    length = dist(arrow.start, arrow.end)
    return (x1 + x2) / 2 + 2 * bow * (y2 - y1) / length, (y1 + y2) / 2 - 2 * bow * (x2 - x1) / length


def _curve(arrow: Arrow, bow: float) -> Points:
    """Points from edge to edge."""
    bend = _bend(arrow, bow)
    start, end = np.array(_towards(arrow.start, bend)), np.array(_towards(arrow.end, bend))
    points: Points = (1 - _T) ** 2 * start + 2 * _T * (1 - _T) * np.array(bend) + _T**2 * end
    return points


def _costs(
    arrow: Arrow,
    bows: Sequence[float],
    curves: Points,
    rings: Points,
    digits: Points,
    drawn: Sequence[tuple[Arrow, float, Points]],
) -> Points:
    """What is wrong with each of the `curves`, which swing out by `bows`."""
    cost: Points = SHARE_OF_BOW * np.abs(bows)
    cost += OUTSIDE * np.maximum(0.4 - curves, curves - 89.6).max(axis=(1, 2)).clip(0)
    straight = (np.array(arrow.start) + np.array(arrow.end)) / 2
    outwards = np.abs(curves[:, len(_T) // 2] - _CENTRE).sum(axis=1) > np.abs(straight - _CENTRE).sum()
    cost += INWARDS * outwards
    for points, (room, price) in ((rings, ROOM_OF_RING), (digits, ROOM_OF_DIGIT)):
        if len(points):
            nearest = _distances(curves, points).min(axis=1)
            cost += price * ((1 - nearest / room).clip(0) + (nearest < room)).sum(axis=1)
    for other, side, curve in drawn:
        near = _distances(curves, curve[::2]).min(axis=2) < ROOM_OF_LINE[0]
        for point in {arrow.start, arrow.end} & {other.start, other.end}:
            near &= _distances(curves, np.array([point]))[:, :, 0] > 2 * RING + HEAD
        cost += ROOM_OF_LINE[1] * near.mean(axis=1)
        if _overlap(arrow, other):
            way = (arrow.end[0] - arrow.start[0]) * (other.end[0] - other.start[0])
            way += (arrow.end[1] - arrow.start[1]) * (other.end[1] - other.start[1])
            cost += SAME_SIDE * (np.array(bows) * side * way > 0)
    return cost


def _distances(curves: Points, points: Points) -> Points:
    """From every point of every curve to each of the points."""
    apart = curves[:, :, None] - points
    distances: Points = np.sqrt((apart * apart).sum(axis=3))
    return distances


def _overlap(one: Arrow, other: Arrow) -> bool:
    """Whether both go along the same row or column of candidates, and some of the way together."""
    for along, across in ((0, 1), (1, 0)):
        level = [point[across] for point in (one.start, one.end, other.start, other.end)]
        if max(level) - min(level) > 0.1:
            continue
        first, second = (sorted(point[along] for point in (arrow.start, arrow.end)) for arrow in (one, other))
        return min(first[1], second[1]) - max(first[0], second[0]) > 0.1
    return False


def _line(arrow: Arrow, bow: float, curve: Points) -> Line:
    bend = _bend(arrow, bow)
    start, tip = _towards(arrow.start, bend), _towards(arrow.end, bend)
    points = tuple((float(x), float(y)) for x, y in curve)
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
