"""How long an average player takes: a power of the ER and of the effort to see all steps.

Of the puzzles with known times 35 of 1,022 are above ER 4, 11 above 6.2, and only players who finished were
timed. Their mean times hardly rise there, because those who find a puzzle too hard give up. So above ER 4 the
power of the ER doesn't follow these times. It is that of the difficulty that also counts completion (D_TR of
Cloud Sudoku, known for 236 of the puzzles: 1.1 at ER 1.2, 2.6 at 2.0, 6.6 at 7.1). The coefficients are in
time_model.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from . import time_model
from .openings import EFFORT

ENOUGH: Final = 30  # training puzzles near an ER that make its interval reliable
# The number of solves with the same weight as the model: the variance of a median of n solves is pi / 2 * s
# ** 2 / n with s = 0.5 between players, that of the model's error 0.316 ** 2 (SPREAD); they are equal at n =
# 4.
MODEL_SOLVES: Final = 4
WIDEST: Final = 3.0  # factor of the interval if there are hardly any


@dataclass(frozen=True, slots=True)
class ExpectedTime:
    """Seconds, and the interval that contains four of five players' means."""

    seconds: float
    low: float
    high: float


def effort(seen: NDArray[np.float64]) -> float:
    """Return the logarithm of the effort to see all steps, from a log of openings."""
    return log(float(seen[:, EFFORT].sum()))


def expected_time(rating: float, seen: NDArray[np.float64]) -> ExpectedTime:
    """Return the expected time of a puzzle with that ER and that log of openings."""
    model = time_model
    below, above = min(rating, model.TREND_FROM), max(rating / model.TREND_FROM, 1.0)
    expected = model.INTERCEPT + model.OF_ER * log(below) + model.OF_EFFORT * effort(seen)
    seconds = round(exp(expected + model.ABOVE * log(above)), 1)
    return ExpectedTime(seconds, *interval(seconds, rating))


def interval(seconds: float, rating: float, solves: float = 0.0) -> tuple[float, float]:
    """Return the range of seconds that contains four of five players' means for a puzzle of that ER.

    solves: the weight of measured times in `seconds` against the model, which narrows it (see `blend`).
    """
    trained = next((puzzles for highest, puzzles in time_model.PUZZLES_UP_TO if rating <= highest), 0)
    widening = min(WIDEST, max(1.0, sqrt(ENOUGH / max(trained, 1))))
    spread = time_model.SPREAD * widening * sqrt(MODEL_SOLVES / (MODEL_SOLVES + solves))
    return round(seconds * exp(-spread), 1), round(seconds * exp(spread), 1)


def blend(expected: float, median: float, solves: int) -> float:
    """Return the expected seconds once `solves` players' times are known, whose median is `median` seconds.

    Shrinkage of the logarithms: the model counts as MODEL_SOLVES solves (docs/expected-time.md).
    """
    weight = solves / (MODEL_SOLVES + solves)
    return exp((1 - weight) * log(expected) + weight * log(median))
