"""Figures of system D: Chen, Jiang, Chen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean, median
from time import process_time

from benchmarks.systems.common import LITERATURE, Counting, Row, Trials, means, trials
from engine import Recipe, generate
from engine.generation import generate_by
from engine.rating.lines import DECISION_TREE
from engine.traces import system


def min_candidates() -> Iterator[Row]:
    """D: Chen, Jiang, Chen."""
    amount = trials(200)
    grids = [generate(Recipe(minimal=True), seed).grid for seed in range(amount)]
    visited: dict[str, list[int]] = {}
    for name in LITERATURE:
        searcher = Counting(name)
        visited[name] = [searcher(grid).nodes for grid in grids]
        ours = f"{median(visited[name]):,.0f} median, {fmean(visited[name]):,.0f} mean; "
        ours += f"{searcher.exceeded} over the bound"
        key = f"nodes-{name.replace('_', '-')}"
        yield Row(key, f"nodes visited, minimal puzzles: {name}", "-", ours, amount)
    pairs = zip(visited["depth_first"], visited["min_candidates"], strict=True)
    ours = f"{median(plain / tree for plain, tree in pairs):.0f} median"
    yield Row("nodes-ratio", "nodes of depth_first a node of min_candidates", "-", ours, amount)
    for search in ("own", "ours"):
        for grade in range(1, 5):
            yield _grade(grade, search, trials(20))


def _grade(grade: int, search: str, amount: Trials) -> Row:
    recipe = Recipe("min_candidates", paper_level=grade)
    made = partial(generate_by, system(recipe, search=search), recipe)
    made(0)
    start = process_time()
    grids = [made(seed).grid for seed in range(amount)]
    spent = 1000 * (process_time() - start) / amount
    found = [figures for grid in grids if (figures := DECISION_TREE.figures(grid)) is not None]
    own = sum(each.level == grade for each in found)
    ours = f"{own} of {amount} of the grade; {means(found, 'layouts')}; {spent:.0f} ms"
    published = ("38 to 45 givens score 1", "31 to 37 givens score 2", "-", "-")[grade - 1]
    key = f"grade-{grade}{'' if search == 'own' else '-ours'}"
    by = "its own search" if search == "own" else "bitboard"
    return Row(key, f"puzzles of grade {grade}, made with {by}", published, ours, amount)
