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
AT_ONCE: Final = 6  # bows tried together, which numpy does for the price of one

_T: Final = np.linspace(0, 1, 17)
_WEIGHTS: Final = np.stack([(1 - _T) ** 2, 2 * _T * (1 - _T), _T**2], axis=1)  # of start, bend and end
_SPARSE: Final = _T[::2]  # points enough to keep other lines away
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
    around, printed = [*rings], _array(digits)
    drawn = _Drawn(len(arrows))
    found: list[Line] = []
    for arrow in arrows:
        others = _array(ring for ring in around if ring not in (arrow.start, arrow.end))
        bows = _bows(arrow)
        best, bow, curve = np.inf, 0.0, np.empty(0)
        # From small to large, as long as one of the others could cost less for its bow alone.
        for at in range(0, len(bows), AT_ONCE):
            tried = bows[at : at + AT_ONCE]
            if best <= SHARE_OF_BOW * abs(tried[0]):
                break
            curves = _curves(arrow, tried)
            cost = _costs(arrow, tried, curves) + drawn.costs(arrow, tried, curves)
            for points, (room, price) in ((others, ROOM_OF_RING), (printed, ROOM_OF_DIGIT)):
                if len(points):
                    nearest = np.sqrt(_squares(curves, points).min(axis=1))
                    cost += price * ((1 - nearest / room).clip(0) + (nearest < room)).sum(axis=1)
            least = int(cost.argmin())
            if cost[least] < best:
                best, bow, curve = float(cost[least]), float(tried[least]), curves[least]
        drawn.add(arrow, bow, curve)
        found.append(_line(arrow, bow, curve))
    return tuple(found)


class _Drawn:
    """The lines drawn so far."""

    def __init__(self, most: int) -> None:
        self._arrows: list[tuple[Arrow, float]] = []
        self._points = np.empty((most * len(_SPARSE), 2))

    def add(self, arrow: Arrow, bow: float, curve: Points) -> None:
        at = len(self._arrows) * len(_SPARSE)
        self._points[at : at + len(_SPARSE)] = curve[::2]
        self._arrows.append((arrow, bow))

    def costs(self, arrow: Arrow, bows: Points, curves: Points) -> Points:
        """What the other lines have against each of the `curves`."""
        cost = np.zeros(len(bows))
        count = len(self._arrows)
        if not count:
            return cost
        squares = _squares(curves, self._points[: count * len(_SPARSE)])
        near = (squares.reshape(*curves.shape[:2], count, -1) < ROOM_OF_LINE[0] ** 2).any(axis=3)
        if near.any():
            for point in (arrow.start, arrow.end):
                meeting = [point in (other.start, other.end) for other, _ in self._arrows]
                if any(meeting):
                    close = _squares(curves, np.array([point])) <= (2 * RING + HEAD) ** 2
                    near &= ~(close & np.array(meeting))
            cost += ROOM_OF_LINE[1] * near.mean(axis=1).sum(axis=1)
        for other, side in self._arrows:
            if _overlap(arrow, other):
                way = (arrow.end[0] - arrow.start[0]) * (other.end[0] - other.start[0])
                way += (arrow.end[1] - arrow.start[1]) * (other.end[1] - other.start[1])
                cost += SAME_SIDE * (bows * side * way > 0)
        return cost


def _array(points: Iterable[Point]) -> Points:
    return np.array([*points], dtype=float).reshape(-1, 2)


def _bows(arrow: Arrow) -> Points:
    """Swings to choose from, to the left of the way from start to end where they are positive."""
    length = dist(arrow.start, arrow.end)
    sizes = ARCS if length < CLOSE else [bow for bow in BOWS if bow <= max(MOST * length, BOWS[0])]
    return np.array([side * size for size in sizes for side in (1.0, -1.0)])


def _bend(arrow: Arrow, bow: float) -> Point:
    """The control point of the curve that swings out by `bow` at its middle."""
    (x1, y1), (x2, y2) = arrow.start, arrow.end
    length = dist(arrow.start, arrow.end)
    return (x1 + x2) / 2 + 2 * bow * (y2 - y1) / length, (y1 + y2) / 2 - 2 * bow * (x2 - x1) / length


def _curves(arrow: Arrow, bows: Points) -> Points:
    """Points from edge to edge of the curve of each bow: float64[bows, points, 2]."""
    bends = np.array([_bend(arrow, bow) for bow in bows.tolist()])
    ends = [[_towards(point, bend) for bend in bends.tolist()] for point in (arrow.start, arrow.end)]
    controls = np.array([ends[0], bends, ends[1]])
    curves: Points = np.einsum("pc,cbx->bpx", _WEIGHTS, controls)
    return curves


def _costs(arrow: Arrow, bows: Points, curves: Points) -> Points:
    """What is wrong with each of the `curves`, which swing out by `bows`, on an empty board."""
    cost: Points = SHARE_OF_BOW * np.abs(bows)
    cost += OUTSIDE * np.maximum(0.4 - curves, curves - 89.6).max(axis=(1, 2)).clip(0)
    straight = abs(arrow.start[0] + arrow.end[0] - 2 * _CENTRE) + abs(
        arrow.start[1] + arrow.end[1] - 2 * _CENTRE
    )
    outwards = np.abs(curves[:, len(_WEIGHTS) // 2] - _CENTRE).sum(axis=1) > straight / 2
    cost += INWARDS * outwards
    return cost


def _squares(curves: Points, points: Points) -> Points:
    """From every point of every curve to each of the points, the distance squared."""
    across = curves[:, :, :1] - points[:, 0]
    down = curves[:, :, 1:] - points[:, 1]
    across *= across
    down *= down
    across += down
    return across


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
