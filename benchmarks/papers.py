"""The literature's own figures beside ours: `python -m benchmarks papers` (`make papers`).

Times and counts are those of each system's own solver; where the default solver stands beside it, the row
says so. Where only the outcome counts, holes or levels, ours digs: it empties the very same cells, which
tests/engine/test_paper_generation.py proves. We do not have the papers' puzzles: the 27 puzzles are three for
each of nine grades made here, of 40, 38, ... 24 givens; puzzles A, B, C are those of the proposal's three
levels; weighted_rules.py tells of system B's. Times are processor time of one core, compilation excluded.
NINEFOLD_TRIALS=10 makes ten times as many trials, by default it takes some minutes; NINEFOLD_SYSTEMS=AD
measures only those two. The column "published" holds what is printed in the texts and nothing else.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median
from time import process_time
from typing import Final

import numpy as np

from benchmarks import weighted_rules as weights
from benchmarks.weighted_rules import LEVELS
from engine import MOST_NODES, SEARCHERS, Grid, Recipe, SearchResult, generate, rate
from engine.generation.dig import Order, another_solution, dig, dig_with, drawn_groups, groups_of
from engine.generation.methods import METHODS
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.generation.transform import redraw
from engine.kernels.rng import below, seeded
from engine.kernels.solved_grids import draw_layout
from engine.rating import decision_tree, givens_and_search
from engine.rating.lines import Figures, fewest_in_line
from engine.rating.weighted_rules import difficulty
from engine.search.depth_first import searches
from engine.search.propagation import propagated

SCALE: Final = int(os.environ.get("NINEFOLD_TRIALS", "1"))
EVERY: Final = 1 << 62  # solutions: no limit
LEGEND: Final = """\
- A: Xue Yuanhai, Jiang Biaobin, Li Yongzhuo, Sudoku Puzzles Generating: From Easy to Evil
- B: Wu Linbo, Xiao Huayong, Yang Zongze, Research of Weight Method with Sudoku Difficulty Level Partition
- C: evasiu, 产生数独迷题, an article with its code
- D: Chen Lijuan, Jiang Xin, Chen Dejin, Creating Sudoku Puzzles
- E: Li Pengcheng, Wu Yuan, 数独游戏出题与求解设计, a project proposal

[docs/literature.md](../docs/literature.md) describes them and goes through their claims. A puzzle's seed is
its number, from 0; only `las_vegas` with n cells draws on from seed n, the givens of the orders from seed 1,
and each of the 27 puzzles has the seed 100 times its givens, plus 0, 1 or 2.
"""
LITERATURE: Final = ("depth_first", "min_candidates", "dancing_links", "propagation")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    key: str  # its anchor in papers.md, which docs/literature.md links to
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
    """Print which letter is which, then the table, a line as soon as it is measured."""
    generate(Recipe(), 0)  # compiles, or loads, what all of them need
    for key in LITERATURE:
        SEARCHERS[key](generate(Recipe(level=1), 0).grid)
    systems = {
        "A": dig_hole,
        "B": weighted_rules,
        "C": exact_cover,
        "D": min_candidates,
        "E": propagation,
    }
    print(LEGEND)
    print("| system | figure | published | ours | trials |\n|---|---|---|---|---|")
    for letter in os.environ.get("NINEFOLD_SYSTEMS", "ABCDE"):
        for row in systems[letter]():
            place = f'<a id="{letter.lower()}-{row.key}"></a>{letter}'
            print(f"| {place} | {row.what} | {row.published} | {row.ours} | {row.trials:,} |")
            sys.stdout.flush()


def dig_hole() -> Iterator[Row]:
    """A: Xue, Jiang, Li."""
    for cells in range(5, 18):
        for blind in (False, True):
            yield _las_vegas(cells, blind, 1000 * SCALE)
    yield from _logic(40 * SCALE)
    yield from _levels_of_dig_hole(50 * SCALE)
    yield from _orders(100 * SCALE)
    yield from _contradiction(30 * SCALE)
    yield from _pruning(30 * SCALE)
    yield from _over_the_bound(300 * SCALE)
    puzzles = twenty_seven()
    for key in SEARCHERS:
        yield _mean_time(key, puzzles)
    for order in Order:
        yield _givens(order, 1000 * SCALE)


def _las_vegas(cells: int, blind: bool, trials: int) -> Row:
    state, layout, searcher = seeded(cells), np.zeros(81, np.uint8), Counting("depth_first")
    solved = impossible = 0
    start = process_time()
    for _ in range(trials):
        if not draw_layout(state, cells, blind, layout):
            impossible += 1
            continue
        before = searcher.exceeded
        found = searcher(Grid(layout.tobytes()), limit=1)
        solved += bool(found.solutions)
        impossible += not found.solutions and searcher.exceeded == before
    share = f"{100 * solved / (solved + impossible):.1f} % of decided; " if solved + impossible else ""
    spent = 1000 * (process_time() - start) / trials
    counts = f"{solved} solved, {impossible} impossible, {searcher.exceeded} undecided"
    ours = f"{share}{counts}; {spent:.2f} ms a draw"
    drawn = "blindly" if blind else "by the rules"
    published = "99.7 %" if cells == 11 and not blind else "-"
    key = f"las-vegas-{cells}{'-blindly' if blind else ''}"
    return Row(key, f"las_vegas, n = {cells}, digits drawn {drawn}", published, ours, trials)


def _logic(trials: int) -> Iterator[Row]:
    """Fewer givens, and givens that lie less evenly, are said to make logic harder."""
    for givens in (40, 36, 32, 28, 24):
        recipe = Recipe(fewest_givens=givens, most_givens=givens)
        puzzles = [generate(recipe, seed).grid for seed in range(trials)]
        ratings = [(fewest_in_line(grid), rate(grid).scores["explainer"] or 0.0) for grid in puzzles]
        ratings.sort()
        uneven, even = ratings[: trials // 2], ratings[trials // 2 :]
        ours = (
            f"{fmean(er for _, er in ratings):.1f}; {fmean(er for _, er in uneven):.1f} in the half with the "
            f"emptier lines, {fmean(er for _, er in even):.1f} in the other"
        )
        yield Row(f"logic-{givens}", f"mean ER of puzzles of {givens} givens", "-", ours, trials)


def _levels_of_dig_hole(trials: int) -> Iterator[Row]:
    for variant in (None, "english"):
        for level in range(1, 6):
            start = process_time()
            grids = [
                generate(Recipe(paper_level=level, variant=variant, transform=True), seed).grid
                for seed in range(trials)
            ]
            spent = 1000 * (process_time() - start) / trials
            found = [figures for grid in grids if (figures := givens_and_search.figures(grid)) is not None]
            own = sum(figures.level == level for figures in found)
            score = fmean(each.score for each in found)
            ours = (
                f"{_means(found, 'searches')}, score {score:.1f}; {own} of {trials} score so; {spent:.1f} ms"
            )
            edition = f", {variant} edition" if variant else ""
            key = f"level-{level}{'-english' if variant else ''}"
            yield Row(key, f"puzzles of level {level}{edition}: what the paper scores", "-", ours, trials)


def _means(found: list[Figures], what: str) -> str:
    """The three figures of some puzzles, in words."""
    givens, in_line = fmean(each.givens for each in found), fmean(each.fewest_in_line for each in found)
    searched = median(each.searched for each in found)
    return f"{givens:.1f} givens, {in_line:.1f} in the emptiest line, {searched:,.0f} {what} in the median"


def _orders(trials: int) -> Iterator[Row]:
    """Conclusion 1: which order makes puzzles that are hard to search."""
    for order in (Order.LEFT_TO_RIGHT, Order.SERPENTINE, Order.INTERLACED, Order.RANDOM):
        counts: dict[bool, list[int]] = {False: [], True: []}
        over, seed = 0, 0
        while len(counts[False]) < trials:
            state = seeded(seed)
            seed += 1
            puzzle = dig(SOLVED_GRIDS["las_vegas"](state), drawn_groups(order, Symmetry.NONE, state), 27)
            if np.count_nonzero(puzzle) > 27:
                continue
            for turned in (False, True):
                if turned:
                    redraw(state, Symmetry.NONE, puzzle)
                searched = searches(Grid(puzzle.tobytes()))
                over += searched is None
                counts[turned].append(MOST_NODES if searched is None else searched)
        before, after = (f"{fmean(counts[turned]):,.0f}" for turned in (False, True))
        halves = [f"{median(counts[turned]):,.0f}" for turned in (False, True)]
        ours = f"{before} on average, {halves[0]} in the median; "
        ours += f"{after} and {halves[1]} after the transformation"
        if over:
            ours += f"; {over} stopped at {MOST_NODES:,}"
        name = order.value
        what = f"searches of puzzles of 27 givens dug in the order {name}"
        yield Row(f"order-{name.replace('_', '-')}", what, "-", ours, trials)


def _contradiction(trials: int) -> Iterator[Row]:
    """Conclusion 2: the other eight digits in turn, or all solutions enumerated."""
    for order in (Order.RANDOM, Order.LEFT_TO_RIGHT):
        seconds = {"contradiction": 0.0, "enumerating": 0.0}
        holes = {"contradiction": 0, "enumerating": 0}
        for seed in range(trials):
            for way in seconds:
                state, searcher = seeded(seed), Counting("depth_first")
                solution = Grid(SOLVED_GRIDS["las_vegas"](state).tobytes())
                groups = drawn_groups(order, Symmetry.NONE, state)
                start = process_time()
                if way == "contradiction":
                    puzzle = dig_with(searcher, solution, groups)
                else:
                    puzzle = dig_enumerating(searcher, solution, groups.ravel().tolist())
                seconds[way] += process_time() - start
                holes[way] += 81 - puzzle.givens
        one, other = (1000 * spent / trials for spent in seconds.values())
        ours = (
            f"{one:.0f} ms by contradiction, {other:.0f} ms enumerating all solutions; "
            f"{holes['contradiction'] / trials:.1f} and {holes['enumerating'] / trials:.1f} holes"
        )
        what = f"digging to the end in the order {order.value}, uniqueness by depth_first"
        yield Row(f"contradiction-{order.value.replace('_', '-')}", what, "-", ours, trials)


def dig_enumerating(searcher: Counting, solution: Grid, order: list[int]) -> Grid:
    """Digging that finds all solutions of the puzzle after every hole; what is cut off keeps its digit."""
    puzzle = bytearray(solution.digits)
    for cell in order:
        puzzle[cell] = 0
        found = searcher(Grid(bytes(puzzle)), EVERY)
        if len(found.solutions) > 1 or found.exceeded:
            puzzle[cell] = solution[cell]
    return Grid(bytes(puzzle))


def _over_the_bound(trials: int) -> Iterator[Row]:
    most = 1_500_000
    for transform in (False, True):
        grids = [generate(Recipe(paper_level=5, transform=transform), seed).grid for seed in range(trials)]
        over = sum(searches(grid, most) is None for grid in grids)
        when = "after" if transform else "without"
        what = f"puzzles of level 5 that need over 1,500,000 searches, {when} the transformation"
        key = f"bound{'-transformed' if transform else ''}"
        yield Row(key, what, "below 1,500,000", f"{over} of {trials}", trials)


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
    for pruned, published in ((True, "1,088.35 ms"), (False, "55,106.23 ms")):
        name = "with pruning" if pruned else "without (cells tried again after every hole)"
        ours = f"{1000 * seconds[pruned] / trials:,.0f} ms, {tries[pruned] / trials:,.0f} searches"
        key = f"{'' if pruned else 'no-'}pruning"
        yield Row(key, f"an evil puzzle by depth_first, {name}", published, ours, trials)
    ours = f"{seconds[False] / seconds[True]:.1f} in time, {tries[False] / tries[True]:.1f} in searches"
    what = f"the ratio of the two; {cut} searches over the bound of {MOST_NODES:,}"
    yield Row("pruning-ratio", what, "-", ours, trials)
    start = process_time()
    for seed in range(100 * trials):
        generate(Recipe(paper_level=5), seed)
    ours = f"{1000 * (process_time() - start) / (100 * trials):.2f} ms"
    what = "an evil puzzle by bitboard, its score checked by depth_first, transformation included"
    yield Row("evil-bitboard", what, "1,088.35 ms", ours, 100 * trials)


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
    return Row(
        f"twenty-seven-{key.replace('_', '-')}",
        what,
        "0.167 s" if key == "depth_first" else "-",
        f"{1000 * seconds:.3f} ms{cut}",
        len(puzzles),
    )


def _givens(order: Order, trials: int) -> Row:
    state, counts = seeded(1), []
    for _ in range(trials):
        groups = drawn_groups(order, Symmetry.NONE, state)
        counts.append(int(np.count_nonzero(dig(SOLVED_GRIDS["las_vegas"](state), groups))))
    ours = f"{min(counts)} at best, {fmean(counts):.2f} on average, {max(counts)} at worst"
    published = "22 in its example" if order is Order.LEFT_TO_RIGHT else "-"
    return Row(
        f"givens-{order.value.replace('_', '-')}",
        f"givens reached by the order {order.value}",
        published,
        ours,
        trials,
    )


def weighted_rules() -> Iterator[Row]:
    """B: Wu, Xiao, Yang."""
    trials = 100 * SCALE
    seconds = timed(lambda seed: generate(Recipe("weighted_rules"), seed), trials)
    yield Row("time-bitboard", "mean time a puzzle, by bitboard", "-", f"{1000 * seconds:.2f} ms", trials)
    searcher = Counting("depth_first")

    def by_recursion(seed: int) -> None:
        state = seeded(seed)
        solution = Grid(SOLVED_GRIDS["diagonal_boxes"](state).tobytes())
        dig_with(searcher, solution, drawn_groups(Order.RANDOM, Symmetry.NONE, state), 29)

    seconds = timed(by_recursion, trials)
    cut = f"; {searcher.exceeded} searches over the bound" if searcher.exceeded else ""
    yield Row("time", "mean time a puzzle, by depth_first", "700 ms", f"{1000 * seconds:.2f} ms{cut}", trials)
    yield _weighted_levels("levels", "29 givens", Recipe("weighted_rules"), 10 * trials)
    yield _weighted_levels(
        "levels-minimal", "dug to the end", Recipe("weighted_rules", minimal=True), 10 * trials
    )
    grids: list[Grid] = []
    start = process_time()
    for seed in range(20 * SCALE):
        grids.append(generate(Recipe("weighted_rules", paper_level=3), seed).grid)
    spent = 1000 * (process_time() - start) / len(grids)
    own = sum(METHODS["weighted_rules"].grade(grid) == 3 for grid in grids)
    ours = f"{own} of {len(grids)} of the level, {spent:.0f} ms"
    yield Row("level-3", "a puzzle of level 3, aimed at", "-", ours, len(grids))
    yield from _calibration(trials)
    yield from _association(trials)


def _weighted_levels(key: str, name: str, recipe: Recipe, trials: int) -> Row:
    grade = METHODS["weighted_rules"].grade
    found = Counter(grade(generate(recipe, seed).grid) for seed in range(trials))
    ours = ", ".join(f"{100 * found[level] / trials:.1f}" for level in range(1, 6)) + " %"
    return Row(key, f"puzzles of the levels 1 to 5, {name}", "45, 8, 6, 22, 19 %", ours, trials)


def _calibration(puzzles: int) -> Iterator[Row]:
    rated = weights.of_each_level(weights.explainers_level, puzzles)
    fitted = "KLSudoku, of the Explainer in ours"
    for level, (those, paper) in enumerate(zip(rated, weights.PAPER_COUNTS, strict=True), start=1):
        means = weights.mean_counts(those)
        published, ours = (", ".join(f"{uses:.1f}" for uses in counts) for counts in (paper, means))
        what = f"mean uses of rules 1 to 14, level {level} of {fitted}"
        yield Row(f"uses-{level}", what, published, ours, puzzles)
        each = fmean(one.difficulty for one in those if one.difficulty is not None)
        ours = (
            f"{difficulty(means):.2f} of the means, {each:.2f} on average; "
            f"{difficulty(paper):.2f} of the means that the paper prints"
        )
        what = f"D of level {level} of {fitted}"
        yield Row(f"d-{level}", what, weights.PAPER_DIFFICULTIES[level - 1], ours, puzzles)
    share = f"{100 * weights.own_share(weights.table_of(rated)):.0f} %"
    yield Row(
        "own-interval",
        f"puzzles in the interval of their own level of {fitted}",
        "over 75 %",
        share,
        LEVELS * puzzles,
    )


def _association(puzzles: int) -> Iterator[Row]:
    rated = weights.of_each_level(weights.hodokus_level, puzzles)
    table, paper = weights.table_of(rated), weights.PAPER_TABLE
    for level in range(LEVELS):
        published, ours = (", ".join(map(str, found[:, level].tolist())) for found in (paper, table))
        what = f"level {level + 1} of Dr. Sudoku (数独博士), of HoDoKu in ours, by D"
        yield Row(f"table-{level + 1}", what, published, ours, puzzles)
    for key, what, figure, digits, published in (
        (
            "table-own",
            "share of that table's puzzles in the interval of their own",
            weights.own_share,
            2,
            "-",
        ),
        (
            "chi-square",
            "chi-square of that table, 16 degrees of freedom",
            weights.chi_square,
            1,
            "1,039.42; 1,039.40",
        ),
        ("r", "its contingency coefficient, the paper's r", weights.contingency_coefficient, 2, "0.82"),
        ("gamma", "Goodman and Kruskal's gamma of it", weights.gamma, 2, "-"),
    ):
        ours = f"{figure(table):,.{digits}f}; {figure(paper):,.{digits}f} of the table that the paper prints"
        yield Row(key, what, published, ours, LEVELS * puzzles)


def exact_cover() -> Iterator[Row]:
    """C: evasiu's article."""
    for own, trials in ((True, 200 * SCALE), (False, 1000 * SCALE)):
        holes, calls = [], 0
        start = process_time()
        for seed in range(trials):
            state = seeded(seed)
            solution = SOLVED_GRIDS["linked_boxes"](state)
            groups = drawn_groups(Order.RANDOM, Symmetry.NONE, state)
            if own:
                searcher = Counting("dancing_links")
                holes.append(81 - dig_with(searcher, Grid(solution.tobytes()), groups).givens)
                calls = max(calls, searcher.calls)
            else:
                holes.append(81 - int(np.count_nonzero(dig(solution, groups))))
        spent = 1000 * (process_time() - start) / trials
        by = "dancing_links" if own else "bitboard"
        key = "" if own else "-bitboard"
        ours = (
            f"{max(holes)}; {fmean(holes):.1f} on average; more than 59 in {sum(hole > 59 for hole in holes)}"
        )
        published = "59; mostly over 50" if own else "-"
        yield Row(f"holes{key}", f"most holes dug in a random order, by {by}", published, ours, trials)
        yield Row(f"time{key}", f"mean time a puzzle, by {by}", "-", f"{spent:.2f} ms", trials)
        if own:
            what = "searches a puzzle, at most: 81 cells, each tried once with eight other digits"
            yield Row("searches", what, "81 x O(f(n))", f"{calls}", trials)


def min_candidates() -> Iterator[Row]:
    """D: Chen, Jiang, Chen."""
    trials = 200 * SCALE
    grids = [generate(Recipe(minimal=True), seed).grid for seed in range(trials)]
    visited: dict[str, list[int]] = {}
    for name in LITERATURE:
        searcher = Counting(name)
        visited[name] = [searcher(grid).nodes for grid in grids]
        ours = f"{median(visited[name]):,.0f} median, {fmean(visited[name]):,.0f} mean; "
        ours += f"{searcher.exceeded} over the bound"
        key = f"nodes-{name.replace('_', '-')}"
        yield Row(key, f"nodes visited, minimal puzzles: {name}", "-", ours, trials)
    pairs = zip(visited["depth_first"], visited["min_candidates"], strict=True)
    ours = f"{median(plain / tree for plain, tree in pairs):.0f} median"
    yield Row("nodes-ratio", "nodes of depth_first a node of min_candidates", "-", ours, trials)
    for search in ("own", "ours"):
        for grade in range(1, 5):
            yield _grade(grade, search, 20 * SCALE)


def _grade(grade: int, search: str, trials: int) -> Row:
    recipe = Recipe("min_candidates", paper_level=grade, search=search)
    generate(recipe, 0)
    start = process_time()
    grids = [generate(recipe, seed).grid for seed in range(trials)]
    spent = 1000 * (process_time() - start) / trials
    found = [figures for grid in grids if (figures := decision_tree.figures(grid)) is not None]
    own = sum(each.level == grade for each in found)
    ours = f"{own} of {trials} of the grade; {_means(found, 'layouts')}; {spent:.0f} ms"
    published = ("38 to 45 givens score 1", "31 to 37 givens score 2", "-", "-")[grade - 1]
    key = f"grade-{grade}{'' if search == 'own' else '-ours'}"
    by = "its own search" if search == "own" else "bitboard"
    return Row(key, f"puzzles of grade {grade}, made with {by}", published, ours, trials)


def propagation() -> Iterator[Row]:
    """E: Li, Wu."""
    trials = 300 * SCALE
    for level, name in enumerate("ABC", start=1):
        grids = [generate(Recipe("propagation", paper_level=level), seed).grid for seed in range(trials)]
        after = [propagated(grid) for grid in grids]
        finished = [result.rounds for result in after if result.grid.full]
        rounds = f"{fmean(finished):.1f} on average, {max(finished)} at most" if finished else "none finished"
        published = "10 and more, of some puzzles"
        yield Row(
            f"rounds-{level}",
            f"rounds where they finish a puzzle of level {level}",
            published,
            rounds,
            trials,
        )
        ours = f"{100 * len(finished) / trials:.0f} %"
        yield Row(f"finished-{level}", f"share that rounds alone finish, level {level}", "some", ours, trials)
        seconds = {key: _mean_seconds(key, grids) for key in ("propagation", "depth_first")}
        ours = (
            f"{1e6 * seconds['propagation']:.1f} microseconds with the rounds, "
            f"{1e6 * seconds['depth_first']:.1f} by backtracking alone"
        )
        yield Row(
            f"time-{level}",
            f"mean time to solve puzzles {name}",
            "A, B, C of different difficulty",
            ours,
            trials,
        )
        for search in ("own", "ours"):
            few = (30 if search == "own" else 300) * SCALE
            recipe = Recipe("propagation", paper_level=level, search=search)
            spent = timed(partial(generate, recipe), few)
            by = "its own search" if search == "own" else "bitboard"
            key = f"making-{level}{'' if search == 'own' else '-ours'}"
            yield Row(
                key, f"mean time to make a puzzle of level {level}, {by}", "-", f"{1000 * spent:.2f} ms", few
            )


def _mean_seconds(key: str, grids: list[Grid]) -> float:
    search = SEARCHERS[key]
    search(grids[0])
    start = process_time()
    for grid in grids:
        search(grid)
    return (process_time() - start) / len(grids)


def timed(work: Callable[[int], object], times: int) -> float:
    """Mean seconds of `work(0)`, `work(1)` ..."""
    work(0)
    start = process_time()
    for turn in range(times):
        work(turn)
    return (process_time() - start) / times
