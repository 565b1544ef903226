"""Compiles every kernel once, room by room, so that nobody waits later: `python -m engine.warm`."""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np

import engine
from engine.drawing import links
from engine.generation.methods import METHODS
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.kernels._jit import COMPILED, cache_folder, fingerprint
from engine.kernels.dispatch import address_of
from engine.techniques import FAMILIES, aic, almost_locked_sets, cycles, fish, locked, nets, subsets

_MOST_AT_ONCE: Final = 4  # each process takes up to 450 MB

_KEPT: Final = re.compile(r"(?:warm|(?P<module>engine[.\w]*))-(?P<digest>[0-9a-f]{16})")

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


def _draw() -> None:
    links.lines([links.Arrow((5.0, 5.0), (85.0, 5.0), strong=True)], [(45.0, 5.0)], [(25.0, 5.0)])


def _family(family: ModuleType) -> None:
    for technique in family.ENTRIES:
        address_of(technique.scan)


def _rate() -> None:
    position = engine.Position.from_grid(engine.parse(EASY))
    position.after(engine.find(position, "hidden_single")[0])
    engine.rate(position.grid)


def _name(family: ModuleType) -> str:
    return "techniques, " + family.__name__.rpartition(".")[2].replace("_", " ")


# The largest first, so that no processor idles at the end; before them the families that `nets` is made of.
_FIRST: Final = (cycles, fish, subsets, locked, nets, aic, almost_locked_sets)
ROOMS: Final[dict[str, Callable[[], None]]] = {
    **{_name(family): partial(_family, family) for family in _FIRST},
    "solving": _solve,
    "generating": _generate,
    **{_name(family): partial(_family, family) for family in FAMILIES if family not in _FIRST},
    "the literature's solvers": _search,
    "drawing": _draw,
}
"""What can be compiled side by side, room by room."""
LAST: Final[dict[str, Callable[[], None]]] = {"rating": _rate}
"""What calls kernels of most rooms."""


def _marker() -> Path | None:
    """A file that stands where all kernels of these very sources have been compiled; None without a cache."""
    folder = cache_folder()
    return None if folder is None else folder / f"warm-{fingerprint('engine.warm')}"


def ready() -> bool:
    """Whether a first call has nothing to compile: every kernel is on disk, or is plain Python."""
    marker = _marker()
    return not COMPILED or marker is None or marker.exists()


def outdated() -> list[Path]:
    """What is kept of kernels whose sources have changed since: other releases may still use it."""
    folder = cache_folder()
    named = {} if folder is None else {path: _KEPT.fullmatch(path.name) for path in folder.iterdir()}
    return [
        path
        for path, name in named.items()
        if name is not None and name["digest"] != fingerprint(name["module"] or "engine.warm")
    ]


def compile_room(name: str) -> float:
    """Compile one room, or load it; the seconds by the clock that it took."""
    started = time.perf_counter()
    collects = gc.isenabled()
    gc.disable()  # nearly all that Numba makes is kept: searching it took a fifteenth of the time
    try:
        _on_one_stack({**ROOMS, **LAST}[name])
    finally:
        if collects:
            gc.enable()
    return time.perf_counter() - started


def _on_one_stack(work: Callable[[], None]) -> None:
    """Call `work` with room for a deep recursion.

    CPython keeps frames in chunks of 16 KB, and gets and returns one at every call that goes past the end of
    another: compiling did so 48,000 times a family of techniques, for a tenth of its time. A frame that asks
    for more than a megabyte gets a chunk of two, and what is left of it holds all frames above.
    """
    work()


_on_one_stack.__code__ = _on_one_stack.__code__.replace(co_stacksize=1 << 17)


def main() -> None:
    """Compile what is not compiled yet on all processors, with a line of progress a room."""
    total = len(ROOMS) + len(LAST)
    with ProcessPoolExecutor(
        min(_processors(), _MOST_AT_ONCE), multiprocessing.get_context("spawn"), _end_with_parent
    ) as pool:
        waiting = {pool.submit(compile_room, name): name for name in ROOMS}
        for number, done in enumerate(as_completed(waiting), 1):
            _report(number, total, waiting[done], done.result())
    for number, name in enumerate(LAST, len(ROOMS) + 1):
        _report(number, total, name, compile_room(name))
    marker = _marker()
    if COMPILED and marker is not None:
        marker.touch()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _end_with_parent() -> None:
    """Let a process of the pool end when the one that feeds it is killed; it would wait for work for good."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _report(number: int, total: int, name: str, seconds: float) -> None:
    print(f"Kernels {number}/{total}: {name} {seconds:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
