"""Sudoku Explainer's rating: ER, the hardest step of its path, with pearl (EP) and diamond (ED).

Source: the rule classes and ratings of SukakuExplainer, rating mode 0, and their fixed order. Prices are
tenths.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..steps.step import Step
from ..techniques import TECHNIQUES
from ..techniques.limits import MOST_SPENT, NESTED_LEVELS
from .compiled_walk import LOG_PLACED, LOG_PRICE, SOLVED, length_price
from .scheme import Scheme, Subject
from .walk import Order, OrderedTechnique, Walk

# Tenths; further numbers as in the price list of `walk`. The rows are in the order of the program's classes.
PRICES: Final[dict[str, tuple[int, ...]]] = {
    "full_house": (10,),
    "hidden_single": (12, 3),  # 1.2 in a box, 1.5 in a line
    "direct_pointing": (17,),
    "direct_claiming": (19,),
    "direct_hidden_pair": (20,),
    "naked_single": (23,),
    "direct_hidden_triple": (25,),
    "pointing": (26,),
    "claiming": (28,),
    "naked_pair": (30,),
    "x_wing": (32,),
    "hidden_pair": (34,),
    "naked_triple": (36,),
    "swordfish": (38,),
    "hidden_triple": (40,),
    "strong_links_2": (40, 1),
    "xy_wing": (42,),
    "xyz_wing": (44,),
    "unique_rectangle_1": (45, 0, 0, 0, 1),
    "unique_rectangle_2": (45, 0, 0, 0, 1),
    "unique_rectangle_5": (45, 0, 0, 0, 1),
    "unique_rectangle_3": (45, 0, 1, 0, 1),
    "unique_rectangle_4": (45, 0, 0, 0, 1),
    "unique_loop": (46, 0, 1, 2, 1),
    "naked_quad": (50,),
    "jellyfish": (52,),
    "hidden_quad": (54,),
    "strong_links_3": (54, 1),
    "wxyz_wing": (55, 1),
    "bug_plus_1": (56,),
    "bug_2": (57,),
    "bug_3": (57, 1),
    "bug_4": (57,),
    "strong_links_4": (58, 1),
    "vwxyz_wing": (62, 1),
    "aligned_pair_exclusion": (62,),
    "strong_links_5": (62, 1),
    "uvwxyz_wing": (66, 1),
    "strong_links_6": (66, 1),
    "x_cycle": (65, 0, 0, 1),
    "y_cycle": (65, 0, 0, 1),
    "forcing_x_chain": (66, 0, 0, 1),
    "bidirectional_cycle": (70, 0, 0, 1),
    "forcing_chain": (70, 0, 0, 1),
    "tuvwxyz_wing": (75, 1),
    "aligned_triplet_exclusion": (75,),
    "nishio": (75, 0, 0, 1),
    "cell_forcing_chain": (80, 0, 0, 1),
    "dynamic_forcing_chain": (85, 0, 0, 1),
    "dynamic_forcing_chain_plus": (90, 0, 0, 1),
    "nested_forcing_chain": (95, 0, 1, 1),
}

# The program searches for all of these in one class.
_DEADLY: Final = (
    "unique_rectangle_1",
    "unique_rectangle_2",
    "unique_rectangle_5",
    "unique_rectangle_3",
    "unique_rectangle_4",
    "unique_loop",
)
# Numbers of classes with several techniques, and of strong links.
_CLASSES: Final = {
    **dict.fromkeys(_DEADLY, 1),
    "strong_links_2": 2,
    "strong_links_3": 3,
    "strong_links_4": 4,
}

# Priced, but not in the order: longer strong links aren't searched for, `forcing_chain` also finds the other
# chains, and nested chains come last, once for each level.
_NOT_ASKED: Final = frozenset(
    {
        "strong_links_5",
        "strong_links_6",
        "x_cycle",
        "y_cycle",
        "forcing_x_chain",
        "bidirectional_cycle",
        "nested_forcing_chain",
    }
)
_ORDER: Final = tuple(key for key in PRICES if key not in _NOT_ASKED)
# Techniques that each set leaves out of that order.
SETS: Final[dict[str, frozenset[str]]] = {
    "default": frozenset(),
    "bank": frozenset({"strong_links_4", "uvwxyz_wing", "tuvwxyz_wing"}),
    "1.2.1": frozenset(
        {
            "strong_links_2",
            "strong_links_3",
            "strong_links_4",
            "wxyz_wing",
            "vwxyz_wing",
            "uvwxyz_wing",
            "tuvwxyz_wing",
        }
    ),
}


@dataclass(frozen=True, slots=True)
class ExplainerRating:
    """ER, EP and ED of a puzzle."""

    rating: float
    pearl: float
    diamond: float


def price_of(step: Step) -> float | None:
    """Return a step's ER, such as 8.3; None if the Explainer lacks the technique."""
    if step.technique not in PRICES:
        return None
    base, by_variant, by_tenths, by_length = (*PRICES[step.technique], 0, 0, 0)[:4]
    cost = base + by_variant * step.variant + by_tenths * (step.variant // 10)
    return (cost + length_price(by_length, step.size)) / 10


def order(technique_set: str = "default", effort: int = MOST_SPENT) -> Order:
    """Return the order of a technique set: 'default', 'bank' or '1.2.1'; cached by effort.

    effort: the limit of nested chains in a whole walk, in the unit of limits.MOST_SPENT.
    """
    return _order_of(technique_set, effort)


@lru_cache(maxsize=64)  # callers can request any number as effort
def _order_of(technique_set: str, effort: int) -> Order:
    left_out = SETS[technique_set]
    entries = [
        OrderedTechnique(key, TECHNIQUES[key].on_path("explainer"), _CLASSES.get(key, 0))
        for key in _ORDER
        if key not in left_out
    ]
    entries += [
        OrderedTechnique("nested_forcing_chain", {"level": level, "deepest": level, "bound": effort})
        for level in NESTED_LEVELS
    ]
    return Order(entries, PRICES)


@cache
def er_of_level(level: int) -> tuple[float, float]:
    """Return the lowest and highest ER possible for a puzzle of a level 1..5; 12 if nothing limits it.

    Classes below the cheapest one of a tier belong to lower tiers, which don't solve the puzzle. If every
    technique up to its tier is a class, the Explainer needs none that costs more.
    """
    prices = [
        (tier, row[0] + (row[1] if key == "hidden_single" and tier == TECHNIQUES[key].tier else 0))
        for key, row in PRICES.items()
        for tier in TECHNIQUES[key].tiers
    ]
    low = min(price for tier, price in prices if tier >= level)
    bounded = level <= 3  # pairs and triples in locked houses are found as plain ones
    high = max(price for tier, price in prices if tier <= level) if bounded else 120
    return low / 10, high / 10


def rating_of(walk: Walk) -> ExplainerRating | None:
    """Return ER, EP and ED of a walk through `order`; None if it didn't end in a solution."""
    if walk.end != SOLVED:
        return None
    rating, pearl, diamond = map(int, tenths_of(walk.log))  # int32s if nothing is compiled
    return ExplainerRating(rating / 10, pearl / 10, diamond / 10)


@kernel
def tenths_of(log: NDArray[np.int32]) -> tuple[int, int, int]:
    """Return the highest price of a log, that up to the first placement, and that of the first step."""
    highest, pearl, placed = 0, 0, 0
    for step in range(len(log)):
        highest = max(highest, log[step, LOG_PRICE])
        pearl = pearl if placed else highest
        placed += log[step, LOG_PLACED]
    return highest, pearl, log[0, LOG_PRICE] if len(log) else 0


def _score(name: str, subject: Subject) -> float | None:
    """Return one of the three figures; None if a search exceeded its limit."""
    found = rating_of(subject.walk(order(subject.explainer_set, subject.effort)))
    score: float | None = getattr(found, name, None)
    return score


SCHEMES: Final = (
    Scheme("explainer", partial(_score, "rating"), order="explainer"),
    Scheme("explainer_pearl", partial(_score, "pearl"), order="explainer"),
    Scheme("explainer_diamond", partial(_score, "diamond"), order="explainer"),
)
