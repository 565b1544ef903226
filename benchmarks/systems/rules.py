"""Figures of system B: Wu, Xiao, Yang."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import fmean
from time import process_time

from benchmarks.systems import calibration as paper
from benchmarks.systems.calibration import LEVELS
from benchmarks.systems.common import Counting, Row, Trials, dig_with, timed, trials
from engine import Grid, Recipe, generate
from engine.generation.dig import Order, drawn_groups
from engine.generation.methods import METHODS
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.kernels.rng import seeded
from engine.rating.weighted_rules import difficulty


def weighted_rules() -> Iterator[Row]:
    """B: Wu, Xiao, Yang."""
    amount = trials(100)
    seconds = timed(lambda seed: generate(Recipe("weighted_rules"), seed), amount)
    yield Row("time-bitboard", "mean time a puzzle, by bitboard", "-", f"{1000 * seconds:.2f} ms", amount)
    searcher = Counting("depth_first")

    def by_recursion(seed: int) -> None:
        state = seeded(seed)
        solution = Grid(SOLVED_GRIDS["diagonal_boxes"](state).tobytes())
        dig_with(searcher, solution, drawn_groups(Order.RANDOM, Symmetry.NONE, state), 29)

    seconds = timed(by_recursion, amount)
    cut = f"; {searcher.exceeded} searches over the bound" if searcher.exceeded else ""
    yield Row("time", "mean time a puzzle, by depth_first", "700 ms", f"{1000 * seconds:.2f} ms{cut}", amount)
    yield _weighted_levels("levels", "29 givens", Recipe("weighted_rules"), trials(1000))
    yield _weighted_levels(
        "levels-minimal", "dug to the end", Recipe("weighted_rules", minimal=True), trials(1000)
    )
    made = []
    start = process_time()
    for seed in range(twenty := trials(20)):
        made.append(generate(Recipe("weighted_rules", paper_level=3), seed))
    spent = (process_time() - start) / len(made)
    own = sum(METHODS["weighted_rules"].grade(puzzle.grid) == 3 for puzzle in made)
    discarded = fmean(puzzle.seed >> 32 for puzzle in made)
    ours = f"{own} of {len(made)} of the level; {discarded:,.0f} discarded before each, {spent:.1f} s"
    yield Row("level-3", "a puzzle of level 3, by discarding others", "-", ours, twenty)
    yield from _calibration(amount)
    yield from _association(amount)


def _weighted_levels(key: str, name: str, recipe: Recipe, amount: Trials) -> Row:
    grade = METHODS["weighted_rules"].grade
    found = Counter(grade(generate(recipe, seed).grid) for seed in range(amount))
    ours = ", ".join(f"{100 * found[level] / amount:.1f}" for level in range(1, 6)) + " %"
    return Row(key, f"puzzles of the levels 1 to 5, {name}", "45, 8, 6, 22, 19 %", ours, amount)


def _calibration(puzzles: Trials) -> Iterator[Row]:
    rated = paper.of_each_level(paper.explainers_level, puzzles)
    fitted = "KLSudoku, of the Explainer in ours"
    for level, (those, printed) in enumerate(zip(rated, paper.PAPER_COUNTS, strict=True), start=1):
        averages = paper.mean_counts(those)
        published, ours = (", ".join(f"{uses:.1f}" for uses in counts) for counts in (printed, averages))
        what = f"mean uses of rules 1 to 14, level {level} of {fitted}"
        yield Row(f"uses-{level}", what, published, ours, puzzles)
        each = fmean(one.difficulty for one in those if one.difficulty is not None)
        ours = (
            f"{difficulty(averages):.2f} of the means, {each:.2f} on average; "
            f"{difficulty(printed):.2f} of the means that the paper prints"
        )
        what = f"D of level {level} of {fitted}"
        yield Row(f"d-{level}", what, paper.PAPER_DIFFICULTIES[level - 1], ours, puzzles)
    share = f"{100 * paper.own_share(paper.table_of(rated)):.0f} %"
    yield Row(
        "own-interval",
        f"puzzles in the interval of their own level of {fitted}",
        "over 75 %",
        share,
        trials(LEVELS * puzzles.full),
    )


def _association(puzzles: Trials) -> Iterator[Row]:
    rated = paper.of_each_level(paper.hodokus_level, puzzles)
    table, printed, mended = paper.table_of(rated), paper.PAPER_TABLE, paper.MENDED_TABLE
    for level in range(LEVELS):
        published, ours = (", ".join(map(str, found[:, level].tolist())) for found in (printed, table))
        what = f"level {level + 1} of Dr. Sudoku (数独博士), of HoDoKu in ours, by D"
        yield Row(f"table-{level + 1}", what, published, ours, puzzles)
    own = "share of that table's puzzles in the interval of their own"
    for key, what, figure, digits, published in (
        ("table-own", own, paper.own_share, 2, "-"),
        ("chi-square", "its chi-square, 16 degrees of freedom", paper.chi_square, 2, "1,039.42; 1,039.40"),
        ("r", "its contingency coefficient, the paper's r", paper.contingency_coefficient, 2, "0.82"),
        ("gamma", "Goodman and Kruskal's gamma of it", paper.gamma, 2, "-"),
    ):
        three = (f"{figure(each):,.{digits}f}" for each in (table, printed, mended))
        ours = "{}; {} of the table that the paper prints, {} of that with its misprint mended".format(*three)
        yield Row(key, what, published, ours, trials(LEVELS * puzzles.full))
