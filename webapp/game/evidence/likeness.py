"""The order of a solve in a form that finds its like among many: bytes to compare, and keys to look up.

Cells are named as in the puzzle's canonical form, so a copy of a turned and relabeled puzzle is still a copy.
The keys are bands of min-hashes (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets,
chapter 3) over the cells with their rough place in the order: two orders that share four in five of these
share a key in 99 of 100 cases, two that share two in five in 1 of 100.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log1p
from statistics import StatisticsError, correlation

import numpy as np
from numpy.typing import NDArray

import engine
from webapp.game.evidence.leaps import way
from webapp.game.evidence.order import nearness
from webapp.game.evidence.solve import Solve

ROUGH = 8  # places in the order that count as one
BANDS, ROWS = 24, 8
PRIME = 2**31 - 1
FINE = 24  # steps of a stored wait, by ln(1 + seconds)
LOGIC = 0.85  # how near the engine's path an order is that anyone may come to by logic
IN_STEP = 0.9  # correlation of the waits of two such orders that makes one a copy


@dataclass(frozen=True, slots=True)
class Trace:
    """A solve's order."""

    order: bytes  # the cells of the canonical form, in the order of their right digits
    waits: bytes  # before each, ln(1 + seconds) in steps of 1 / FINE
    by_logic: bool  # whether it is nearly the engine's path


def trace(solve: Solve) -> Trace:
    """The order of a solve, and its waits."""
    names = _names(solve.givens)
    times = [solve.started_at, *solve.placings.values()]
    seconds = (max(0.0, (after - at).total_seconds()) for at, after in pairwise(times))
    waits = bytes(min(255, round(FINE * log1p(wait))) for wait in seconds)
    by_logic = nearness(solve.order, way(solve.givens).order) >= LOGIC
    return Trace(bytes(names[cell] for cell in solve.order), waits, by_logic)


@lru_cache(256)
def _names(givens: str) -> tuple[int, ...]:
    """The cell of the canonical form by the cell of the puzzle."""
    there = engine.Canonical.of(engine.parse(givens)).transformation
    return tuple(there.target(cell) for cell in range(81))


def alike(one: Trace, other: Trace) -> float:
    """How near two orders are, 0 to 1; for orders that logic leads to, only if their waits agree as well."""
    near = nearness(one.order, other.order)
    if near < LOGIC or not (one.by_logic and other.by_logic):
        return near
    return near if _in_step(one, other) else 0.0


def _in_step(one: Trace, other: Trace) -> bool:
    waits = dict(zip(other.order, other.waits, strict=True))
    pairs = [(wait, waits[cell]) for cell, wait in zip(one.order, one.waits, strict=True) if cell in waits]
    try:
        return correlation([a for a, _b in pairs], [b for _a, b in pairs]) >= IN_STEP
    except StatisticsError:  # too few, or all the same
        return False


def keys(order: Sequence[int], puzzle_id: int) -> list[int]:
    """BANDS signed 64-bit keys of an order of a puzzle, each of a band of its own."""
    rough = np.array([81 * (place // ROUGH) + cell for place, cell in enumerate(order)], dtype=np.int64)
    if not len(rough):
        return []
    factors, offsets = _hashes()
    least = ((factors[:, None] * (rough + 1) + offsets[:, None]) % PRIME).min(axis=1)
    found = []
    for band in range(BANDS):
        text = f"{puzzle_id} {band} ".encode() + least[band * ROWS : (band + 1) * ROWS].tobytes()
        found.append(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big", signed=True))
    return found


@lru_cache(1)
def _hashes() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Factors and offsets of as many hash functions; stored keys depend on them."""
    drawn = hashlib.shake_256(b"ninefold order").digest(8 * BANDS * ROWS)
    numbers = np.frombuffer(drawn, dtype=">u4").astype(np.int64) % (PRIME - 1) + 1
    return numbers[: BANDS * ROWS], numbers[BANDS * ROWS :]
