"""Titles and descriptions of pictures for screen readers, in plain English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..geometry import cell_name
from ..grid import Grid
from ..steps.branches import displayed
from ..steps.step import Step, by_digits
from ..techniques import TECHNIQUES

MOST_NAMED = 20  # cells of a proof; nobody would listen to more


def texts_of_grid(grid: Grid) -> tuple[str, str]:
    """Return the title 'Sudoku with 27 of 81 cells filled', and the rows, digit by digit."""
    rows = (" ".join(str(digit) for digit in grid.digits[9 * row : 9 * row + 9]) for row in range(9))
    cells = "Rows from top to bottom, 0 for an empty cell: " + ", ".join(rows) + "."
    return f"Sudoku with {grid.givens} of 81 cells filled", cells


def title_of_step(step: Step) -> str:
    """Return the technique and its conclusion: 'X-Wing: r1c4 and r7c4 can't be 3; r2c5 can't be 3 or 9'."""
    removed = by_digits(sorted(step.eliminations))
    parts = [f"{cell_name(cell)} is {digit}" for cell, digit in sorted(step.placements)]
    parts += [
        f"{_cells(cells)} can't be {_listed(map(str, digits), 'or')}" for digits, cells in removed.items()
    ]
    return f"{TECHNIQUES[step.technique].name}: {'; '.join(parts)}"


def description_of_step(step: Step, number: int | None) -> str:
    """Return the cells and houses of the proof, and which of its steps is shown."""
    cells = sorted({fact.cell for fact in step.cells})
    houses = [*dict.fromkeys(str(fact) for fact in step.houses)]
    branches = step.branches()
    links = sum(len(branch.inferences) for branch in displayed(branches))
    sentences = [f"Cells: {_cells(cells)}."] if cells else []
    sentences += [f"Houses: {_listed(houses, 'and')}."] if houses else []
    if branches:
        passed = dict.fromkeys(cell for branch in branches for claim in branch.claims for cell in claim.cells)
        way = _cells(passed) if len(passed) <= MOST_NAMED else f"{len(passed)} cells"
        sentences.append(f"The proof takes {links} steps through {way}.")
    if number is not None:
        sentences.append(f"Shown: step {number} of {links}.")
    return " ".join(sentences)


def _cells(cells: Iterable[int]) -> str:
    return _listed(map(cell_name, cells), "and")


def _listed(words: Iterable[str], last: str) -> str:
    """Return 'a', 'a and b', 'a, b and c'."""
    found: Sequence[str] = [*words]
    return f" {last} ".join(part for part in (", ".join(found[:-1]), found[-1]) if part)
