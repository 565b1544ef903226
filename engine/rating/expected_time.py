"""How long an average player takes: a linear model of what is open on the way, and above ER 4 of the ER
alone.

So few of the puzzles with known times go beyond ER 4 that only a trend can be read from them; there the
expected time rises with the ER and with nothing else. Up to ER 4 no puzzle is expected to take longer than
where the trend begins, so the time does not fall as the ER passes 4. The coefficients stand in time_model.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.rating import time_model
from engine.rating.openings import EFFORT, LINE_EASE, NAKED_EASE, NO_BOX, OPEN_IN_BOX

FEATURES: Final = (
    "ln ER",
    "cells open in a box, steps 1 to 35",
    "ln of the effort of all steps",
    "ease of naked singles, all steps",
    "ease of lines, steps 1 to 10",
    "ease of lines, steps 1 to 45",
    "steps without a box, 1 to 15",
)
ENOUGH: Final = 30  # training puzzles near an ER that make its interval reliable
WIDEST: Final = 3.0  # how much wider the interval gets where there are hardly any


@dataclass(frozen=True, slots=True)
class ExpectedTime:
    """Seconds, and the interval that holds four players' means of five."""

    seconds: float
    low: float
    high: float


def features(rating: float, seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[len(FEATURES)] of a puzzle's ER and its log of openings."""
    return np.array(
        [
            log(rating),
            seen[:35, OPEN_IN_BOX].mean(),
            log(seen[:, EFFORT].sum()),
            seen[:, NAKED_EASE].sum(),
            seen[:10, LINE_EASE].mean(),
            seen[:45, LINE_EASE].mean(),
            seen[:15, NO_BOX].mean(),
        ]
    )


def expected_time(rating: float, seen: NDArray[np.float64]) -> ExpectedTime:
    """The expected time of a puzzle with that ER and that log of openings."""
    if rating > time_model.TREND_FROM:
        expected = time_model.TREND[0] + time_model.TREND[1] * (rating - time_model.TREND_FROM)
    else:
        pairs = zip(time_model.WEIGHTS, features(rating, seen).tolist(), strict=True)
        expected = time_model.INTERCEPT + sum(weight * value for weight, value in pairs)
        expected = min(expected, time_model.TREND[0])
    spread = time_model.SPREAD * _widening(rating)
    return ExpectedTime(
        round(exp(expected), 1), round(exp(expected - spread), 1), round(exp(expected + spread), 1)
    )


def _widening(rating: float) -> float:
    """Return the factor that widens the interval where there are fewer than ENOUGH training puzzles."""
    count = 0
    for highest, puzzles in time_model.PUZZLES_UP_TO:
        if rating <= highest:
            count = puzzles
            break
    return min(WIDEST, sqrt(ENOUGH / max(count, 1))) if count < ENOUGH else 1.0
