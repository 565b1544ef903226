"""The numbers of the expected-time model, written by `python -m benchmarks.expected_time`.

Fitted to the mean times of 1022 puzzles from Cloud Sudoku (CC0, records of 2025-04-07).
"""

from __future__ import annotations

from typing import Final

# ln seconds up to TREND_FROM: INTERCEPT + the sum of WEIGHTS times expected_time.FEATURES,
# at most TREND[0].
INTERCEPT: Final = 5.11109
WEIGHTS: Final = (
    0.279469,  # ln ER
    -0.0538596,  # cells open in a box, steps 1 to 35
    0.35402,  # ln of the effort of all steps
    0.00361832,  # ease of naked singles, all steps
    -0.0525774,  # ease of lines, steps 1 to 10
    -0.0497515,  # ease of lines, steps 1 to 45
    0.680302,  # steps without a box, 1 to 15
)

# Above: TREND[0] + TREND[1] * ln(ER / TREND_FROM).
TREND_FROM: Final = 4.0
TREND: Final = (6.56314, 1.20194)

# Half of the interval with four of five means, in ln seconds, from held-out errors.
SPREAD: Final = 0.3929

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
