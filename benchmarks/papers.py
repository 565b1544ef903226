"""The literature's own figures beside ours: `python -m benchmarks papers` (`make papers`).

Each system runs as published, with its own solver; where that is slow, the default solver stands beside it.
The papers' puzzles are not to be had: 27 puzzles are three for each of nine grades made here, of 40, 38, ...
24 givens; puzzles A, B, C are one of each level of the proposal; weighted_rules.py tells of system B's. Times
are processor time of one core, compilation excluded. NINEFOLD_TRIALS=10 makes ten times as many trials; by
default it takes some minutes.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import fmean, median
from time import process_time
from typing import Final

import numpy as np

from benchmarks import weighted_rules as weights
from benchmarks.weighted_rules import LEVELS
from engine import MOST_NODES, SEARCHERS, Grid, Recipe, SearchResult, generate
from engine.generation.dig import Order, another_solution, dig, dig_with, drawn_groups, groups_of
from engine.generation.methods import METHODS
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.kernels.rng import below, seeded
from engine.kernels.solved_grids import draw_layout
from engine.rating.weighted_rules import difficulty
from engine.search.propagation import propagated

SCALE: Final = int(os.environ.get("NINEFOLD_TRIALS", "1"))
LITERATURE: Final = ("depth_first", "min_candidates", "dancing_links", "propagation")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    system: str
    what: str
    published: str
    ours: str
    trials: int


class Counting:
    """A searcher that counts its calls, its nodes and the searches its bound cut."""

    def __init__(self, key: str, most_nodes: int = MOST_NODES) -> None:
        self.search, self.most_nodes = SEARCHERS[key], most_nodes
        self.calls = self.nodes = self.exceeded = 0

    def __call__(self, grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
        result = self.search(grid, limit, min(most_nodes, self.most_nodes))
        self.calls += 1
        self.nodes += result.nodes
        self.exceeded += result.exceeded
        return result


def main() -> None:
    """Print the table, a line as soon as it is measured."""
    generate(Recipe(), 0)  # compiles, or loads, what all of them need
    for key in LITERATURE:
        SEARCHERS[key](generate(Recipe(level=1), 0).grid)
    print("| system | figure | published | ours | trials |\n|---|---|---|---|---|")
    for rows in (dig_hole, weighted_rules, exact_cover, min_candidates, propagation):
        for row in rows():
            print(f"| {row.system} | {row.what} | {row.published} | {row.ours} | {row.trials:,} |")
            sys.stdout.flush()


def dig_hole() -> Iterator[Row]:
    """A: Xue, Jiang, Li."""
    for cells in range(5, 18):
        for blind in (False, True):
            yield _las_vegas(cells, blind, 1000 * SCALE)
    yield from _pruning(30 * SCALE)
    puzzles = twenty_seven()
    for key in SEARCHERS:
        yield _mean_time(key, puzzles)
    for order in Order:
        yield _givens(order, 1000 * SCALE)


def _las_vegas(cells: int, blind: bool, trials: int) -> Row:
    state, layout, searcher = seeded(cells), np.zeros(81, np.uint8), Counting("depth_first")
    solved = impossible = 0
    for _ in range(trials):
        if not draw_layout(state, cells, blind, layout):
            impossible += 1
            continue
        before = searcher.exceeded
        found = searcher(Grid(layout.tobytes()), limit=1)
        solved += bool(found.solutions)
        impossible += not found.solutions and searcher.exceeded == before
    share = f"{100 * solved / (solved + impossible):.1f} % of decided; " if solved + impossible else ""
    ours = f"{share}{solved} solved, {impossible} impossible, {searcher.exceeded} undecided"
    drawn = "blindly" if blind else "by the rules"
    published = "99.7 %" if cells == 11 and not blind else "-"
    return Row("A", f"las_vegas, n = {cells}, digits drawn {drawn}", published, ours, trials)


def _pruning(trials: int) -> Iterator[Row]:
    level = METHODS["dig_hole"].paper_levels[4]
    groups = groups_of(Order.LEFT_TO_RIGHT, Symmetry.NONE)
    seconds, tries = {True: 0.0, False: 0.0}, {True: 0, False: 0}
    cut = 0
    for seed in range(trials):
        for pruned in (True, False):
            state, searcher = seeded(seed), Counting("depth_first")
            start = process_time()
            solution = Grid(SOLVED_GRIDS["las_vegas"](state).tobytes())
            stop = level.fewest + below(state, level.most - level.fewest + 1)
            if pruned:
                dig_with(searcher, solution, groups, stop)
            else:
                dig_without_pruning(searcher, solution, groups.ravel().tolist(), stop)
            seconds[pruned] += process_time() - start
            tries[pruned] += searcher.calls
            cut += searcher.exceeded
    for pruned, published in ((True, "1,088 ms"), (False, "55,106 ms")):
        name = "with pruning" if pruned else "without (cells tried again after every hole)"
        ours = f"{1000 * seconds[pruned] / trials:,.0f} ms, {tries[pruned] / trials:,.0f} searches"
        yield Row("A", f"an evil puzzle by depth_first, {name}", published, ours, trials)
    ours = f"{seconds[False] / seconds[True]:.1f} in time, {tries[False] / tries[True]:.1f} in searches"
    yield Row("A", f"the ratio of the two; {cut} searches over the bound", "50", ours, trials)
    start = process_time()
    for seed in range(100 * trials):
        generate(Recipe(paper_level=5), seed)
    ours = f"{1000 * (process_time() - start) / (100 * trials):.2f} ms"
    yield Row("A", "an evil puzzle by bitboard, transformations included", "1,088 ms", ours, 100 * trials)


def dig_without_pruning(searcher: Counting, solution: Grid, order: list[int], fewest: int) -> Grid:
    """Digging that forgets: after every hole each cell still filled has another try, from the first on."""
    puzzle = bytearray(solution.digits)
    place = 0
    while place < 81 and 81 - puzzle.count(0) > fewest:
        cell = order[place]
        place += 1
        if puzzle[cell]:
            puzzle[cell] = 0
            if another_solution(searcher, puzzle, solution, [cell]):
                puzzle[cell] = solution[cell]
            else:
                place = 0
    return Grid(bytes(puzzle))


def twenty_seven() -> list[Grid]:
    """Three puzzles for each of nine grades: 40, 38, ... 24 givens."""
    return [
        generate(Recipe(fewest_givens=givens, most_givens=givens), 100 * givens + turn).grid
        for givens in range(40, 23, -2)
        for turn in range(3)
    ]


def _mean_time(key: str, puzzles: list[Grid]) -> Row:
    searcher = Counting(key)
    start = process_time()
    for grid in puzzles:
        searcher(grid)
    seconds = (process_time() - start) / len(puzzles)
    cut = f", {searcher.exceeded} over the bound" if searcher.exceeded else ""
    what = f"mean time over 27 puzzles of nine grades, proof of uniqueness included: {key}"
    return Row("A", what, "167 ms", f"{1000 * seconds:.3f} ms{cut}", len(puzzles))


def _givens(order: Order, trials: int) -> Row:
    state, counts = seeded(1), []
    for _ in range(trials):
        groups = drawn_groups(order, Symmetry.NONE, state)
        counts.append(int(np.count_nonzero(dig(SOLVED_GRIDS["las_vegas"](state), groups))))
    ours = f"{min(counts)} at best, {fmean(counts):.2f} on average, {max(counts)} at worst"
    published = "22 in its example" if order is Order.LEFT_TO_RIGHT else "-"
    return Row("A", f"givens reached by the order {order.value}", published, ours, trials)


def weighted_rules() -> Iterator[Row]:
    """B: Wu, Xiao, Yang."""
    trials = 100 * SCALE
    seconds = timed(lambda seed: generate(Recipe("weighted_rules"), seed), trials)
    yield Row("B", "mean time a puzzle, by bitboard", "700 ms", f"{1000 * seconds:.2f} ms", trials)
    searcher = Counting("depth_first")

    def by_recursion(seed: int) -> None:
        state = seeded(seed)
        solution = Grid(SOLVED_GRIDS["diagonal_boxes"](state).tobytes())
        dig_with(searcher, solution, drawn_groups(Order.RANDOM, Symmetry.NONE, state), 29)

    seconds = timed(by_recursion, trials)
    cut = f"; {searcher.exceeded} searches over the bound" if searcher.exceeded else ""
    yield Row("B", "mean time a puzzle, by depth_first", "700 ms", f"{1000 * seconds:.2f} ms{cut}", trials)
    yield _weighted_levels("29 givens", Recipe("weighted_rules"), 10 * trials)
    yield _weighted_levels("dug to the end", Recipe("weighted_rules", minimal=True), 10 * trials)
    yield from _calibration(trials)
    yield from _association(trials)


def _weighted_levels(name: str, recipe: Recipe, trials: int) -> Row:
    grade = METHODS["weighted_rules"].grade
    assert grade is not None
    found = Counter(grade(generate(recipe, seed).grid) for seed in range(trials))
    ours = ", ".join(f"{100 * found[level] / trials:.1f}" for level in range(1, 6)) + " %"
    return Row("B", f"puzzles of the levels 1 to 5, {name}", "45, 8, 6, 22, 19 %", ours, trials)


def _calibration(puzzles: int) -> Iterator[Row]:
    rated = weights.of_each_level(weights.explainers_level, puzzles)
    for level, (those, paper) in enumerate(zip(rated, weights.PAPER_COUNTS, strict=True), start=1):
        means = weights.mean_counts(those)
        published, ours = (", ".join(f"{uses:.1f}" for uses in counts) for counts in (paper, means))
        yield Row("B", f"mean uses of rules 1 to 14, level {level}", published, ours, puzzles)
        each = fmean(one.difficulty for one in those if one.difficulty is not None)
        ours = f"{difficulty(means):.2f} of the means, {each:.2f} on average"
        yield Row("B", f"D of level {level}", f"{difficulty(paper):.2f} of its means", ours, puzzles)
    share = f"{100 * weights.own_share(weights.table_of(rated)):.0f} %"
    yield Row("B", "puzzles of our levels in the interval of their own", "75 %", share, LEVELS * puzzles)


def _association(puzzles: int) -> Iterator[Row]:
    rated = weights.of_each_level(weights.hodokus_level, puzzles)
    table, paper = weights.table_of(rated), weights.PAPER_TABLE
    for level in range(LEVELS):
        published, ours = (", ".join(map(str, found[:, level].tolist())) for found in (paper, table))
        yield Row("B", f"level {level + 1} of another program, ours HoDoKu, by D", published, ours, puzzles)
    for what, figure, digits in (
        ("share of that table's puzzles in the interval of their own", weights.own_share, 2),
        ("chi-square of that table, 16 degrees of freedom", weights.chi_square, 1),
        ("its contingency coefficient, which the paper prints as r", weights.contingency_coefficient, 2),
        ("Goodman and Kruskal's gamma of it", weights.gamma, 2),
    ):
        yield Row("B", what, f"{figure(paper):,.{digits}f}", f"{figure(table):,.{digits}f}", LEVELS * puzzles)


def exact_cover() -> Iterator[Row]:
    """C: evasiu's article."""
    trials = 1000 * SCALE
    holes = []
    for seed in range(trials):
        state = seeded(seed)
        groups = drawn_groups(Order.RANDOM, Symmetry.NONE, state)
        holes.append(81 - int(np.count_nonzero(dig(SOLVED_GRIDS["linked_boxes"](state), groups))))
    ours = f"{max(holes)}; {fmean(holes):.1f} on average; more than 59 in {sum(hole > 59 for hole in holes)}"
    yield Row("C", "most holes dug in a random order", "59", ours, trials)


def min_candidates() -> Iterator[Row]:
    """D: Creating Sudoku Puzzles."""
    trials = 200 * SCALE
    grids = [generate(Recipe(minimal=True), seed).grid for seed in range(trials)]
    tree, plain = Counting("min_candidates"), Counting("depth_first")
    nodes = [(tree(grid).nodes, plain(grid).nodes) for grid in grids]
    for name, which, searcher in (("min_candidates", 0, tree), ("depth_first", 1, plain)):
        visited = [pair[which] for pair in nodes]
        ours = (
            f"{median(visited):,.0f} median, {fmean(visited):,.0f} mean; {searcher.exceeded} over the bound"
        )
        yield Row("D", f"nodes visited, minimal puzzles: {name}", "-", ours, trials)
    ours = f"{median(second / first for first, second in nodes):.0f} median"
    yield Row("D", "nodes of depth_first a node of min_candidates", "-", ours, trials)


def propagation() -> Iterator[Row]:
    """E: Li, Wu."""
    trials = 300 * SCALE
    for level, name in enumerate("ABC", start=1):
        grids = [generate(Recipe("propagation", paper_level=level), seed).grid for seed in range(trials)]
        after = [propagated(grid) for grid in grids]
        finished = [result.rounds for result in after if result.grid.full]
        rounds = f"{fmean(finished):.1f} on average, {max(finished)} at most" if finished else "none finished"
        yield Row("E", f"rounds where they finish a puzzle of level {level}", "about 10", rounds, trials)
        ours = f"{100 * len(finished) / trials:.0f} %"
        yield Row("E", f"share that rounds alone finish, level {level}", "-", ours, trials)
        SEARCHERS["propagation"](grids[0])
        seconds = timed(_propagation_of(grids[0]), 2000)
        yield Row("E", f"time on puzzle {name}", "A < B < C", f"{1e6 * seconds:.1f} microseconds", 2000)


def _propagation_of(grid: Grid) -> Callable[[int], object]:
    return lambda _turn: SEARCHERS["propagation"](grid)


def timed(work: Callable[[int], object], times: int) -> float:
    """Mean seconds of `work(0)`, `work(1)` ..."""
    work(0)
    start = process_time()
    for turn in range(times):
        work(turn)
    return (process_time() - start) / times
