"""Canonical forms: the smallest of the 1,218,998,108,160 grids equivalent to a grid identifies them all.

Grids compare cell by cell, an empty cell as 0. The form of a full grid has 123456789 in its first row. A
puzzle's form is its smallest image under the transformations that map its solution to the solution's form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arguments import whole
from .errors import NotUniqueError
from .given import Given, grid_of, rows_of
from .grid import Grid
from .kernels import canonical as kernels
from .search.bitboard import MOST_JOBS, solve_many
from .transformation import Transformation


@dataclass(frozen=True, slots=True)
class Canonical:
    """A canonical form and the transformation to it.

    >>> from engine import Canonical, parse
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> found = Canonical.of(grid)
    >>> found.transformation.apply(grid) == found.form, found.automorphisms
    (True, 1)
    """

    form: Grid
    transformation: Transformation  # maps the grid to its form; the first found of several
    automorphisms: int  # how many transformations map the grid to itself, including the identity

    @classmethod
    def of(cls, grid: Given) -> Canonical:
        """Return the canonical form of a grid with exactly one solution, and the grid's symmetry.

        Raises NotUniqueError if it has none or several.
        """
        grid = grid_of("grid", grid)
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


def canonical_form(grid: Given) -> Grid:
    """Return the smallest grid equivalent to a grid with exactly one solution.

    Raises NotUniqueError if it has none or several.

    >>> from engine import Transformation, canonical_form, parse
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> turned = Transformation(transposed=True).apply(grid)
    >>> canonical_form(turned) == canonical_form(grid)
    True
    """
    return Canonical.of(grid).form


def canonical_start(grid: Grid, solution: Grid) -> tuple[Grid, Grid, NDArray[np.int32]]:
    """Return the canonical form of a grid whose unique solution is known, and the form's solution.

    Third, int32[729]: for each candidate 9 * cell + digit (0..8) of the form, that of the grid.
    """
    form, solved = np.empty(81, np.uint8), np.empty(81, np.uint8)
    origin = np.empty(729, np.int32)
    kernels.start_of_form(grid.array(), solution.array(), form, solved, origin)
    return Grid(form.tobytes()), Grid(solved.tobytes()), origin


def canonical_key(grid: Given) -> str:
    """Return the identity of a grid with exactly one solution: 32 hex digits that all its equivalents share.

    They are 128 bits of BLAKE2b over the form's 81-character line; no collision is to be expected even among
    a trillion puzzles. Raises NotUniqueError if there is no solution or several.

    >>> from engine import canonical_key, parse
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> len(canonical_key(grid))
    32
    """
    return hashlib.blake2b(str(canonical_form(grid)).encode(), digest_size=16).hexdigest()


def canonical_forms(givens: NDArray[np.uint8] | Iterable[Given], jobs: int = 1) -> NDArray[np.uint8]:
    """Return the canonical form of every row of uint8[n, 81] `givens` (0 = empty), or of every puzzle of a
    list, on `jobs` cores.

    A row without exactly one solution gives a row of zeros.

    >>> from engine import canonical_form, canonical_forms, parse
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> forms = canonical_forms(grid.array()[None])
    >>> forms[0].tobytes() == canonical_form(grid).digits
    True
    """
    jobs, givens = min(whole("jobs", jobs, 1), MOST_JOBS), rows_of("givens", givens)
    solutions, counts = solve_many(givens, limit=2, jobs=jobs)
    solutions[counts != 1] = 0
    rows = np.require(givens, np.uint8, ["C", "W"])  # one array type, so one compiled kernel
    out = np.empty_like(rows)
    size = max(1, -(-len(rows) // (jobs * 4)))
    with ThreadPoolExecutor(jobs) as pool:
        parts = [slice(first, first + size) for first in range(0, len(rows), size)]
        for _ in pool.map(lambda part: kernels.least_images(rows[part], solutions[part], out[part]), parts):
            pass
    return out
