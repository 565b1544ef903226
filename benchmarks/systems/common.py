"""Shared by the figures of the five systems: rows, trials and times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, median
from time import process_time
from typing import Final

from benchmarks.tables import SMALLEST
from engine import MOST_NODES, SEARCHERS, Grid, Searcher, SearchResult
from engine.generation.dig import Groups
from engine.rating.lines import Figures

LITERATURE: Final = ("depth_first", "min_candidates", "dancing_links", "propagation")


class Trials(int):
    """A number of trials. The smallest run has few, but names its rows by the full number."""

    full: int


def trials(count: int, smallest: int = 1) -> Trials:
    """Return a number of trials, which is part of the name of a row."""
    found = Trials(smallest if SMALLEST else count)
    found.full = count
    return found


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    key: str  # its anchor in papers.md, which docs/literature.md links to
    what: str
    published: str
    ours: str
    trials: Trials


class Counting:
    """A searcher that counts its calls, its nodes, and the searches that its bound cut."""

    def __init__(self, key: str, most_nodes: int = MOST_NODES) -> None:
        self.search, self.most_nodes = SEARCHERS[key], most_nodes
        self.calls = self.nodes = self.exceeded = 0

    def __call__(self, grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
        result = self.search(grid, limit, min(most_nodes, self.most_nodes))
        self.calls += 1
        self.nodes += result.nodes
        self.exceeded += result.exceeded
        return result


def dig_with(
    searcher: Searcher, solution: Grid, groups: Groups, fewest: int = 0, fewest_in_line: int = 0
) -> Grid:
    """`dig` with any solver, as in the paper: the digit is replaced by each of the other eight in turn.

    Much slower; it measures the cost of a method's own solver. If a search exceeds that solver's limit on
    nodes, the cell stays filled, since the result is unknown.
    """
    puzzle = bytearray(solution.digits)
    for group in groups:
        cells = [int(cell) for cell in group if cell >= 0]
        for cell in cells:
            puzzle[cell] = 0
        if not _enough_left(puzzle, cells, fewest, fewest_in_line) or another_solution(
            searcher, puzzle, solution, cells
        ):
            for cell in cells:
                puzzle[cell] = solution[cell]
    return Grid(bytes(puzzle))


def another_solution(searcher: Searcher, puzzle: bytearray, solution: Grid, cells: list[int]) -> bool:
    """Whether a digit other than the solution's fits one of the empty `cells`, or the solver can't tell."""
    for cell in cells:
        for digit in range(1, 10):
            if digit != solution[cell]:
                trial = puzzle.copy()
                trial[cell] = digit
                found = searcher(Grid(bytes(trial)), limit=1)
                if found.solutions or found.exceeded:
                    return True
    return False


def _enough_left(puzzle: bytearray, cells: list[int], fewest: int, fewest_in_line: int) -> bool:
    lines = [puzzle[cell // 9 * 9 : cell // 9 * 9 + 9] for cell in cells]
    lines += [puzzle[cell % 9 :: 9] for cell in cells]
    return 81 - puzzle.count(0) >= fewest and all(9 - line.count(0) >= fewest_in_line for line in lines)


def means(found: list[Figures], what: str) -> str:
    """Format the three figures of some puzzles."""
    givens, in_line = fmean(each.givens for each in found), fmean(each.fewest_in_line for each in found)
    searched = median(each.searched for each in found)
    return f"{givens:.1f} givens, {in_line:.1f} in the emptiest line, {searched:,.0f} {what} in the median"


def timed(work: Callable[[int], object], times: int) -> float:
    """Mean seconds of `work(0)`, `work(1)` ..."""
    work(0)
    start = process_time()
    for turn in range(times):
        work(turn)
    return (process_time() - start) / times
