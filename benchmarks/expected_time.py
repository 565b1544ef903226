"""Fit the expected-time model to real players' times, and compare it with other ratings.

python -m benchmarks.expected_time [--write]: with --write the coefficients go to engine/rating/time_model.py.
NINEFOLD_DATA names the folder with human_times.csv.
"""

from __future__ import annotations

import csv
import os
import sys
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import engine
from benchmarks.tables import Table
from engine.canonical import canonical_form
from engine.position import Position
from engine.rating import explainer, hodoku
from engine.rating.expected_time import effort
from engine.rating.openings import openings
from engine.rating.rating import level_of

Column = NDArray[np.float64]
Model = tuple[
    float, Column, float
]  # intercept, powers of the ER and of the effort, of the ER above TREND_FROM

TREND_FROM: Final = 4.0
RIDGE: Final = 1.0
FOLDS: Final = 10
REPEATS: Final = 5
OURS: Final = f"expected time, {FOLDS}-fold cross-validated"
FOUR_OF_FIVE: Final = 1.2816  # standard deviations on either side
BOUNDS: Final = (1.2, 1.5, 2.0, 2.8, 4.0, 5.0, 6.2, 7.0, 7.5, 20.0)
MODEL: Final = Path(engine.__file__).parent / "rating" / "time_model.py"


@dataclass(frozen=True)
class Measured:
    """The results of cross-validation and of the fit to all data."""

    puzzles: int
    with_difficulty: int  # puzzles of them with a difficulty
    rows: tuple[tuple[str, float, float], ...]  # a rating, its Spearman with D_TO and with the mean seconds
    seconds: Column  # of the players
    held_out: Column  # ln of the seconds predicted by a model fitted without the puzzle
    er: Column
    level: Column
    model: Model  # fitted to all


def measured() -> Measured:
    """Read the times and cross-validate."""
    with (Path(os.environ["NINEFOLD_DATA"]) / "human_times.csv").open() as file:
        rows = list(csv.DictReader(file))
    seconds = np.array([float(row["mean_seconds"]) for row in rows])
    weights = np.sqrt([float(row["finishers"]) for row in rows])
    difficulty = np.array([float(row["d_to"] or "nan") for row in rows])
    with_completion = np.array([float(row["d_tr"] or "nan") for row in rows])
    known = ~np.isnan(difficulty)
    values, er, score, level = described([row["puzzle"] for row in rows])

    figures = []
    held_out = np.zeros(len(rows))
    for repeat in range(REPEATS):
        folds = np.random.default_rng(repeat).permutation(len(rows)) % FOLDS
        held_out = np.zeros(len(rows))
        for fold in range(FOLDS):
            training = folds != fold
            model = _fit(values, er, np.log(seconds), np.log(with_completion), weights, training)
            held_out[~training] = _predict(model, values[~training], er[~training])
        figures.append((spearman(held_out[known], difficulty[known]), spearman(held_out, seconds)))
    everything = np.ones(len(rows), dtype=bool)
    return Measured(
        puzzles=len(rows),
        with_difficulty=int(known.sum()),
        rows=(
            (OURS, *np.mean(figures, axis=0).tolist()),
            ("Explainer ER", spearman(er[known], difficulty[known]), spearman(er, seconds)),
            ("HoDoKu score", spearman(score[known], difficulty[known]), spearman(score, seconds)),
        ),
        seconds=seconds,
        held_out=held_out,
        er=er,
        level=level,
        model=_fit(values, er, np.log(seconds), np.log(with_completion), weights, everything),
    )


def main(write: bool = False) -> None:
    """Print the figures, and write the model on request."""
    if not os.environ.get("NINEFOLD_DATA"):
        print("\nNINEFOLD_DATA names no folder with human_times.csv, so there is nothing to fit to.")
        return
    found = measured()
    table = Table(("set", "rating, Spearman with"), ("D_TO", "seconds"))
    for name, difficulty, seconds in found.rows:
        table.row("human_times", name, f"{difficulty:.3f}", f"{seconds:.3f}")
    table = Table(("set", "level"), ("puzzles", "s, median", "s, expected", "Spearman"))
    for level in range(1, 6):
        those = found.level == level
        rank = spearman(found.held_out[those], found.seconds[those]) if those.sum() > 2 else float("nan")
        middle, expected = np.median(found.seconds[those]), np.exp(np.median(found.held_out[those]))
        table.row("human_times", level, those.sum(), f"{middle:.0f}", f"{expected:.0f}", f"{rank:.2f}")
    if write:
        # Above TREND_FROM the model departs from the finishers' times on purpose.
        residuals = (np.log(found.seconds) - found.held_out)[found.er <= TREND_FROM]
        _write(found.model, float(residuals.std()), found.er, found.puzzles)


def described(puzzles: list[str]) -> tuple[NDArray[np.float64], Column, Column, Column]:
    """Return the logarithms of ER and effort, ER, HoDoKu score and level of each puzzle."""
    values, er, score, level = [], [], [], []
    for text in puzzles:
        position = Position.from_grid(canonical_form(engine.parse(text)))
        solution = position.solution
        ranked = explainer.rating_of(explainer.order().walk(position))
        scored = hodoku.rating_of(hodoku.order().walk(position))
        assert solution is not None and ranked is not None and scored is not None
        values.append(
            (log(min(ranked.rating, TREND_FROM)), effort(openings(position.array, solution.array())))
        )
        er.append(ranked.rating)
        score.append(scored.score)
        level.append(level_of(position))
    return np.array(values), np.array(er), np.array(score, dtype=float), np.array(level, dtype=float)


def _fit(
    values: NDArray[np.float64],
    er: Column,
    target: Column,
    with_completion: Column,
    weights: Column,
    training: NDArray[np.bool_],
) -> Model:
    """Fit a ridge regression up to TREND_FROM, and a power of the ER above it.

    That power comes from the difficulty that counts players who gave up (`with_completion`, its logarithm,
    nan if unknown), at any ER.
    """
    low = training & (er <= TREND_FROM)
    mean, deviation = values[low].mean(axis=0), values[low].std(axis=0)
    scaled = np.column_stack([np.ones(low.sum()), (values[low] - mean) / deviation]) * weights[low, None]
    penalty = RIDGE * 2 * np.diag([0.0, 1.0, 1.0])
    solved = np.linalg.solve(scaled.T @ scaled + penalty, scaled.T @ (target[low] * weights[low]))
    slopes = solved[1:] / deviation
    known = training & ~np.isnan(with_completion)
    power, _ = np.polyfit(np.log(er[known]), with_completion[known], 1, w=np.sqrt(weights[known]))
    return float(solved[0] - slopes @ mean), slopes, float(power)


def _predict(model: Model, values: NDArray[np.float64], er: Column) -> Column:
    intercept, slopes, power = model
    predicted: Column = intercept + values @ slopes + power * np.log(np.maximum(er / TREND_FROM, 1.0))
    return predicted


def spearman(left: Column, right: Column) -> float:
    """Return Spearman's rank correlation; ties share their mean rank."""
    return float(np.corrcoef(_ranks(left), _ranks(right))[0, 1])


def _ranks(values: Column) -> Column:
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[where]


def _write(model: Model, deviation: float, er: Column, rows: int) -> None:
    """Write the model as a module of numbers."""
    intercept, slopes, power = model
    edges = [0.0, *BOUNDS]
    counts = [int(((er > low) & (er <= high)).sum()) for low, high in zip(edges, BOUNDS, strict=False)]
    steps = [f"    ({high}, {count})," for high, count in zip(BOUNDS, counts, strict=True)]
    MODEL.write_text(
        '"""The numbers of the expected-time model, written by `python -m benchmarks.expected_time`.\n\n'
        f"Fitted to the mean times of {rows} puzzles from Cloud Sudoku (CC0, records of 2025-04-07).\n"
        '"""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        "# ln seconds: INTERCEPT + OF_ER * ln(ER) + OF_EFFORT * ln(effort).\n"
        "# Above TREND_FROM, the power of the ER is ABOVE instead.\n"
        f"INTERCEPT: Final = {intercept:.6g}\n"
        f"OF_ER: Final = {slopes[0]:.6g}\nOF_EFFORT: Final = {slopes[1]:.6g}\n"
        f"TREND_FROM: Final = {TREND_FROM}\nABOVE: Final = {power:.6g}\n\n"
        "# Half of the interval with four of five means, in ln seconds, from held-out errors.\n"
        f"SPREAD: Final = {FOUR_OF_FIVE * deviation:.4g}\n\n"
        "# Training puzzles by ER: (highest ER, puzzles above the one before and up to it).\n"
        "PUZZLES_UP_TO: Final = (\n" + "\n".join(steps) + "\n)\n"
    )


if __name__ == "__main__":
    main("--write" in sys.argv[1:])
