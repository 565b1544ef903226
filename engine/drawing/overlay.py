"""The overlay of one step: plain numbers on 90 by 90 units, ten a cell. Holds no markup."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import product
from math import dist

from ..geometry import HOUSES, Candidate
from ..steps.branches import Branch, Cause, Inference, displayed
from .links import RING, Arrow, Line, Point

# Roles, as the classes --1, --2 and --3 and the colors green, amber and violet; themes.COLORS continues the
# numbers.
PATTERN, CONSEQUENCE, THIRD = 1, 2, 3

MOST_LINKS = 40  # more lines hide the board, so each is shown only with its step
MOST_DRAWN = 200  # more aren't drawn at all

SIGHT = 1.4  # thickness of a line of sight

Candidates = tuple[tuple[int, ...], int]  # cells with the same digit
Pair = tuple[Candidate, Candidate]


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle around a house or a cell."""

    x: float
    y: float
    width: float
    height: float
    role: int
    steps: tuple[int, ...] = ()  # the proof's steps in which it matters; empty if it always does


@dataclass(frozen=True, slots=True)
class Ring:
    """A candidate at its place, or a digit in the center of its cell."""

    cell: int
    digit: int
    x: float
    y: float
    role: int
    steps: tuple[int, ...] = ()  # the proof's steps in which it matters; empty if it always does


@dataclass(frozen=True, slots=True)
class Overlay:
    """Everything drawn for one step, from back to front."""

    houses: tuple[Frame, ...] = ()
    sights: tuple[Frame, ...] = ()  # bars from a digit through the cells it blocks
    cells: tuple[Frame, ...] = ()
    groups: tuple[Frame, ...] = ()  # candidates that act as one
    lines: tuple[Line, ...] = ()
    rings: tuple[Ring, ...] = ()
    removed: tuple[Ring, ...] = ()
    placed: tuple[Ring, ...] = ()
    dense: bool = False  # too much to show at once: parts with steps are shown step by step


def place_of(cell: int, digit: int) -> Point:
    """Return the center of a candidate: its place of three by three in its cell."""
    row, column = divmod(cell, 9)
    down, across = divmod(digit - 1, 3)
    return round(10 * column + 1.87 + 3.13 * across, 2), round(10 * row + 1.87 + 3.13 * down, 2)


def ring(cell: int, digit: int, role: int, steps: tuple[int, ...] = ()) -> Ring:
    """Return a ring around a candidate."""
    return Ring(cell, digit, *place_of(cell, digit), role, steps)


def middle_of(cell: int) -> Point:
    """Return the center of a cell."""
    row, column = divmod(cell, 9)
    return 10.0 * column + 5, 10.0 * row + 5


def middle(cell: int, digit: int, role: int = CONSEQUENCE) -> Ring:
    """Return a digit in the center of a cell."""
    return Ring(cell, digit, *middle_of(cell), role)


def cell_frame(cell: int, role: int) -> Frame:
    """Return a frame just inside a cell."""
    row, column = divmod(cell, 9)
    return Frame(10 * column + 0.55, 10 * row + 0.55, 8.9, 8.9, role)


def house_frame(house: int, role: int) -> Frame:
    """Return a frame around a house 0..26."""
    row, column = divmod(HOUSES[house][0], 9)
    width, height = ((90, 10), (10, 90), (30, 30))[house // 9]
    return Frame(10 * column + 0.3, 10 * row + 0.3, width - 0.6, height - 0.6, role)


def sight(source: int, last: int, role: int) -> Frame:
    """A bar from the middle of a cell to that of another of its row or column."""
    (x1, y1), (x2, y2) = middle_of(source), middle_of(last)
    left, top = min(x1, x2) - SIGHT / 2, min(y1, y2) - SIGHT / 2
    return Frame(left, top, abs(x2 - x1) + SIGHT, abs(y2 - y1) + SIGHT, role)


def group_frame(cells: tuple[int, ...], digit: int, role: int, steps: tuple[int, ...] = ()) -> Frame:
    """Return a frame around one digit's candidates in a few neighboring cells."""
    spots = [place_of(cell, digit) for cell in cells]
    left, top = min(x for x, _ in spots), min(y for _, y in spots)
    width, height = max(x for x, _ in spots) - left, max(y for _, y in spots) - top
    pad = RING + 0.5
    x, y, width, height = (
        round(each, 2) for each in (left - pad, top - pad, width + 2 * pad, height + 2 * pad)
    )
    return Frame(x, y, width, height, role, steps)


def struck(candidates: Iterable[Candidate]) -> Overlay:
    """Return an overlay of crossed-out candidates alone."""
    return Overlay(removed=tuple(ring(*spot, CONSEQUENCE) for spot in candidates))


def arrows_of(branches: tuple[Branch, ...], removed: Collection[Candidate]) -> tuple[Arrow, ...]:
    """Return the links of all branches, each once regardless of direction, with the steps they belong to.

    removed: the step's eliminations; an almost locked set clears those without a line.
    """
    ends: dict[frozenset[Candidates], tuple[Point, Point, bool]] = {}
    steps: dict[frozenset[Candidates], list[int]] = {}
    for step, inference in _numbered(branches):
        target = (inference.result.cells, inference.result.digit)
        if inference.cause is Cause.SET and (target[0][0], target[1]) in removed:
            continue
        for premise in inference.premises:
            source = (premise.cells, premise.digit)
            link = frozenset((source, target))
            if len(link) == 2:
                ends.setdefault(link, (*_nearest(source, target), inference.strong))
                steps.setdefault(link, []).append(step)
    return tuple(Arrow(*ends[link], tuple(steps[link])) for link in ends)


def steps_of(branches: tuple[Branch, ...]) -> dict[Candidates, tuple[int, ...]]:
    """Return the steps, numbered from 1 through all branches, that use each candidate or decide it."""
    found: dict[Candidates, list[int]] = {}
    for step, inference in _numbered(branches):
        for claim in (*inference.premises, inference.result):
            found.setdefault((claim.cells, claim.digit), []).append(step)
    return {candidates: tuple(steps) for candidates, steps in found.items()}


def _numbered(branches: tuple[Branch, ...]) -> Iterable[tuple[int, Inference]]:
    """Yield the steps of a proof with their numbers, from 1 through all branches."""
    return enumerate((inference for branch in displayed(branches) for inference in branch.inferences), 1)


def chained(first: Pair, second: Pair, inner: Collection[int]) -> tuple[Arrow, ...]:
    """Return a chain through two strong links that each have one end in a cell of `inner`, where they
    meet.
    """
    one, two = sorted(first, key=lambda spot: spot[0] in inner)
    three, four = sorted(second, key=lambda spot: spot[0] not in inner)
    links = ((one, two, True), (two, three, False), (three, four, True))
    return tuple(Arrow(place_of(*start), place_of(*end), strong) for start, end, strong in links)


def _nearest(source: Candidates, target: Candidates) -> tuple[Point, Point]:
    """Return the two ends that are closest; groups may share a candidate."""
    starts = [place_of(cell, source[1]) for cell in source[0]]
    ends = [place_of(cell, target[1]) for cell in target[0]]
    return min((pair for pair in product(starts, ends) if pair[0] != pair[1]), key=lambda pair: dist(*pair))
