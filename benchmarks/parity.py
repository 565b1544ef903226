"""How often our ratings equal those of the programs they follow: `python -m benchmarks parity`.

Every row of rated_random.csv and rated_by_level.csv in the folder NINEFOLD_DATA, as the programs rated them.
A scheme that gives up agrees with nothing.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import engine
from benchmarks.tables import SMALLEST, Table
from engine.position import Position
from engine.rating import explainer, hodoku

# The set of techniques the Explainer's ratings of a file were made with.
FILES: Final = {"rated_random": "default", "rated_by_level": "bank"}
LEVELS: Final = {"Easy": 1, "Medium": 2, "Hard": 3, "Unfair": 4, "Extreme": 5}
EXPLAINER: Final = {"ER": "se_er", "EP": "se_ep", "ED": "se_ed"}
STEPS: Final = {"step_level": "hodoku_level", "step_score": "hodoku_score"}

Rows = list[dict[str, str]]
Ratings = NDArray[np.float64]  # a row a puzzle, NaN where a scheme gave up


def main() -> None:
    """Print how many rows of each file are equal."""
    if not os.environ.get("NINEFOLD_DATA"):
        print("\nNINEFOLD_DATA names no folder of rated sets, so there is nothing to agree with.")
        return
    table = Table(("set", "rating", "program"), ("puzzles", "equal"))
    for name, technique_set in FILES.items():
        rows = rated(name)
        compared = (
            (f"Sukaku Explainer 1.18.1, {technique_set} set", EXPLAINER, by_explainer(technique_set, rows)),
            ("HoDoKu 2.2.0, default settings", STEPS, by_steps(rows)),
        )
        for program, names, ours in compared:
            for (rating, column), found in zip(names.items(), ours.T, strict=True):
                if column in rows[0]:
                    equal = found == figures(column, rows)
                    table.row(name, rating, program, len(rows), f"{100 * equal.mean():.2f} %")


def rated(name: str) -> Rows:
    """Read a file of puzzles with the ratings of the programs."""
    with (Path(os.environ["NINEFOLD_DATA"]) / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return rows[:: len(rows) // 40] if SMALLEST else rows


def figures(column: str, rows: Rows) -> Ratings:
    """Read a column; HoDoKu's levels as 1 to 5."""
    return np.array([float(LEVELS.get(row[column], row[column] or "nan")) for row in rows])


def by_explainer(technique_set: str, rows: Rows) -> Ratings:
    """Rate the puzzles by ER, EP and ED."""
    order, found = explainer.order(technique_set), np.full((len(rows), 3), np.nan)
    for number, row in enumerate(rows):
        ratings = explainer.rating_of(order.walk(Position.from_grid(engine.parse(row["puzzle"]))))
        if ratings is not None:
            found[number] = ratings.rating, ratings.pearl, ratings.diamond
    return found


def by_steps(rows: Rows) -> Ratings:
    """Rate the puzzles by level and score of their steps."""
    order, found = hodoku.order(), np.full((len(rows), 2), np.nan)
    for number, row in enumerate(rows):
        ratings = hodoku.rating_of(order.walk(Position.from_grid(engine.parse(row["puzzle"]))))
        if ratings is not None:
            found[number] = ratings.level, ratings.score
    return found
