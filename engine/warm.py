"""Compile every kernel ahead of its first use: `ninefold compile`, `python -m engine.warm`.

The most urgent come first: hints up to pairs, then generation, then all other techniques in the order of
paths, rare ones last.
"""

from __future__ import annotations

import gc
import logging
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
from typing import Final

import numpy as np

from .canonical import canonical_form, canonical_forms
from .generation import METHODS, SOLVED_GRIDS, Recipe, generate, generate_by
from .given import parse
from .kernels import _cache
from .kernels._cache import COMPILED, fingerprint
from .kernels._cache import cache_folder as cache_folder
from .kernels.dispatch import address_of
from .position import Position
from .rating import rate
from .search import SEARCHERS, solution, solve_many
from .steps import choices, find, solve_path
from .techniques import TECHNIQUES
from .traces import system
from .uniqueness import is_minimal, verdict

_MOST_AT_ONCE: Final = 4  # each process takes up to 450 MB

_NAME: Final = f"{__package__}.warm"

_KEPT: Final = re.compile(rf"(?:warm\d?|(?P<module>{__package__}[.\w]*))-(?P<digest>[0-9a-f]{{16}})")

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."

FIRST_TIERS: Final = 3
"""The tiers for the earliest hints: singles to quads, which solve puzzles up to Medium."""


def _hints() -> None:
    """Call everything that hints of the first tiers need."""
    position = Position.from_grid(parse(EASY))
    for technique in TECHNIQUES.values():
        if technique.tier <= FIRST_TIERS:
            address_of(technique.scan)
    position.after(choices(position)[0])


def _solve() -> None:
    grid = parse(EASY)
    solution(grid)
    verdict(grid)
    solve_many(np.stack([grid.array()] * 2), jobs=2)
    is_minimal(grid)
    canonical_form(grid)
    canonical_forms(grid.array()[None])


def _literature() -> None:
    for searcher in SEARCHERS.values():
        searcher(parse(EASY))
    for method in METHODS:
        generate(Recipe(method, minimal=True), seed=1)
    for maker in SOLVED_GRIDS:
        generate_by(system(Recipe(), solved_grid=maker), Recipe(), seed=1)


def _generate() -> None:
    generate(seed=1)
    generate(Recipe(minimal=True), seed=1)
    generate(Recipe(pattern=range(0, 81, 2)), seed=1)


def _scans(module: str) -> None:
    """Compile the scans of one module."""
    for technique in TECHNIQUES.values():
        if technique.scan.__module__ == module:
            address_of(technique.scan)


def _rate() -> None:
    position = Position.from_grid(parse(EASY))
    position.after(find(position, "hidden_single")[0])
    rate(position.grid)
    solve_path(position.grid)
    for level in range(1, 6):
        generate(Recipe(level=level), seed=level)


def _modules() -> list[str]:
    """Return the modules of scans in the order of paths.

    Common ones come before rare ones. The largest starts before the other rare ones, so that no processor
    idles at the end, but after those whose kernels it includes.
    """
    common = [each for each in TECHNIQUES.values() if not each.rare]
    rare = [each for each in TECHNIQUES.values() if each.rare]
    found = dict.fromkeys(each.scan.__module__ for each in (*common, *rare))
    nets, cycles = (TECHNIQUES[key].scan.__module__ for key in ("dynamic_forcing_chain", "forcing_chain"))
    at = next(n for n, module in enumerate(found) if ".rare." in module)
    order = [module for module in found if module not in (nets, cycles)]
    return [*order[:at], cycles, nets, *order[at:]]


FIRST: Final[dict[str, Callable[[], None]]] = {"hints up to quads": _hints}
"""The groups to compile before all else."""
GROUPS: Final[dict[str, Callable[[], None]]] = {
    "solving": _solve,
    "generating": _generate,
    **{
        "techniques, " + name.rpartition(".")[2].replace("_", " "): partial(_scans, name)
        for name in _modules()
    },
    "the literature's systems": _literature,
}
"""The groups that can be compiled in parallel."""
LAST: Final[dict[str, Callable[[], None]]] = {"rating": _rate}
"""The groups that call kernels of most others."""


def ready(tier: int = 5) -> bool:
    """Whether a first call has nothing to compile: every kernel is on disk, or runs as plain Python.

    tier: only check for hints up to this tier; 0 for an unknown tier.
    """
    return _cache.ready("") or (0 < tier <= FIRST_TIERS and _cache.ready(str(FIRST_TIERS)))


def outdated() -> list[Path]:
    """Return cached kernels whose sources have changed since: other releases may still use them."""
    folder = cache_folder()
    named = {} if folder is None else {path: _KEPT.fullmatch(path.name) for path in folder.iterdir()}
    return [
        path
        for path, name in named.items()
        if name is not None and name["digest"] != fingerprint(name["module"] or _NAME)
    ]


def compile_group(name: str) -> float:
    """Compile or load one group; returns the elapsed seconds."""
    started = time.perf_counter()
    logging.getLogger(_cache.__package__).setLevel(logging.ERROR)  # compiling is what it would announce
    collects = gc.isenabled()
    gc.disable()  # nearly all that Numba creates is kept: collecting took a fifteenth of the time
    try:
        _on_one_stack({**FIRST, **GROUPS, **LAST}[name])
    finally:
        if collects:
            gc.enable()
    if name in FIRST:
        _mark(str(FIRST_TIERS))
    return time.perf_counter() - started


def _on_one_stack(work: Callable[[], None]) -> None:
    """Call `work` with a large stack for deep recursion.

    CPython allocates frames in chunks of 16 KB, and allocates and frees one at every call that crosses a
    chunk's end: compiling did so 48,000 times for a family of techniques, a tenth of its time. A frame that
    needs more than a megabyte gets a chunk of two, whose rest holds all further frames.
    """
    work()


_on_one_stack.__code__ = _on_one_stack.__code__.replace(co_stacksize=1 << 17)


def main() -> None:
    """Compile what isn't compiled yet on all processors, with a line of progress per group."""
    total = len(FIRST) + len(GROUPS) + len(LAST)
    with ProcessPoolExecutor(
        min(_processors(), _MOST_AT_ONCE), multiprocessing.get_context("spawn"), _end_with_parent
    ) as pool:
        waiting = {pool.submit(compile_group, name): name for name in (*FIRST, *GROUPS)}
        for number, done in enumerate(as_completed(waiting), 1):
            _report(number, total, waiting[done], done.result())
    for number, name in enumerate(LAST, total):
        _report(number, total, name, compile_group(name))
    _mark("")


def _mark(stage: str) -> None:
    folder = cache_folder()
    if COMPILED and folder is not None:
        _cache.marker(folder, _cache.target(), stage).touch()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _end_with_parent() -> None:
    """End a process of the pool when its parent is killed; otherwise it would wait for work forever."""

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
