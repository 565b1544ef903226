"""The numbers of the expected-time model, written by `python -m benchmarks.expected_time`.

Fitted to the mean times of 1022 puzzles from Cloud Sudoku (CC0, records of 2025-04-07).
"""

from __future__ import annotations

from typing import Final

# ln seconds up to TREND_FROM: INTERCEPT + the sum of WEIGHTS times expected_time.FEATURES.
INTERCEPT: Final = 5.04553
WEIGHTS: Final = (
    0.195132,  # ln ER
    -0.0572252,  # cells open in a box, steps 1 to 35
    0.397987,  # ln of the effort of all steps
    0.00353402,  # ease of naked singles, all steps
    -0.0503777,  # ease of lines, steps 1 to 10
    -0.0404749,  # ease of lines, steps 1 to 45
    0.565519,  # steps without a box, 1 to 15
)

# Above it: TREND[0] + TREND[1] * (ER - TREND_FROM).
TREND_FROM: Final = 4.0
TREND: Final = (6.11316, 0.193422)

# Half of the interval that holds four of five means, in ln seconds, from held-out errors.
SPREAD: Final = 0.4058

# Training puzzles by ER: (highest ER, puzzles above the one before and up to it).
PUZZLES_UP_TO: Final = (
    (1.2, 258),
    (1.5, 593),
    (2.0, 98),
    (2.8, 18),
    (4.0, 0),
    (5.0, 5),
    (6.2, 9),
    (7.0, 18),
    (7.5, 22),
    (20.0, 1),
)
