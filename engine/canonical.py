"""Canonical forms: the least of the 1,218,998,108,160 grids equivalent to one, which is its identity.

Grids compare cell by cell, an empty cell as 0. The least form of a full grid has 123456789 in its first row.
A puzzle's form is its least image under the transformations that take its solution to its own least form.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.arguments import instance, whole
from engine.errors import NotUniqueError
from engine.grid import Grid
from engine.kernels import canonical as kernels
from engine.search.bitboard import MOST_JOBS, solve_many
from engine.transformation import Transformation


@dataclass(frozen=True, slots=True)
class Canonical:
    """A canonical form and the way there."""

    form: Grid
    transformation: Transformation  # takes the grid to its form; the first found, where several do
    automorphisms: int  # how many transformations leave the grid as it is, the identity included

    @classmethod
    def of(cls, grid: Grid) -> Canonical:
        """The canonical form of a grid with exactly one solution, how to get there, and the grid's symmetry.

        Raises NotUniqueError where it has none or several.
        """
        instance("grid", grid, Grid)
        solutions, counts = solve_many(grid.array()[None])
        if counts[0] != 1:
            raise NotUniqueError("none" if counts[0] == 0 else "several")
        form, lead = np.empty(81, np.uint8), np.empty(kernels.MAP_LENGTH, np.uint8)
        automorphisms = kernels.least_image(grid.array(), solutions[0], form, lead)
        there = Transformation(
            transposed=bool(lead[0]),
            rows=tuple(lead[1:10].tolist()),
            columns=tuple(lead[10:19].tolist()),
            digits=tuple(lead[19:28].tolist()),
        )
        return cls(Grid(form.tobytes()), there, automorphisms)


def canonical_form(grid: Grid) -> Grid:
    """The least grid equivalent to a grid with exactly one solution.

    Raises NotUniqueError where it has none or several.
    """
    return Canonical.of(grid).form


def canonical_start(grid: Grid, solution: Grid) -> tuple[Grid, Grid, NDArray[np.int32]]:
    """The canonical form of a grid whose only solution is known, and the form's own solution.

    Third, int32[729]: for each candidate 9 * cell + digit (0..8) of the form that of the grid.
    """
    form, solved = np.empty(81, np.uint8), np.empty(81, np.uint8)
    origin = np.empty(729, np.int32)
    kernels.start_of_form(grid.array(), solution.array(), form, solved, origin)
    return Grid(form.tobytes()), Grid(solved.tobytes()), origin


def canonical_key(grid: Grid) -> str:
    """The identity of a grid with exactly one solution: 32 hex digits that all its equivalents share.

    128 bits of BLAKE2b over the form's 81-character line: among a million million puzzles two with the same
    key are not to be expected. Raises NotUniqueError where there is no solution or several.
    """
    return hashlib.blake2b(str(canonical_form(grid)).encode(), digest_size=16).hexdigest()


def canonical_forms(givens: NDArray[np.uint8], jobs: int = 1) -> NDArray[np.uint8]:
    """The canonical form of every row of uint8[n, 81] `givens` (0 = empty), on `jobs` cores.

    A row without exactly one solution gives a row of zeros.
    """
    jobs = min(whole("jobs", jobs, 1), MOST_JOBS)
    solutions, counts = solve_many(givens, limit=2, jobs=jobs)
    solutions[counts != 1] = 0
    rows = np.ascontiguousarray(givens, np.uint8)
    out = np.empty_like(rows)
    size = max(1, -(-len(rows) // (jobs * 4)))
    with ThreadPoolExecutor(jobs) as pool:
        parts = [slice(first, first + size) for first in range(0, len(rows), size)]
        for _ in pool.map(lambda part: kernels.least_images(rows[part], solutions[part], out[part]), parts):
            pass
    return out
