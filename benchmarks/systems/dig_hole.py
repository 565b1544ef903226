"""Figures of system A: Xue, Jiang, Li."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, median
from time import process_time
from typing import Final

import numpy as np

from benchmarks.systems.common import Counting, Row, Trials, another_solution, dig_with, means, trials
from engine import MOST_NODES, SEARCHERS, Grid, Recipe, canonical_form, generate, rate
from engine.generation import generate_by
from engine.generation.dig import Order, dig, drawn_groups, groups_of
from engine.generation.methods import METHODS
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.generation.transform import redraw
from engine.kernels.rng import below, seeded
from engine.kernels.solved_grids import draw_layout
from engine.rating.lines import GIVENS_AND_SEARCH, fewest_in_line
from engine.search.depth_first import searches
from engine.traces import system

EVERY: Final = 1_000_000  # solutions: the most that a search counts
EVIL: Final = Recipe(paper_level=5)


def dig_hole() -> Iterator[Row]:
    """A: Xue, Jiang, Li."""
    for cells in (5, 8, 11, 17):
        yield _las_vegas(cells, trials(1000))
    yield from _logic(trials(40, 2))
    yield from _levels_of_dig_hole(trials(50))
    yield from _orders(trials(100))
    yield from _contradiction(trials(30))
    yield from _pruning(trials(30))
    yield from _over_the_bound(trials(300))
    yield _diversity(trials(1000))
    puzzles = twenty_seven()
    for key in SEARCHERS:
        yield _mean_time(key, puzzles)
    for order in Order:
        yield _givens(order, trials(1000))


def _las_vegas(cells: int, amount: Trials) -> Row:
    state, layout, searcher = seeded(cells), np.zeros(81, np.uint8), Counting("depth_first")
    solved = impossible = 0
    start = process_time()
    for _ in range(amount):
        if not draw_layout(state, cells, layout):
            impossible += 1
            continue
        before = searcher.exceeded
        found = searcher(Grid(layout.tobytes()), limit=1)
        solved += bool(found.solutions)
        impossible += not found.solutions and searcher.exceeded == before
    share = f"{100 * solved / (solved + impossible):.1f} % of decided; " if solved + impossible else ""
    spent = 1000 * (process_time() - start) / amount
    counts = f"{solved} solved, {impossible} impossible, {searcher.exceeded} undecided"
    ours = f"{share}{counts}; {spent:.2f} ms a draw"
    published = "99.7 %" if cells == 11 else "-"
    return Row(f"las-vegas-{cells}", f"las_vegas, n = {cells}", published, ours, amount)


def _logic(amount: Trials) -> Iterator[Row]:
    """Test the claim that fewer or less evenly distributed givens make a puzzle harder for logic."""
    for givens in (40, 36, 32, 28, 24):
        recipe = Recipe(fewest_givens=givens, most_givens=givens)
        puzzles = [generate(recipe, seed).grid for seed in range(amount)]
        ratings = [(fewest_in_line(grid), rate(grid).scores["explainer"] or 0.0) for grid in puzzles]
        ratings.sort()
        uneven, even = ratings[: amount // 2], ratings[amount // 2 :]
        ours = (
            f"{fmean(er for _, er in ratings):.1f}; {fmean(er for _, er in uneven):.1f} in the half with the "
            f"emptier lines, {fmean(er for _, er in even):.1f} in the other"
        )
        yield Row(f"logic-{givens}", f"mean ER of puzzles of {givens} givens", "-", ours, amount)
    recipe = Recipe(fewest_givens=28, most_givens=28, symmetry="half_turn")
    symmetric = [rate(generate(recipe, seed).grid).scores["explainer"] or 0.0 for seed in range(amount)]
    what = "mean ER of puzzles of 28 givens with half-turn symmetry"
    yield Row("logic-symmetric", what, "-", f"{fmean(symmetric):.1f}", amount)


def _levels_of_dig_hole(amount: Trials) -> Iterator[Row]:
    for level in range(1, 6):
        start = process_time()
        grids = [generate(Recipe(paper_level=level), seed).grid for seed in range(amount)]
        spent = 1000 * (process_time() - start) / amount
        found = [figures for grid in grids if (figures := GIVENS_AND_SEARCH.figures(grid)) is not None]
        own = sum(figures.level == level for figures in found)
        score = fmean(each.score for each in found)
        ours = f"{means(found, 'searches')}, score {score:.1f}; {own} of {amount} score so; {spent:.1f} ms"
        yield Row(f"level-{level}", f"puzzles of level {level}: what the paper scores", "-", ours, amount)


def _orders(amount: Trials) -> Iterator[Row]:
    """Conclusion 1: which order makes puzzles that are hard to search."""
    for order in (Order.LEFT_TO_RIGHT, Order.SERPENTINE, Order.INTERLACED, Order.RANDOM):
        counts: dict[bool, list[int]] = {False: [], True: []}
        over, seed = 0, 0
        while len(counts[False]) < amount:
            state = seeded(seed)
            seed += 1
            puzzle = dig(SOLVED_GRIDS["las_vegas"](state), drawn_groups(order, Symmetry.NONE, state), 27)
            if np.count_nonzero(puzzle) > 27:
                continue
            for transformed in (False, True):
                if transformed:
                    redraw(state, Symmetry.NONE, puzzle)
                searched = searches(Grid(puzzle.tobytes()))
                over += searched is None
                counts[transformed].append(MOST_NODES if searched is None else searched)
        before, after = (f"{fmean(counts[transformed]):,.0f}" for transformed in (False, True))
        halves = [f"{median(counts[transformed]):,.0f}" for transformed in (False, True)]
        ours = f"{before} on average, {halves[0]} in the median; "
        ours += f"{after} and {halves[1]} after the transformation"
        if over:
            ours += f"; {over} stopped at {MOST_NODES:,}"
        name = order.value
        what = f"searches of puzzles of 27 givens dug in the order {name}"
        yield Row(f"order-{name.replace('_', '-')}", what, "-", ours, amount)


def _contradiction(amount: Trials) -> Iterator[Row]:
    """Conclusion 2: the other eight digits in turn, or all solutions enumerated."""
    for order in (Order.RANDOM, Order.LEFT_TO_RIGHT):
        seconds = {"contradiction": 0.0, "enumerating": 0.0}
        holes = {"contradiction": 0, "enumerating": 0}
        for seed in range(amount):
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
        one, other = (1000 * spent / amount for spent in seconds.values())
        ours = (
            f"{one:.0f} ms by contradiction, {other:.0f} ms enumerating all solutions; "
            f"{holes['contradiction'] / amount:.1f} and {holes['enumerating'] / amount:.1f} holes"
        )
        what = f"digging to the end in the order {order.value}, uniqueness by depth_first"
        yield Row(f"contradiction-{order.value.replace('_', '-')}", what, "-", ours, amount)


def dig_enumerating(searcher: Counting, solution: Grid, order: list[int]) -> Grid:
    """Dig by enumerating all solutions after every hole; a cell whose search is cut keeps its digit."""
    puzzle = bytearray(solution.digits)
    for cell in order:
        puzzle[cell] = 0
        found = searcher(Grid(bytes(puzzle)), EVERY)
        if len(found.solutions) > 1 or found.exceeded:
            puzzle[cell] = solution[cell]
    return Grid(bytes(puzzle))


def _over_the_bound(amount: Trials) -> Iterator[Row]:
    most = 1_500_000
    for transform in (False, True):
        method = system(EVIL, transform=transform)
        grids = [generate_by(method, EVIL, seed).grid for seed in range(amount)]
        over = sum(searches(grid, most) is None for grid in grids)
        when = "after" if transform else "without"
        what = f"puzzles of level 5 that need over 1,500,000 searches, {when} the transformation"
        key = f"bound{'-transformed' if transform else ''}"
        yield Row(key, what, "below 1,500,000", f"{over} of {amount}", amount)


def _pruning(amount: Trials) -> Iterator[Row]:
    level = METHODS["dig_hole"].paper_levels[4]
    groups = groups_of(Order.LEFT_TO_RIGHT, Symmetry.NONE)
    seconds, tries = {True: 0.0, False: 0.0}, {True: 0, False: 0}
    cut = 0
    for seed in range(amount):
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
        ours = f"{1000 * seconds[pruned] / amount:,.0f} ms, {tries[pruned] / amount:,.0f} searches"
        key = f"{'' if pruned else 'no-'}pruning"
        yield Row(key, f"an evil puzzle by depth_first, {name}", published, ours, amount)
    ours = f"{seconds[False] / seconds[True]:.1f} in time, {tries[False] / tries[True]:.1f} in searches; "
    ours += f"{cut} searches over the bound of {MOST_NODES:,}"
    yield Row("pruning-ratio", "the ratio of the two", "-", ours, amount)
    start = process_time()
    for seed in range(many := trials(3000)):
        generate(EVIL, seed)
    ours = f"{1000 * (process_time() - start) / many:.2f} ms"
    what = "an evil puzzle by bitboard, its score checked by depth_first, transformation included"
    yield Row("evil-bitboard", what, "1,088.35 ms", ours, many)


def dig_without_pruning(searcher: Counting, solution: Grid, order: list[int], fewest: int) -> Grid:
    """Dig without remembering failures: after every hole each filled cell is tried again, from the first
    on.
    """
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


def _diversity(amount: Trials) -> Row:
    """Operation 5: how many different puzzles one puzzle becomes, and how many in essence."""
    puzzle, state = generate_by(system(EVIL, transform=False), EVIL, 0).grid, seeded(0)
    images = set()
    for _ in range(amount):
        digits = puzzle.array()
        redraw(state, Symmetry.NONE, digits)
        images.add(Grid(digits.tobytes()))
    forms = len({canonical_form(image) for image in images})
    ours = f"{len(images):,} different puzzles, {forms} canonical form"
    return Row("diversity", "a puzzle transformed at random", "-", ours, amount)


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
        trials(27, 27),
    )


def _givens(order: Order, amount: Trials) -> Row:
    state, counts = seeded(1), []
    for _ in range(amount):
        groups = drawn_groups(order, Symmetry.NONE, state)
        counts.append(int(np.count_nonzero(dig(SOLVED_GRIDS["las_vegas"](state), groups))))
    ours = f"{min(counts)} at best, {fmean(counts):.2f} on average, {max(counts)} at worst"
    published = "22 in its example" if order is Order.LEFT_TO_RIGHT else "-"
    return Row(
        f"givens-{order.value.replace('_', '-')}",
        f"givens reached by the order {order.value}",
        published,
        ours,
        amount,
    )
