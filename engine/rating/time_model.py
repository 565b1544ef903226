"""The numbers of the expected-time model, written by `python -m benchmarks.expected_time`.

Fitted to the mean times of 1022 puzzles from Cloud Sudoku (CC0, records of 2025-04-07).
"""

from __future__ import annotations

from typing import Final

# ln seconds: INTERCEPT + OF_ER * ln(ER) + OF_EFFORT * ln(effort).
# Above TREND_FROM, the power of the ER is ABOVE instead.
INTERCEPT: Final = 4.57915
OF_ER: Final = 0.19387
OF_EFFORT: Final = 0.624641
TREND_FROM: Final = 4.0
ABOVE: Final = 1.20194

# Half of the interval with four of five means, in ln seconds, from held-out errors.
SPREAD: Final = 0.405

# Training puzzles by ER: (highest ER, puzzles above the one before and up to it).
PUZZLES_UP_TO: Final = (
    (1.2, 258),
    (1.5, 593),
    (2.0, 98),
    (2.8, 18),
    (4.0, 20),
    (5.0, 18),
    (6.2, 6),
    (7.0, 1),
    (7.5, 9),
    (20.0, 1),
)
