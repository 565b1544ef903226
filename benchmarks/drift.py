"""How far ratings move when a puzzle is relabeled and rearranged: `python -m benchmarks drift`.

For PUZZLES (330) of rated_by_level, each with an equivalent: how many ratings differ, and by how much at
most.
"""

from __future__ import annotations

import random
from typing import Final

import engine
from benchmarks.rate import puzzles
from benchmarks.tables import Table
from engine.transformation import Transformation

SEED: Final = 330


def main() -> None:
    """Print a row a rating."""
    draw = random.Random(SEED)
    title, chosen = puzzles("rated_by_level", "PUZZLES", 330)
    moved: dict[str, list[float]] = {}
    for grid in chosen:
        here = _figures(grid)
        there = _figures(Transformation.random(draw.randrange).apply(grid))
        for key, figure in here.items():
            apart = abs(there[key] - figure)
            moved.setdefault(key, []).append(apart / figure if key == "expected time" and figure else apart)
    table = Table(("set", "rating"), ("puzzles", "of which it moves", "by at most"))
    for key, found in moved.items():
        most = f"{max(found):.0%}" if key == "expected time" else f"{max(found):.4g}"
        table.row(title, key, len(chosen), sum(each > 0 for each in found), most)


def _figures(grid: engine.Grid) -> dict[str, float]:
    rating = engine.rate(grid, schemes="all")
    figures = {"level": float(rating.level or 0), "expected time": rating.expected_seconds or 0.0}
    return figures | {key: float(score or 0.0) for key, score in rating.scores.items()}
