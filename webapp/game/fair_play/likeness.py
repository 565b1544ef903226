"""Compare solves by the order of their digits, in a form independent of transformations.

Cells are named by the puzzle's canonical form. Many players share orders that follow logic or a sweep over
the board, so one of two such orders is a copy only if their pauses agree as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log1p
from statistics import StatisticsError, correlation

import numpy as np
from numpy.typing import NDArray

import engine
from webapp.game.fair_play.solve import Solve

COPIED = 0.8  # similarity from which one of two orders is a copy
NEAR = 2  # how many places a cell may be earlier or later in two similar orders
NOWHERE = 255
FINE = 24  # resolution of a stored pause, by ln(1 + seconds)
SHARED = 0.4  # share of steps along a sweep, which others may follow too
LOGIC, IN_STEP = 0.85, 0.8  # similarity to the engine's path, and the correlation of pauses that makes a copy


@dataclass(frozen=True, slots=True)
class Trace:
    """The order of a solve."""

    places: bytes  # for each cell of the canonical form, its place in the order; NOWHERE for a given
    waits: bytes  # the pause before each cell, ln(1 + seconds) in steps of 1 / FINE
    by_logic: bool  # whether it is close to the engine's path, or a sweep over the board


def trace(solve: Solve) -> Trace:
    """Return the order of a solve, with its pauses."""
    names, path = _names(solve.givens)
    order = [names[cell] for cell in solve.order]
    times = [solve.started_at, *solve.placings.values()]
    seconds = [max(0.0, (after - at).total_seconds()) for at, after in pairwise(times)]
    waits = bytearray(81)
    for cell, wait in zip(order, seconds, strict=True):
        waits[cell] = min(255, round(FINE * log1p(wait)))
    places = _places(order)
    by_logic = solve.onward >= SHARED or bool(nearness(places, [_places(path)])[0] >= LOGIC)
    return Trace(places, bytes(waits), by_logic)


def _places(order: Sequence[int]) -> bytes:
    places = bytearray([NOWHERE]) * 81
    for place, cell in enumerate(order):
        places[cell] = place
    return bytes(places)


@lru_cache(256)
def _names(givens: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the puzzle's cells by their canonical names, and the engine's path through them."""
    grid = engine.parse(givens)
    there = engine.Canonical.of(grid).transformation
    path = [cell for step in engine.solve_path(grid).steps for cell, _digit in step.placements]
    return tuple(there.target(cell) for cell in range(81)), tuple(there.target(cell) for cell in path)


def nearness(places: bytes, others: Sequence[bytes]) -> NDArray[np.float64]:
    """Return, for each other order, the share of cells with nearly the same place in both."""
    one = np.frombuffer(places, np.uint8).astype(np.int16)
    all_others = np.frombuffer(b"".join(others), np.uint8).reshape(-1, 81)[:, one != NOWHERE].astype(np.int16)
    one = one[one != NOWHERE]
    found: NDArray[np.float64] = (np.abs(all_others - one) <= NEAR).mean(axis=1)
    return found


def alike(near: float, one: Trace, other: Trace) -> float:
    """Return the similarity of two orders, 0 to 1; for logical orders, only if their pauses agree."""
    if not (one.by_logic and other.by_logic):
        return near
    cells = [cell for cell in range(81) if NOWHERE not in (one.places[cell], other.places[cell])]
    # Pause by pause, not cell by cell: a copy that swaps neighbors keeps the rhythm.
    first, second = (
        [each.waits[cell] for cell in sorted(cells, key=each.places.__getitem__)] for each in (one, other)
    )
    try:
        agree = correlation(first, second)
    except StatisticsError:  # too few pauses, or all equal
        return 0.0
    return near if agree >= IN_STEP else 0.0
