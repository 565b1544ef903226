"""The order of placing, beside what needs no thought: sweeps, what lies near, the engine's path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from engine.geometry import BOX_OF, COL_OF, PEERS
from webapp.game.evidence.leaps import way
from webapp.game.evidence.sight import Sight
from webapp.game.evidence.solve import Solve

CHOICE = 3  # singles
NEAR = 2  # places by which a cell may be earlier or later in two orders that count as near there


def longest_run(solve: Solve, but: int = 0) -> int:
    """The most digits in a row of which each went into the next empty cell of a sweep over the board.

    By rows, columns or boxes, either way. The last digits of a solve are left out, as many as said.
    """
    sweeps: tuple[Callable[[int], tuple[int, int]], ...] = (
        lambda cell: (0, cell),
        lambda cell: (COL_OF[cell], cell),
        lambda cell: (BOX_OF[cell], cell),
    )
    return max(_run(solve.order, sorted(solve.order, key=place), but) for place in sweeps)


def _run(order: Sequence[int], sweep: Sequence[int], but: int) -> int:
    best = 0
    for line in (list(sweep), list(reversed(sweep))):
        left, run = list(line), 0
        for before, cell in pairwise(order[: len(order) - but]):
            at = left.index(before)
            left.pop(at)
            run = run + 1 if at < len(left) and left[at] == cell else 0
            best = max(best, run)
    return best


@dataclass(frozen=True, slots=True)
class Choice:
    """A single that was placed, and those that lay open."""

    cell: int
    open: dict[int, int]  # by cell, how hard each is to see, as `Sight.effort` says
    near: frozenset[int]  # those with the digit or in a house of the digit before


def choices(solve: Solve) -> list[Choice]:
    """The singles in the order in which they were placed, but the first digit."""
    sight, answer = Sight(solve.givens), solve.answer
    found = []
    for before, cell in pairwise(solve.order):
        sight.place(before, int(answer[before]))
        singles = sight.singles(answer)
        if cell in singles:
            efforts = {each: sight.effort(each, int(answer[each])) for each in singles}
            near = (each for each in singles if each in PEERS[before] or answer[each] == answer[before])
            found.append(Choice(cell, efforts, frozenset(near)))
    return found


def togetherness(found: Sequence[Choice]) -> float | None:
    """How much more often than by chance the next single was near: of the same digit or house.

    In standard deviations, chance being any of the singles that lay open, where three did or more. Eyes move
    little: people go on with a digit, a box or a row. None where near and far were never both open.
    """
    near, expected, variance = 0, 0.0, 0.0
    for choice in found:
        if len(choice.open) >= CHOICE:
            share = len(choice.near) / len(choice.open)
            near += choice.cell in choice.near
            expected += share
            variance += share * (1 - share)
    return (near - expected) / sqrt(variance) if variance else None


def nearness(order: Sequence[int], other: Sequence[int]) -> float:
    """The share of the cells of both orders that have nearly the same place in them; 0 without any."""
    places = {cell: at for at, cell in enumerate(other)}
    shared = [abs(at - places[cell]) <= NEAR for at, cell in enumerate(order) if cell in places]
    return sum(shared) / len(shared) if shared else 0.0


def along_path(solve: Solve) -> float:
    """How near the order is to the engine's own, 0 to 1."""
    return nearness(solve.order, way(solve.givens).order)
