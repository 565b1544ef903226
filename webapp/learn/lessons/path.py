"""The path: first steps, then the techniques that puzzles need in the order to learn them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, pairwise
from typing import Final

import engine
from webapp.learn.lessons.basics import BASICS
from webapp.learn.lessons.progress import State

# Techniques with a step in at least 5 solution paths of 1,500 generated puzzles, 300 of each level.
# Techniques that most puzzles need, or others build on, come first. The first two levels share a tier.
PATH: Final[Mapping[int, tuple[str, ...]]] = {
    2: (*BASICS, "hidden_single", "full_house", "naked_single"),
    3: (
        *("pointing", "claiming", "naked_pair", "hidden_pair", "naked_triple", "hidden_triple"),
        *("locked_pair", "direct_pointing", "direct_hidden_pair"),
    ),
    4: (
        *("x_wing", "skyscraper", "two_string_kite", "xy_wing", "w_wing", "xyz_wing", "swordfish"),
        *("simple_colouring_trap", "unique_rectangle_1", "unique_rectangle_2", "unique_rectangle_4"),
        *("bug_plus_1", "empty_rectangle", "turbot_fish", "hidden_rectangle", "strong_links_2"),
        *("unique_rectangle_3", "unique_rectangle_6", "finned_swordfish", "sashimi_swordfish"),
    ),
    5: (
        *("medusa", "x_chain", "xy_chain", "aic", "als_xz", "sue_de_coq", "wxyz_wing", "grouped_aic"),
        *("als_xy_wing", "almost_locked_candidates", "als_xy_chain", "strong_links_3", "extended_rectangle"),
    ),
}


def tier_of(key: str) -> int:
    """Return the tier in which something is learned: of a technique that of its easiest steps, from 2."""
    return 2 if key in BASICS else max(2, engine.TECHNIQUES[key].tier_of(0))


def keys_of(tier: int) -> tuple[str, ...]:
    """Return what is learned in a tier, in order; empty for a number that is no tier."""
    return PATH.get(tier, ())


@cache
def order() -> tuple[str, ...]:
    """Return all of the path in order."""
    return tuple(chain.from_iterable(PATH.values()))


def techniques() -> Iterator[str]:
    """Yield the techniques of the path in order."""
    return (key for key in order() if key not in BASICS)


def next_one(states: Mapping[str, State]) -> str | None:
    """Return what to learn next: the first one left after the furthest practiced, or else before it.

    None once all is practiced.
    """
    keys = order()
    practiced = [states.get(key, State.NEW) >= State.PRACTICED for key in keys]
    start = max((number + 1 for number, done in enumerate(practiced) if done), default=0)
    ahead = range(start, len(keys))
    return next((keys[number] for number in (*ahead, *range(start)) if not practiced[number]), None)


def after(key: str) -> str | None:
    """Return what follows on the path; None after the last and off the path."""
    return dict(pairwise(order())).get(key)
