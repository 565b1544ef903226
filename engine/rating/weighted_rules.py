"""The scheme of "weighted rules": fourteen rules, tried in order, and the root of their mean weight.

Source: Wu, Xiao, Yang, sections 2.1 and 2.2. Its tables count rule 1 (naked single) up to 60 times a puzzle
and rule 2 (hidden single) never. Our reading: a hidden single strips its cell, and the fill is counted as
rule 1. Any other rule counts once for each pattern that changes something, however much that is, and then
rule 1 is tried again; so D of 4.5 to 6 is rare (benchmarks/papers.md lists the other readings tried).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Final

from ..canonical import canonical_form
from ..grid import Grid
from ..position import Position
from ..techniques import TECHNIQUES
from ..techniques.keys import KEYS, NUMBER
from . import explainer, weights
from .compiled_walk import LOG_PRICE, OVER, SOLVED
from .scheme import Scheme, Subject
from .walk import Order, OrderedTechnique, Walk

# The rule, 1..14, of each technique in the order tried.
RULE_OF: Final = {
    "naked_single": 1,
    "hidden_single": 2,
    "naked_pair": 3,
    "hidden_pair": 4,
    "naked_triple": 5,
    "hidden_triple": 6,
    "naked_quad": 7,
    "hidden_quad": 8,
    "pointing": 9,
    "claiming": 9,
    "x_wing": 10,
    "swordfish": 11,
    "xy_wing": 12,
    "xyz_wing": 13,
    "trial": 14,
}


# The rule that a use of a technique is counted as, by the technique's number; full houses come from the
# Explainer's path.
_BOOKED: Final = {NUMBER[key]: 1 if rule == 2 else rule for key, rule in RULE_OF.items()} | {
    NUMBER["full_house"]: 1
}
_PRICES: Final = {KEYS[number]: (weights.WEIGHTED_RULES[rule - 1],) for number, rule in _BOOKED.items()}

HARDEST: Final = 5  # the level of puzzles that the rules don't solve


@dataclass(frozen=True, slots=True)
class RulesRating:
    """D, the level and how often each rule was applied."""

    difficulty: float | None  # None if the rules don't solve the puzzle
    level: int
    counts: tuple[int, ...]  # of rules 1..14


def difficulty(counts: Iterable[float]) -> float:
    """Return D from the numbers of applications of rules 1 to 14, or of their means over many puzzles.

    >>> round(difficulty([54, 0, 3]), 1)
    1.2
    """
    pairs = [(weight, count) for weight, count in zip(weights.WEIGHTED_RULES, counts, strict=False) if count]
    return _mean(sum(weight * count for weight, count in pairs), sum(count for _, count in pairs))


def _mean(weight: float, times: float) -> float:
    """Return D from the total weight and number of applications."""
    return sqrt(weight / times) if times else 1.0


def level(value: float) -> int:
    """Return the level 1..5 whose interval contains D."""
    return 1 + sum(value >= lowest for lowest in weights.WEIGHTED_RULES_FROM)


@cache
def order() -> Order:
    """Return the rules in order. The price of a step is its rule's weight."""
    entries = (OrderedTechnique(key, TECHNIQUES[key].on_path("weighted_rules")) for key in RULE_OF)
    return Order(entries, _PRICES)


def difficulty_of(walk: Walk) -> float | None:
    """Return D of a walk through `order`; None if it didn't end in a solution.

    Computed from the prices of its steps, in a third of the time of counting the rules.
    """
    if walk.end != SOLVED:
        return None
    prices = walk.log[:, LOG_PRICE].tolist()
    return round(_mean(sum(prices), len(prices)), 4)


def rating_of(walk: Walk) -> RulesRating | None:
    """Return D and level of a walk through `order`; level 5 also if all rules fail. None past a limit."""
    if walk.end == OVER:
        return None
    counts = [0] * len(weights.WEIGHTED_RULES)
    for number, times in walk.uses().items():
        counts[_BOOKED[number] - 1] += times
    value = difficulty_of(walk)
    return RulesRating(value, HARDEST if value is None else level(value), tuple(counts))


def rating_in_form(grid: Grid) -> RulesRating | None:
    """Return D and level of a grid with one solution, from its canonical form; None past a limit.

    The text doesn't say which pattern of a rule comes first. D depends on it, by 16 in the worst case
    measured. Equivalent puzzles share their canonical form, and so their D and their level.
    """
    return rating_of(order().walk(Position.from_grid(canonical_form(grid))))


def _score(subject: Subject) -> float | None:
    """Return D; None if the rules fail or a search exceeded its limit.

    For a position that isn't a whole puzzle, it comes from the position's own path. All singles count as rule
    1. Since only puzzles with one solution are rated, they fill the same cells in any order, so the
    Explainer's can be reused.
    """
    image = subject.image
    if image is not None:
        return difficulty_of(order().walk(image.start, subject.memo, image.origin))
    return difficulty_of(subject.walk(order(), after=explainer.order(effort=subject.effort)))


SCHEMES: Final = (Scheme("weighted_rules", _score),)
