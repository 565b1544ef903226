"""What a puzzle and its equivalents share: both level and expected time are read off their canonical form.

Equal steps are taken in the order of the board, so the paths through equivalent puzzles can differ. What
does not depend on that is read off the puzzle itself. Singles, locked candidates, subsets and basic fish
only ever get nearer as candidates go, so their order does not matter, nor do the places of the cells: a
puzzle that they solve has a level up to STEADY_TIER, and an ER below STEADY_RATING.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.canonical import canonical_start
from engine.position import Position
from engine.rating import explainer
from engine.rating.expected_time import ExpectedTime, expected_time
from engine.rating.openings import FEW_RUNS, RUNS, openings
from engine.rating.time_model import TREND_FROM
from engine.rating.walk import Order

STEADY_TIER: Final = 3
STEADY_RATING: Final = 4.0  # below are the Explainer's classes up to naked triplets and Swordfish


def image_of(position: Position) -> Position | None:
    """The start of the canonical form of a puzzle with one solution; None for any other position."""
    if position.solution is None or position.solved or not position._untouched:
        return None
    return Position._of_puzzle(*canonical_start(position.givens, position.solution))


def time_of(
    image: Position, rating: float | None, order: Order
) -> tuple[ExpectedTime | None, NDArray[np.float64]]:
    """The expected time of a puzzle and its log of openings.

    image: its canonical form.  rating: the ER of the puzzle itself, None where the Explainer gave up.
    order: that of the Explainer, with the effort it may spend.
    """
    if rating is not None and rating >= STEADY_RATING:
        ranked = explainer.rating_of(order.walk(image))
        rating = None if ranked is None else ranked.rating
    beyond = rating is None or rating > TREND_FROM  # no expected time is read from the openings
    solution = image.solution
    assert solution is not None, "a puzzle has one solution"
    seen = openings(image.array, solution.array(), FEW_RUNS if beyond else RUNS)
    return None if rating is None else expected_time(rating, seen), seen
