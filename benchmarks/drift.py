"""How far ratings of a puzzle move when it is relabeled and turned.

`python -m benchmarks drift [PUZZLES]`: of so many puzzles of rated_by_level, by default 330, and of an
equivalent of each, how many ratings differ and by how much at most.
"""

from __future__ import annotations

import csv
import os
import random
import sys
from pathlib import Path
from typing import Final

import engine
from engine.transformation import Transformation

PUZZLES: Final = 330
SEED: Final = 330


def _figures(grid: engine.Grid) -> dict[str, float]:
    rating = engine.rate(grid)
    told = {"level": float(rating.level or 0), "expected time": rating.expected_seconds or 0.0}
    for key in ("explainer", "hodoku_score", "weighted_rules"):
        told[key] = rating.scores[key] or 0.0
    return told


def main() -> None:
    """Print the table."""
    wanted = next((int(word) for word in sys.argv[1:] if word.isdecimal()), PUZZLES)
    with (Path(os.environ["NINEFOLD_DATA"]) / "rated_by_level.csv").open() as file:
        puzzles = [row["puzzle"] for row in csv.DictReader(file)]
    draw = random.Random(SEED)
    chosen = [engine.parse(text) for text in puzzles[:: max(1, len(puzzles) // wanted)][:wanted]]
    moved: dict[str, list[float]] = {}
    for grid in chosen:
        here = _figures(grid)
        there = _figures(Transformation.random(draw.randrange).apply(grid))
        for key, figure in here.items():
            apart = abs(there[key] - figure)
            moved.setdefault(key, []).append(apart / figure if key == "expected time" else apart)
    print(f"{len(chosen)} puzzles, each with an equivalent")
    print("| rating | puzzles where it moves | by at most |")
    print("|---|---|---|")
    for key, found in moved.items():
        most = f"{max(found):.0%}" if key == "expected time" else f"{max(found):.4g}"
        print(f"| {key} | {sum(each > 0 for each in found)} | {most} |")


if __name__ == "__main__":
    main()
