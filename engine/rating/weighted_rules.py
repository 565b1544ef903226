"""The scheme of "weighted rules": fourteen rules, tried in order, and the root of their mean weight.

Source: Wu, Xiao, Yang, sections 2.1 and 2.2. Its tables count rule 1 (naked single) up to 60 times a puzzle
and rule 2 (hidden single) never. We read this so: a hidden single strips its cell, and the fill is booked
as rule 1. Any other rule counts once for each pattern that changes something, however much that is, and then
rule 1 is tried again; so D of 4.5 to 6 is rare (benchmarks/papers.md tells what else was tried).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import inf, sqrt
from typing import Final

from engine.position import Position
from engine.rating import weights
from engine.rating.scheme import Scheme, Subject
from engine.rating.walk import OVER, SOLVED, Order, OrderedTechnique, Walk
from engine.techniques import TECHNIQUES
from engine.techniques.keys import NUMBER

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


# What a use of a technique, by its number, is counted as.
_BOOKED: Final = {NUMBER[key]: 1 if rule == 2 else rule for key, rule in RULE_OF.items()}

HARDEST: Final = 5  # the level of puzzles the rules do not solve


@dataclass(frozen=True, slots=True)
class RulesRating:
    """D, the level and how often each rule was applied."""

    difficulty: float | None  # None where the rules do not solve the puzzle
    level: int
    counts: tuple[int, ...]  # of rules 1..14


def difficulty(counts: Iterable[float]) -> float:
    """D of the numbers of applications of rules 1 to 14, or of their means over many puzzles.

    >>> round(difficulty([54, 0, 3]), 1)
    1.2
    """
    weighed, total = 0.0, 0.0
    for weight, count in zip(weights.WEIGHTED_RULES, counts, strict=False):
        weighed += weight * count
        total += count
    return sqrt(weighed / total) if total else 1.0


def level(value: float) -> int:
    """The level 1..5 in whose interval D lies."""
    return 1 + sum(value >= lowest for lowest in weights.WEIGHTED_RULES_FROM)


@cache
def order() -> Order:
    """The rules in order."""
    return Order((OrderedTechnique(key, TECHNIQUES[key].on_path("weighted_rules")) for key in RULE_OF), {})


@cache
def _order_up_to_fish() -> Order:
    return Order((entry for entry in order().entries if RULE_OF[entry.key] <= RULE_OF["swordfish"]), {})


def up_to_fish(position: Position) -> float:
    """D where rules 1 to 11 suffice, which is D of all fourteen too; inf where they do not.

    What rules 12 to 14 weigh puts a puzzle above D = 6 but for very long solutions.
    """
    walk = _order_up_to_fish().walk(position)
    found = rating_of(walk) if walk.end == SOLVED else None
    return inf if found is None or found.difficulty is None else found.difficulty


def rating_of(walk: Walk) -> RulesRating | None:
    """D and level of a walk through `order`; level 5 too where all rules fail. None past a bound."""
    if walk.end == OVER:
        return None
    counts = [0] * len(weights.WEIGHTED_RULES)
    for number, times in walk.uses().items():
        counts[_BOOKED[number] - 1] += times
    if walk.end != SOLVED:
        return RulesRating(None, HARDEST, tuple(counts))
    value = round(difficulty(counts), 4)
    return RulesRating(value, level(value), tuple(counts))


def _score(subject: Subject) -> float | None:
    """D; None where the rules fail or a search went past its bound."""
    found = rating_of(subject.walk(order()))
    return found.difficulty if found else None


SCHEMES: Final = (Scheme("weighted_rules", _score),)
