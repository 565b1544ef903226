"""How even the makers of solved grids are, and how fast: `python -m benchmarks grids`.

The chi-square over the 416 classes of first bands is against the classes' sizes; how many ways a band has to
go on differs between classes by 1.3 % (root mean square), which adds 17 to it at 100,000 grids drawn evenly.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from time import process_time

import numpy as np
from numpy.typing import NDArray

from engine.generation.solved_grids import MOST_NODES, SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.generation.transform import redraw
from engine.kernels import bitboard
from engine.kernels import solved_grids as kernels
from engine.kernels.rng import seeded
from tests.bands import class_of, class_sizes

GRIDS = 100_000

State = NDArray[np.uint64]


def main() -> None:
    """Print the table, a line as soon as it is measured."""
    makers = {**SOLVED_GRIDS, "las_vegas, as the solver leaves it": as_the_solver_leaves_it}
    print("| maker | microseconds | positions, mean 648 | classes of bands, mean 415 | grids |")
    print("|---|---|---|---|---|")
    for name, maker in makers.items():
        spent, positions, classes = measure(maker)
        print(f"| {name} | {1e6 * spent:.0f} | {positions:.0f} | {classes:.0f} | {GRIDS:,} |")
        sys.stdout.flush()


def as_the_solver_leaves_it(state: State) -> NDArray[np.uint8]:
    """las_vegas, its solver's first solution taken as it is, but for a random equivalent."""
    out = np.empty(81, np.uint8)
    kernels.las_vegas(state, 11, MOST_NODES, bitboard.workspace(), out)
    redraw(state, Symmetry.NONE, out)
    return out


def measure(maker: Callable[[State], NDArray[np.uint8]]) -> tuple[float, float, float]:
    """Seconds a grid, chi-square over the digits of the cells, chi-square over the classes of first bands."""
    state = seeded(20240229)
    maker(state)
    start = process_time()
    grids = [maker(state) for _ in range(GRIDS)]
    spent = (process_time() - start) / GRIDS
    counts = np.zeros((81, 10))
    for grid in grids:
        counts[np.arange(81), grid] += 1
    positions = ((counts[:, 1:] - GRIDS / 9) ** 2 / (GRIDS / 9)).sum()
    found = Counter(class_of(grid[:27]) for grid in grids)
    expected = {least: GRIDS * size / 2_612_736 for least, size in class_sizes().items()}
    return spent, positions, sum((found[least] - mean) ** 2 / mean for least, mean in expected.items())
