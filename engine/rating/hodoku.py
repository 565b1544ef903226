"""HoDoKu's rating: a fixed score for each step of its path, their sum, and the level.

Source: HoDoKu 2.2.0, default settings: scores, levels, search order and limits. Nothing depends on the length
or size of a step. The order of singles affects the score: it decides how many are naked ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from ..techniques import TECHNIQUES
from ..techniques.keys import NUMBER
from .compiled_walk import LOG_KEY, LOG_PRICE, SOLVED
from .scheme import Scheme, Subject
from .walk import Order, OrderedTechnique, Walk

EASY, MEDIUM, HARD, UNFAIR, EXTREME = 1, 2, 3, 4, 5

# Score and level of each technique, in the search order.
PRICES: Final[dict[str, tuple[int, int]]] = {
    "full_house": (4, EASY),
    "naked_single": (4, EASY),
    "hidden_single": (14, EASY),
    "locked_pair": (40, MEDIUM),
    "locked_triple": (60, MEDIUM),
    "pointing": (50, MEDIUM),
    "claiming": (50, MEDIUM),
    "naked_pair": (60, MEDIUM),
    "naked_triple": (80, MEDIUM),
    "hidden_pair": (70, MEDIUM),
    "hidden_triple": (100, MEDIUM),
    "naked_quad": (120, HARD),
    "hidden_quad": (150, HARD),
    "x_wing": (140, HARD),
    "swordfish": (150, HARD),
    "jellyfish": (160, HARD),
    "remote_pair": (110, HARD),
    "bug_plus_1": (100, HARD),
    "skyscraper": (130, HARD),
    "two_string_kite": (150, HARD),
    "turbot_fish": (120, HARD),
    "empty_rectangle": (120, HARD),
    "w_wing": (150, HARD),
    "xy_wing": (160, HARD),
    "xyz_wing": (180, HARD),
    "unique_rectangle_1": (100, HARD),
    "unique_rectangle_2": (100, HARD),
    "unique_rectangle_3": (100, HARD),
    "unique_rectangle_4": (100, HARD),
    "unique_rectangle_5": (100, HARD),
    "unique_rectangle_6": (100, HARD),
    "hidden_rectangle": (100, HARD),
    "avoidable_rectangle_1": (100, HARD),
    "avoidable_rectangle_2": (100, HARD),
    "finned_x_wing": (130, HARD),
    "sashimi_x_wing": (150, HARD),
    "finned_swordfish": (200, UNFAIR),
    "sashimi_swordfish": (240, UNFAIR),
    "finned_jellyfish": (250, UNFAIR),
    "sashimi_jellyfish": (260, UNFAIR),
    "sue_de_coq": (250, UNFAIR),
    "simple_colouring_trap": (150, HARD),
    "simple_colouring_wrap": (150, HARD),
    "multi_colouring_1": (200, HARD),
    "multi_colouring_2": (200, HARD),
    "x_chain": (260, UNFAIR),
    "xy_chain": (260, UNFAIR),
    "continuous_nice_loop": (280, UNFAIR),
    "discontinuous_nice_loop": (280, UNFAIR),
    "aic": (280, UNFAIR),
    "grouped_continuous_nice_loop": (300, UNFAIR),
    "grouped_discontinuous_nice_loop": (300, UNFAIR),
    "grouped_aic": (300, UNFAIR),
    "als_xz": (300, UNFAIR),
    "als_xy_wing": (320, UNFAIR),
    "als_xy_chain": (340, UNFAIR),
    "forcing_chain_contradiction": (500, EXTREME),
    "forcing_chain_verity": (500, EXTREME),
    "forcing_net_contradiction": (700, EXTREME),
    "forcing_net_verity": (700, EXTREME),
    "trial": (10_000, EXTREME),
    "brute_force": (10_000, EXTREME),
}
# Found by the search for verities, with wider limits on this path.
_CONTRADICTIONS: Final = frozenset({"forcing_chain_contradiction", "forcing_net_contradiction"})

# Chains that HoDoKu collects before it takes the one with most effect, by the number of their class.
_CLASSES: Final = {
    "x_chain": 1,
    "xy_chain": 2,
    "aic": 3,
    "grouped_aic": 4,
    "remote_pair": 5,
}
# The level of each technique by its number.
_LEVEL_OF: Final = {NUMBER[key]: level for key, (_, level) in PRICES.items()}
# The highest score of a level; a higher one raises the level by one.
MOST_SCORE: Final = {EASY: 800, MEDIUM: 1000, HARD: 1600, UNFAIR: 1800}


@dataclass(frozen=True, slots=True)
class HodokuRating:
    """Score and level of a puzzle."""

    score: int
    level: int


@cache
def order() -> Order:
    """Return HoDoKu's path with its default limits."""
    return Order(
        (
            OrderedTechnique(key, TECHNIQUES[key].on_path("hodoku"), _CLASSES.get(key, 0))
            for key in PRICES
            if key not in _CONTRADICTIONS and not TECHNIQUES[key].found_by
        ),
        {key: (score,) for key, (score, _) in PRICES.items()},
        greedy=True,
        queued=True,
    )


def rating_of(walk: Walk) -> HodokuRating | None:
    """Return score and level of a walk through `order`; None if it didn't end in a solution."""
    if walk.end != SOLVED:
        return None
    score = sum(walk.log[:, LOG_PRICE].tolist())  # a list: NumPy is slower for so few numbers
    level = max([_LEVEL_OF[number] for number in walk.log[:, LOG_KEY].tolist()], default=EASY)
    while level < EXTREME and score > MOST_SCORE[level]:
        level += 1
    return HodokuRating(score, level)


def _figure(name: str, subject: Subject) -> int | None:
    """Return the score or the level; None if a search exceeded its limit."""
    found = rating_of(subject.walk(order()))
    return getattr(found, name) if found else None


# HoDoKu assumes that printed digits have one solution, which those of a Sukaku don't.
SCHEMES: Final = (
    Scheme("step_score", partial(_figure, "score"), of_candidates=False, by_default=False, order="hodoku"),
    Scheme("step_level", partial(_figure, "level"), of_candidates=False, by_default=False, order="hodoku"),
)
