"""The drawing over a board of 90 by 90 units: plain numbers for templates/game/steps/_overlay.html."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import product
from math import dist

from engine.branches import Branch, Cause
from engine.step import Candidate
from webapp.game.steps.places import House

# Roles, as the classes --1, --2 and --3 and the colors green, amber and violet.
PATTERN, CONSEQUENCE, THIRD = 1, 2, 3

RING = 1.55  # radius of a ring around a candidate
MOST_LINKS = 40  # more lines than that hide the board
BEND = 0.09  # how far a line swings out, as a share of its length
STRAIGHT = 6.0  # shorter lines do not swing out

CENTRE = 45.0

Point = tuple[float, float]
Candidates = tuple[tuple[int, ...], int]  # cells, and the digit in all of them


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle around a house or a cell."""

    x: float
    y: float
    width: float
    height: float
    role: int


@dataclass(frozen=True, slots=True)
class Ring:
    """A candidate at its place, or a digit in the middle of its cell."""

    cell: int
    digit: int
    x: float
    y: float
    role: int


@dataclass(frozen=True, slots=True)
class Line:
    """A link between two candidates, as the path of an SVG."""

    path: str
    strong: bool


@dataclass(frozen=True, slots=True)
class Overlay:
    """Everything drawn for one step, from the ground up."""

    houses: tuple[Frame, ...] = ()
    cells: tuple[Frame, ...] = ()
    groups: tuple[Frame, ...] = ()  # candidates that stand for each other
    lines: tuple[Line, ...] = ()
    rings: tuple[Ring, ...] = ()
    removed: tuple[Ring, ...] = ()
    placed: tuple[Ring, ...] = ()


def place_of(cell: int, digit: int) -> Point:
    """Where a candidate sits: its place of three by three in its cell."""
    row, column = divmod(cell, 9)
    down, across = divmod(digit - 1, 3)
    return round(10 * column + 1.87 + 3.13 * across, 2), round(10 * row + 1.87 + 3.13 * down, 2)


def ring(cell: int, digit: int, role: int) -> Ring:
    """A ring around a candidate."""
    return Ring(cell, digit, *place_of(cell, digit), role)


def middle(cell: int, digit: int, role: int = CONSEQUENCE) -> Ring:
    """A digit in the middle of a cell."""
    row, column = divmod(cell, 9)
    return Ring(cell, digit, 10 * column + 5, 10 * row + 5, role)


def cell_frame(cell: int, role: int) -> Frame:
    """A frame just inside a cell."""
    row, column = divmod(cell, 9)
    return Frame(10 * column + 0.55, 10 * row + 0.55, 8.9, 8.9, role)


def house_frame(house: House, role: int) -> Frame:
    """A frame around a house."""
    row, column = divmod(house.cells[0], 9)
    width, height = {"row": (90, 10), "column": (10, 90), "box": (30, 30)}[house.kind]
    return Frame(10 * column + 0.3, 10 * row + 0.3, width - 0.6, height - 0.6, role)


def group_frame(cells: tuple[int, ...], digit: int, role: int) -> Frame:
    """A frame around one digit's candidates in a few neighboring cells."""
    spots = [place_of(cell, digit) for cell in cells]
    left, top = min(x for x, _ in spots), min(y for _, y in spots)
    width, height = max(x for x, _ in spots) - left, max(y for _, y in spots) - top
    pad = RING + 0.5
    return Frame(
        round(left - pad, 2), round(top - pad, 2), round(width + 2 * pad, 2), round(height + 2 * pad, 2), role
    )


def lines_of(branches: tuple[Branch, ...], removed: Collection[Candidate]) -> tuple[Line, ...]:
    """The links of all branches, each once whichever way round; none where they would hide the board.

    removed: what the step removes; an almost locked set clears that without a line.
    """
    drawn: dict[frozenset[Candidates], Line] = {}
    for branch in branches:
        for inference in branch.inferences:
            target = (inference.result.cells, inference.result.digit)
            if inference.cause is Cause.SET and (target[0][0], target[1]) in removed:
                continue
            for premise in inference.premises:
                source = (premise.cells, premise.digit)
                link = frozenset((source, target))
                if len(link) == 2 and link not in drawn:
                    drawn[link] = _line(*_nearest(source, target), inference.strong)
    return tuple(drawn.values()) if len(drawn) <= MOST_LINKS else ()


def lines_between(pairs: Iterable[tuple[Candidate, Candidate]]) -> tuple[Line, ...]:
    """A strong link between each two candidates, each once."""
    return tuple(_line(place_of(*one), place_of(*other), True) for one, other in dict.fromkeys(pairs))


def _nearest(source: Candidates, target: Candidates) -> tuple[Point, Point]:
    """The two ends that lie closest together; groups may have a candidate in common."""
    starts = [place_of(cell, source[1]) for cell in source[0]]
    ends = [place_of(cell, target[1]) for cell in target[0]]
    return min((pair for pair in product(starts, ends) if pair[0] != pair[1]), key=lambda pair: dist(*pair))


def _line(start: Point, end: Point, strong: bool) -> Line:
    """A line from ring to ring. A long one swings inwards a little, to pass by what lies between."""
    (x1, y1), (x2, y2) = start, end
    length = dist(start, end)
    across, down = (x2 - x1) / length, (y2 - y1) / length
    middle_x, middle_y = (x1 + x2) / 2, (y1 + y2) / 2
    swing = BEND * length if length > STRAIGHT else 0.0
    if down * (middle_x - CENTRE) < across * (middle_y - CENTRE):
        swing = -swing
    bend = middle_x - down * swing, middle_y + across * swing
    (x1, y1), (x2, y2) = _towards(start, bend), _towards(end, bend)
    return Line(f"M{x1:.2f} {y1:.2f}Q{bend[0]:.2f} {bend[1]:.2f} {x2:.2f} {y2:.2f}", strong)


def _towards(point: Point, other: Point) -> Point:
    """Where the ring around a point meets the way to another."""
    (x, y), (to_x, to_y) = point, other
    length = dist(point, other)
    return x + RING * (to_x - x) / length, y + RING * (to_y - y) / length
