"""The literature's own figures beside ours: `python -m benchmarks papers` (`make papers`).

Times and counts are those of each system's own solver; rows that show the default solver beside it say so. If
only the outcome counts, holes or levels, ours digs: it empties the same cells, as
tests/engine/test_paper_generation.py proves. We do not have the papers' puzzles: the 27 puzzles are three for
each of nine grades made here, of 40, 38, ... 24 givens; puzzles A, B, C are those of the proposal's three
levels; systems/calibration.py describes system B's. Times are processor time of one core, without compiling.
It takes some minutes. The number of trials is part of a row's name, so there is no smaller table;
NINEFOLD_SYSTEMS=AD measures only those two systems. The column "published" holds only figures printed in
the texts.
"""

from __future__ import annotations

import os
from time import perf_counter, process_time
from typing import Final

from benchmarks.systems import dig_hole, exact_cover, min_candidates, population, propagation, rules
from benchmarks.systems.common import LITERATURE
from benchmarks.tables import Table
from engine import SEARCHERS, Recipe, generate

LEGEND: Final = """\
- A: Xue Yuanhai, Jiang Biaobin, Li Yongzhuo, Sudoku Puzzles Generating: From Easy to Evil
- B: Wu Linbo, Xiao Huayong, Yang Zongze, Research of Weight Method with Sudoku Difficulty Level Partition
- C: evasiu, 产生数独迷题, an article with its code
- D: Chen Lijuan, Jiang Xin, Chen Dejin, Creating Sudoku Puzzles
- E: Li Pengcheng, Wu Yuan, 数独游戏出题与求解设计, a project proposal
- F: not one of the five, but an independent comparison: Denis Berthier, The Hidden Logic of Sudoku, online
  supplements, classification results of two generators that dig like C, a million puzzles each

[docs/literature.md](../docs/literature.md) describes them and lists their claims. A puzzle's seed is
its number, from 0; only `las_vegas` with n cells draws on from seed n, the givens of the orders from seed 1,
and each of the 27 puzzles has the seed 100 times its givens, plus 0, 1 or 2.
"""
# The sixth letter is for figures that others published about puzzles made as these systems make them.
SYSTEMS: Final = {
    "A": dig_hole.dig_hole,
    "B": rules.weighted_rules,
    "C": exact_cover.exact_cover,
    "D": min_candidates.min_candidates,
    "E": propagation.propagation,
    "F": population.population,
}


def main() -> None:
    """Print the meaning of the letters, then the table, each line as soon as it is measured."""
    generate(Recipe(), 0)  # compiles or loads the kernels
    for key in LITERATURE:
        SEARCHERS[key](generate(Recipe(level=1), 0).grid)
    print(f"\n{LEGEND}", end="")
    began, spent = perf_counter(), process_time()
    table = Table(("system", "figure", "trials", "published"), ("ours",))
    for letter in os.environ.get("NINEFOLD_SYSTEMS", "".join(SYSTEMS)):
        for row in SYSTEMS[letter]():
            place = f'<a id="{letter.lower()}-{row.key}"></a>{letter}'
            table.row(place, row.what, f"{row.trials.full:,}", row.published, row.ours)
    wall, processor = (perf_counter() - began) / 60, (process_time() - spent) / 60
    print(f"\nThe whole table took {wall:.0f} minutes, {processor:.0f} of them of the processor.")
