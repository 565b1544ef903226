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
from engine.rating import explainer, weights
from engine.rating.scheme import Scheme, Subject
from engine.rating.walk import LOG_PRICE, OVER, SOLVED, Order, OrderedTechnique, Walk
from engine.techniques import TECHNIQUES
from engine.techniques.keys import KEYS, NUMBER

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


# What a use of a technique, by its number, is counted as; full houses come from the Explainer's path.
_BOOKED: Final = {NUMBER[key]: 1 if rule == 2 else rule for key, rule in RULE_OF.items()} | {
    NUMBER["full_house"]: 1
}
_PRICES: Final = {KEYS[number]: (weights.WEIGHTED_RULES[rule - 1],) for number, rule in _BOOKED.items()}

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
    pairs = [(weight, count) for weight, count in zip(weights.WEIGHTED_RULES, counts, strict=False) if count]
    return _mean(sum(weight * count for weight, count in pairs), sum(count for _, count in pairs))


def _mean(weight: float, times: float) -> float:
    """D of applications that weigh so much together."""
    return sqrt(weight / times) if times else 1.0


def level(value: float) -> int:
    """The level 1..5 in whose interval D lies."""
    return 1 + sum(value >= lowest for lowest in weights.WEIGHTED_RULES_FROM)


@cache
def order() -> Order:
    """The rules in order. The price of a step is what its rule weighs."""
    entries = (OrderedTechnique(key, TECHNIQUES[key].on_path("weighted_rules")) for key in RULE_OF)
    return Order(entries, _PRICES)


@cache
def _order_up_to_fish() -> Order:
    entries = (entry for entry in order().entries if RULE_OF[entry.key] <= RULE_OF["swordfish"])
    return Order(entries, _PRICES)


def up_to_fish(position: Position) -> float:
    """D where rules 1 to 11 suffice, which is D of all fourteen too; inf where they do not.

    What rules 12 to 14 weigh puts a puzzle above D = 6 but for very long solutions.
    """
    found = difficulty_of(_order_up_to_fish().walk(position))
    return inf if found is None else found


def difficulty_of(walk: Walk) -> float | None:
    """D of a walk through `order`; None where it did not end in a solution.

    From the prices of its steps, in a third of the time that counting the rules takes.
    """
    if walk.end != SOLVED:
        return None
    prices = walk.log[:, LOG_PRICE].tolist()
    return round(_mean(sum(prices), len(prices)), 4)


def rating_of(walk: Walk) -> RulesRating | None:
    """D and level of a walk through `order`; level 5 too where all rules fail. None past a bound."""
    if walk.end == OVER:
        return None
    counts = [0] * len(weights.WEIGHTED_RULES)
    for number, times in walk.uses().items():
        counts[_BOOKED[number] - 1] += times
    value = difficulty_of(walk)
    return RulesRating(value, HARDEST if value is None else level(value), tuple(counts))


def _score(subject: Subject) -> float | None:
    """D; None where the rules fail or a search went past its bound.

    All singles are booked as rule 1. Since only puzzles with one solution are rated, they fill the same cells
    in any order, and those of the Explainer will do.
    """
    return difficulty_of(subject.walk(order(), after=explainer.order(effort=subject.effort)))


SCHEMES: Final = (Scheme("weighted_rules", _score),)
