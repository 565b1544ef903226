"""Level and expected time from the canonical form, so that a puzzle and its equivalents share them.

Equal steps are taken in board order, so the paths through equivalent puzzles can differ. Results that don't
depend on that come from the puzzle itself. For singles, locked candidates, subsets and basic fish, removing
candidates never destroys a step, so their order and the places of cells don't matter: a puzzle that they
solve has a level up to STEADY_TIER, and an ER below STEADY_RATING.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from . import explainer
from .expected_time import ExpectedTime, expected_time
from .memo import Memo
from .openings import FEW_RUNS, RUNS, openings
from .scheme import Image
from .time_model import TREND_FROM
from .walk import Order

STEADY_TIER: Final = 3
STEADY_RATING: Final = 4.0  # below are the Explainer's classes up to naked triplets and Swordfish


def time_of(
    image: Image, rating: float | None, order: Order, memo: Memo | None = None
) -> tuple[ExpectedTime | None, NDArray[np.float64]]:
    """Return the expected time of a puzzle and its log of openings.

    image: its canonical form. rating: the ER of the puzzle itself, None if the Explainer gave up.
    order: the Explainer's, with its effort. memo: of the puzzle; read and written.
    """
    if rating is not None and rating >= STEADY_RATING:
        ranked = explainer.rating_of(order.walk(image.start, memo, image.origin))
        rating = None if ranked is None else ranked.rating
    beyond = rating is None or rating > TREND_FROM  # searching refutations takes long, and the ER decides
    solution = image.start.solution
    assert solution is not None, "a puzzle has one solution"
    seen = openings(image.start.array, solution.array(), FEW_RUNS if beyond else RUNS)
    return None if rating is None else expected_time(rating, seen), seen
