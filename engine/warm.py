"""Compiles every kernel once, room by room, so that nobody waits later: `python -m engine.warm`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import engine
from engine.generation.methods import METHODS
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.kernels._jit import COMPILED, cache_folder, fingerprint

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


def _solve() -> None:
    grid = engine.parse(EASY)
    engine.solution(grid)
    engine.verdict(grid)
    engine.solve_many(np.stack([grid.array()] * 2), jobs=2)
    engine.is_minimal(grid)
    engine.canonical_form(grid)
    engine.canonical_forms(grid.array()[None])


def _search() -> None:
    for searcher in engine.SEARCHERS.values():
        searcher(engine.parse(EASY))


def _generate() -> None:
    for level in range(1, 6):
        engine.generate(engine.Recipe(level=level), seed=level)
    for method in METHODS:
        engine.generate(engine.Recipe(method, minimal=True), seed=1)
    engine.generate(engine.Recipe(pattern=range(0, 81, 2)), seed=1)
    for maker in SOLVED_GRIDS:
        engine.generate(engine.Recipe(solved_grid=maker), seed=1)


def _techniques() -> None:
    position = engine.Position.from_grid(engine.parse(EASY))
    for key in engine.TECHNIQUES:
        engine.find(position, key)


def _rate() -> None:
    engine.rate(engine.parse(EASY))


ROOMS: dict[str, Callable[[], None]] = {
    "solving": _solve,
    "the literature's solvers": _search,
    "generating": _generate,
    "techniques": _techniques,
    "rating": _rate,
}


def _marker() -> Path | None:
    """A file that stands where all kernels of these very sources have been compiled; None without a cache."""
    folder = cache_folder()
    return None if folder is None else folder / f"warm-{fingerprint('engine.warm')}"


def ready() -> bool:
    """Whether a first call has nothing to compile: every kernel is on disk, or is plain Python."""
    marker = _marker()
    return not COMPILED or marker is None or marker.exists()


def main() -> None:
    """Compile what is not compiled yet, with a line of progress a room."""
    for number, (name, work) in enumerate(ROOMS.items(), 1):
        started = time.perf_counter()
        print(f"Kernels {number}/{len(ROOMS)}: {name} …", end=" ", file=sys.stderr, flush=True)
        work()
        print(f"{time.perf_counter() - started:.1f} s", file=sys.stderr)
    marker = _marker()
    if COMPILED and marker is not None:
        marker.touch()


if __name__ == "__main__":
    main()
