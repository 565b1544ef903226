"""Curves of links: how far each line swings out to avoid what it doesn't link.

Compiled, since a chain of thirty links tries hundreds of curves, each against everything on the board.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel

Floats = NDArray[np.float64]

RING: Final = 1.55  # radius of a ring around a candidate
HEAD: Final = 2.4  # length of an arrowhead
POINTS: Final = 17  # of a curve, from end to end
EVERY: Final = 2  # every second point is enough to keep other lines away

# How far a line may swing out at its middle, to either side: at most this share of its length.
_BOWS: Final = np.array([1.2, 1.8, 2.5, 3.3, 4.2, 5.2, 6.4, 8.0, 10.0])
_MOST: Final = 0.45
_CLOSE: Final = 6.0  # closer candidates are linked by an arc, since their rings nearly touch
_ARCS: Final = np.array([2.4, 3.0, 3.6])

# The distances that a line keeps, and the cost of not keeping them; swinging out ten units costs as much as
# touching a digit.
_ROOM_OF_RING: Final = RING + 0.5
_PRICE_OF_RING: Final = 12.0
_ROOM_OF_DIGIT: Final = 2.7
_PRICE_OF_DIGIT: Final = 8.0
_ROOM_OF_LINE: Final = 1.4
_PRICE_OF_LINE: Final = 24.0  # for running along another line completely; free near a shared end
_SAME_SIDE: Final = 6.0  # for running in the same row or column of candidates as another line
_OUTSIDE: Final = 50.0
_LEAST: Final = 0.4  # distance from the edge of the board
_SHARE_OF_BOW: Final = 0.8
_INWARDS: Final = 0.1
_SIDE: Final = 90.0


@kernel
def choose(ends: Floats, rings: Floats, digits: Floats, bows: Floats, curves: Floats) -> None:
    """Choose the curve of each line, in order, each avoiding the earlier ones.

    ends: float64[n, 4], the centers of each line's two candidates (x1, y1, x2, y2), not equal.
    rings, digits: float64[*, 2], the candidates drawn and the centers of cells with a digit.
    bows: float64[n], output: how far each line swings out at its middle, positive to the left.
    curves: float64[n, POINTS, 2], output: the points of each curve.
    """
    tried = np.empty((POINTS, 2))
    for line in range(len(ends)):
        x1, y1, x2, y2 = ends[line]
        length = np.hypot(x2 - x1, y2 - y1)
        sizes = _ARCS if length < _CLOSE else _BOWS
        best = np.inf
        for size in sizes:
            if _SHARE_OF_BOW * size >= best or (length >= _CLOSE and size > max(_MOST * length, _BOWS[0])):
                break
            for bow in (size, -size):
                _curve(ends[line], bow, tried)
                cost = _SHARE_OF_BOW * size + _alone(ends[line], tried)
                if cost < best:
                    cost += _past(ends[line], tried, size, rings, _ROOM_OF_RING, _PRICE_OF_RING, True)
                if cost < best:
                    cost += _past(ends[line], tried, size, digits, _ROOM_OF_DIGIT, _PRICE_OF_DIGIT, False)
                if cost < best:
                    cost += _beside(ends[: line + 1], bow, tried, bows, curves)
                if cost < best:
                    best, bows[line] = cost, bow
                    for at in range(POINTS):
                        curves[line, at, 0], curves[line, at, 1] = tried[at, 0], tried[at, 1]


@kernel
def _curve(end: Floats, bow: float, points: Floats) -> None:
    """Write the points of the curve that swings out by `bow`, from edge to edge."""
    x1, y1, x2, y2 = end
    length = np.hypot(x2 - x1, y2 - y1)
    across = (x1 + x2) / 2 + 2 * bow * (y2 - y1) / length
    down = (y1 + y2) / 2 - 2 * bow * (x2 - x1) / length
    first = RING / np.hypot(across - x1, down - y1)
    last = RING / np.hypot(across - x2, down - y2)
    x1, y1 = x1 + first * (across - x1), y1 + first * (down - y1)
    x2, y2 = x2 + last * (across - x2), y2 + last * (down - y2)
    for at in range(POINTS):
        t = at / (POINTS - 1)
        one, two, three = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        points[at, 0] = one * x1 + two * across + three * x2
        points[at, 1] = one * y1 + two * down + three * y2


@kernel
def _alone(end: Floats, points: Floats) -> float:
    """Return the cost of a curve on an empty board."""
    beyond = 0.0
    for at in range(POINTS):
        for axis in range(2):
            beyond = max(beyond, _LEAST - points[at, axis], points[at, axis] - (_SIDE - _LEAST))
    straight = abs(end[0] + end[2] - _SIDE) + abs(end[1] + end[3] - _SIDE)
    middle = points[POINTS // 2]
    outwards = abs(middle[0] - _SIDE / 2) + abs(middle[1] - _SIDE / 2) > straight / 2
    return _OUTSIDE * beyond + (_INWARDS if outwards else 0.0)


@kernel
def _past(
    end: Floats, points: Floats, size: float, others: Floats, room: float, price: float, linked: bool
) -> float:
    """Return the cost of coming too close to rings or digits.

    size: how far the curve swings out. linked: whether the line's ends are among the others.
    """
    x1, y1, x2, y2 = end
    length = np.hypot(x2 - x1, y2 - y1)
    cost = 0.0
    for number in range(len(others)):
        x, y = others[number]
        if abs((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) > (size + room) * length:
            continue  # too far to either side
        if linked and ((x == x1 and y == y1) or (x == x2 and y == y2)):
            continue
        nearest = np.inf
        for at in range(POINTS):
            nearest = min(nearest, (points[at, 0] - x) ** 2 + (points[at, 1] - y) ** 2)
        nearest = np.sqrt(nearest)
        if nearest < room:
            cost += price * (2 - nearest / room)
    return cost


@kernel
def _beside(ends: Floats, bow: float, points: Floats, bows: Floats, curves: Floats) -> float:
    """Return the cost of running along earlier lines: all of `ends` but the last, whose curve is tried."""
    line = len(ends) - 1
    x1, y1, x2, y2 = ends[line]
    low_x, high_x = points[:, 0].min() - _ROOM_OF_LINE, points[:, 0].max() + _ROOM_OF_LINE
    low_y, high_y = points[:, 1].min() - _ROOM_OF_LINE, points[:, 1].max() + _ROOM_OF_LINE
    cost = 0.0
    for other in range(line):
        x3, y3, x4, y4 = ends[other]
        way = (x2 - x1) * (x4 - x3) + (y2 - y1) * (y4 - y3)
        if bow * bows[other] * way > 0 and _overlap(ends[line], ends[other]):
            cost += _SAME_SIDE
        at_start = (x1 == x3 and y1 == y3) or (x1 == x4 and y1 == y4)
        at_end = (x2 == x3 and y2 == y3) or (x2 == x4 and y2 == y4)
        near = np.zeros(POINTS, np.bool_)
        for part in range(0, POINTS, EVERY):
            x, y = curves[other, part]
            if low_x <= x <= high_x and low_y <= y <= high_y:
                for at in range(POINTS):
                    if (points[at, 0] - x) ** 2 + (points[at, 1] - y) ** 2 < _ROOM_OF_LINE**2:
                        near[at] = True
        for at in range(POINTS):
            if near[at]:
                x, y = points[at]
                meets = at_start and (x - x1) ** 2 + (y - y1) ** 2 <= (2 * RING + HEAD) ** 2
                meets = meets or (at_end and (x - x2) ** 2 + (y - y2) ** 2 <= (2 * RING + HEAD) ** 2)
                if not meets:
                    cost += _PRICE_OF_LINE / POINTS
    return cost


@kernel
def _overlap(one: Floats, other: Floats) -> bool:
    """Whether two lines follow the same row or column of candidates and overlap there."""
    for along in range(2):
        across = 1 - along
        low = min(one[across], one[across + 2], other[across], other[across + 2])
        high = max(one[across], one[across + 2], other[across], other[across + 2])
        if high - low <= 0.1:
            first = min(max(one[along], one[along + 2]), max(other[along], other[along + 2]))
            last = max(min(one[along], one[along + 2]), min(other[along], other[along + 2]))
            return bool(first - last > 0.1)
    return False
