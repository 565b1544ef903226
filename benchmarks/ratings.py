"""How our ratings agree with the reference programs and with real players: `python -m benchmarks ratings`.

Every row of rated_random.csv (the Explainer's default set), of rated_by_level.csv (its bank set) and of
human_times.csv in the folder NINEFOLD_DATA. A scheme that gives up agrees with nothing.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import engine
from benchmarks import expected_time
from benchmarks.expected_time import spearman
from engine.position import Position
from engine.rating import explainer, hodoku

# The set of techniques the Explainer's ratings of a file were made with.
FILES: Final = {"rated_random": "default", "rated_by_level": "bank"}
LEVELS: Final = {"Easy": 1, "Medium": 2, "Hard": 3, "Unfair": 4, "Extreme": 5}
PLAIN: Final = 7.0  # the ER up to which equality is asked for more strictly
CLOSE: Final = 0.2 + 1e-9


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    of: str
    what: str
    puzzles: int
    found: str
    asked: str
    aim: str


def main() -> None:
    """Print the table, a file's lines as soon as they are known."""
    folder = Path(os.environ["NINEFOLD_DATA"])
    print("| file | what | puzzles | found | required | aim |\n|---|---|---|---|---|---|")
    for name, technique_set in FILES.items():
        with (folder / f"{name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        for row in [*_explainer(name, technique_set, rows), *_hodoku(name, rows)]:
            _print(row)
    for row in _players():
        _print(row)


def _print(row: Row) -> None:
    print(f"| {row.of} | {row.what} | {row.puzzles:,} | {row.found} | {row.asked} | {row.aim} |")
    sys.stdout.flush()


def _explainer(name: str, technique_set: str, rows: list[dict[str, str]]) -> Iterator[Row]:
    order = explainer.order(technique_set)
    found = np.full((len(rows), 3), np.nan)
    for number, row in enumerate(rows):
        ratings = explainer.rating_of(order.walk(Position.from_grid(engine.parse(row["puzzle"]))))
        if ratings is not None:
            found[number] = ratings.rating, ratings.pearl, ratings.diamond
    expected = np.array(
        [[float(row.get(key) or "nan") for key in ("se_er", "se_ep", "se_ed")] for row in rows]
    )
    equal = found == expected
    plain = expected[:, 0] <= PLAIN
    close = np.abs(found - expected)[:, 0] <= CLOSE
    yield Row(name, f"ER up to {PLAIN}, {technique_set} set", *_share(equal[plain, 0]), "99 %", "99.5 %")
    yield Row(name, f"ER above {PLAIN}", *_share(equal[~plain, 0]), "90 %", "97 %")
    yield Row(name, f"ER above {PLAIN}, within 0.2", *_share(close[~plain]), "99 %", "")
    if "se_ep" in rows[0]:
        yield Row(name, "EP", *_share(equal[:, 1]), "99 %", "")
        yield Row(name, "ED", *_share(equal[:, 2]), "99 %", "")


def _hodoku(name: str, rows: list[dict[str, str]]) -> Iterator[Row]:
    order = hodoku.order()
    walked = [hodoku.rating_of(order.walk(Position.from_grid(engine.parse(row["puzzle"])))) for row in rows]
    levels = [
        ratings is not None and ratings.level == LEVELS[row["hodoku_level"]]
        for row, ratings in zip(rows, walked, strict=True)
    ]
    pairs = [
        (ratings.score, float(row["hodoku_score"]))
        for row, ratings in zip(rows, walked, strict=True)
        if ratings is not None
    ]
    ours, theirs = np.array(pairs, dtype=float).T
    yield Row(name, "HoDoKu's level", *_share(np.array(levels)), "95 %", "97.5 %")
    yield Row(name, "HoDoKu's score, equal", *_share(ours == theirs), "", "")
    yield Row(name, "HoDoKu's score, Spearman", len(ours), f"{spearman(ours, theirs):.4f}", "0.98", "0.99")


def _players() -> Iterator[Row]:
    figures = expected_time.measured()
    name = "human_times"
    for what, with_time, with_seconds in figures.rows:
        asked = ("0.80", "0.85", "0.67", "0.71") if what == expected_time.OURS else ("", "", "", "")
        yield Row(
            name, f"{what} with D_TO, Spearman", figures.with_difficulty, f"{with_time:.3f}", *asked[:2]
        )
        yield Row(
            name, f"{what} with mean seconds, Spearman", figures.puzzles, f"{with_seconds:.3f}", *asked[2:]
        )


def _share(equal: NDArray[np.bool_]) -> tuple[int, str]:
    return len(equal), f"{100 * equal.mean():.2f} %"
