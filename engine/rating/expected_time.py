"""How long an average player takes: a linear model of the openings, and above ER 4 a power of the ER alone.

Of the puzzles with known times 35 of 1,022 are above ER 4, 11 above 6.2, and only players who finished were
timed. Their mean times hardly rise there, because those who find a puzzle too hard give up. So above ER 4 the
model doesn't follow these times. It assumes that time rises with the hardest technique like the difficulty
that also counts completion (D_TR of Cloud Sudoku, known for 236 of the puzzles: 1.1 at ER 1.2, 2.6 at 2.0,
6.6 at 7.1): as a power of the ER, fitted to D_TR. The power starts at ER 4 from the times measured there. Up
to ER 4 no puzzle is expected to take longer than that, so the time never falls when the ER passes it. The
coefficients are in time_model.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from . import time_model
from .openings import EFFORT, LINE_EASE, NAKED_EASE, NO_BOX, OPEN_IN_BOX, STEPS

FEATURES: Final = (
    "ln ER",
    "cells open in a box, steps 1 to 35",
    "ln of the effort of all steps",
    "ease of naked singles, all steps",
    "ease of lines, steps 1 to 10",
    "ease of lines, steps 1 to 45",
    "steps without a box, 1 to 15",
)
# A row for the first 10, 15, 35, 45 and all steps: 1 for each step included, else 0.
_SPANS: Final = np.array([[float(step < last) for step in range(STEPS)] for last in (10, 15, 35, 45, STEPS)])
ENOUGH: Final = 30  # training puzzles near an ER that make its interval reliable
# The number of solves with the same weight as the model: the variance of a median of n solves is pi / 2 * s
# ** 2 / n with s = 0.5 between players, that of the model's error 0.315 ** 2 (SPREAD); they are equal at n =
# 4.
MODEL_SOLVES: Final = 4
WIDEST: Final = 3.0  # factor of the interval if there are hardly any


@dataclass(frozen=True, slots=True)
class ExpectedTime:
    """Seconds, and the interval that contains four of five players' means."""

    seconds: float
    low: float
    high: float


def features(rating: float, seen: NDArray[np.float64]) -> tuple[float, ...]:
    """Return FEATURES of a puzzle's ER and its log of openings."""
    # All sums at once: one by one takes four times as long.
    in_10, in_15, in_35, in_45, in_all = (_SPANS @ seen).tolist()
    return (
        log(rating),
        in_35[OPEN_IN_BOX] / 35,
        log(in_all[EFFORT]),
        in_all[NAKED_EASE],
        in_10[LINE_EASE] / 10,
        in_45[LINE_EASE] / 45,
        in_15[NO_BOX] / 15,
    )


def expected_time(rating: float, seen: NDArray[np.float64]) -> ExpectedTime:
    """Return the expected time of a puzzle with that ER and that log of openings."""
    if rating > time_model.TREND_FROM:
        expected = time_model.TREND[0] + time_model.TREND[1] * log(rating / time_model.TREND_FROM)
    else:
        pairs = zip(time_model.WEIGHTS, features(rating, seen), strict=True)
        expected = time_model.INTERCEPT + sum(weight * value for weight, value in pairs)
        expected = min(expected, time_model.TREND[0])
    seconds = round(exp(expected), 1)
    return ExpectedTime(seconds, *interval(seconds, rating))


def interval(seconds: float, rating: float, solves: float = 0.0) -> tuple[float, float]:
    """Return the range of seconds that contains four of five players' means for a puzzle of that ER.

    solves: the weight of measured times in `seconds` against the model, which narrows it (see `blend`).
    """
    spread = time_model.SPREAD * _widening(rating) * sqrt(MODEL_SOLVES / (MODEL_SOLVES + solves))
    return round(seconds * exp(-spread), 1), round(seconds * exp(spread), 1)


def blend(expected: float, median: float, solves: int) -> float:
    """Return the expected seconds once `solves` players' times are known, whose median is `median` seconds.

    Shrinkage of the logarithms: the model counts as MODEL_SOLVES solves (docs/expected-time.md).
    """
    weight = solves / (MODEL_SOLVES + solves)
    return exp((1 - weight) * log(expected) + weight * log(median))


def _widening(rating: float) -> float:
    """Return the factor that widens the interval if there are fewer than ENOUGH training puzzles."""
    count = 0
    for highest, puzzles in time_model.PUZZLES_UP_TO:
        if rating <= highest:
            count = puzzles
            break
    return min(WIDEST, sqrt(ENOUGH / max(count, 1))) if count < ENOUGH else 1.0
