"""What a puzzle and its equivalents share: both level and expected time are read off their canonical form.

Equal steps are taken in the order of the board, so the paths through equivalent puzzles can differ. What
does not depend on that is read off the puzzle itself. Singles, locked candidates, subsets and basic fish
only ever get nearer as candidates go, so their order does not matter, nor do the places of the cells: a
puzzle that they solve has a level up to STEADY_TIER, and an ER below STEADY_RATING.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.canonical import canonical_start
from engine.position import Position
from engine.rating import explainer
from engine.rating.expected_time import ExpectedTime, expected_time
from engine.rating.memo import Memo, Origin
from engine.rating.openings import FEW_RUNS, RUNS, openings
from engine.rating.time_model import TREND_FROM
from engine.rating.walk import Order

STEADY_TIER: Final = 3
STEADY_RATING: Final = 4.0  # below are the Explainer's classes up to naked triplets and Swordfish


class Image(NamedTuple):
    """The canonical form of a puzzle."""

    start: Position
    origin: Origin  # int32[729]: for each candidate that of the puzzle


def image_of(position: Position) -> Image | None:
    """The canonical form of a puzzle with one solution; None for any other position."""
    if position.solution is None or position.solved or not position._untouched:
        return None
    form, solved, origin = canonical_start(position.givens, position.solution)
    return Image(Position._of_puzzle(form, solved), origin)


def time_of(
    image: Image, rating: float | None, order: Order, memo: Memo | None = None
) -> tuple[ExpectedTime | None, NDArray[np.float64]]:
    """The expected time of a puzzle and its log of openings.

    image: its canonical form.  rating: the ER of the puzzle itself, None where the Explainer gave up.
    order: that of the Explainer, with the effort it may spend.  memo: of the puzzle; read and written.
    """
    if rating is not None and rating >= STEADY_RATING:
        ranked = explainer.rating_of(order.walk(image.start, memo, image.origin))
        rating = None if ranked is None else ranked.rating
    beyond = rating is None or rating > TREND_FROM  # no expected time is read from the openings
    solution = image.start.solution
    assert solution is not None, "a puzzle has one solution"
    seen = openings(image.start.array, solution.array(), FEW_RUNS if beyond else RUNS)
    return None if rating is None else expected_time(rating, seen), seen
