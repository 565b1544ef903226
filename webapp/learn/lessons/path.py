"""The path: the techniques in the order people learn them, tier by tier and family by family."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import engine
from engine.techniques import Family
from webapp.learn.state import State

BEGIN: Final = "hidden_single"  # scanning: where someone who has done nothing yet begins


@cache
def tiers() -> dict[int, dict[Family, tuple[str, ...]]]:
    """The keys of each tier by family, families in the order in which they are first met."""
    found: dict[int, dict[Family, list[str]]] = {}
    for key, technique in engine.TECHNIQUES.items():
        found.setdefault(tier_of(key), {}).setdefault(technique.family, []).append(key)
    return {
        tier: {family: tuple(keys) for family, keys in families.items()}
        for tier, families in sorted(found.items())
    }


def tier_of(key: str) -> int:
    """The tier in which a technique is learned: that of its easiest steps."""
    return engine.TECHNIQUES[key].tier_of(0)


def keys_of(tier: int) -> tuple[str, ...]:
    """The techniques of a tier in order; empty for a number that is no tier."""
    return tuple(key for keys in tiers().get(tier, {}).values() for key in keys)


def order() -> tuple[str, ...]:
    """All techniques in the order of the path."""
    return tuple(key for tier in tiers() for key in keys_of(tier))


def next_one(states: Mapping[str, State]) -> str | None:
    """The technique to learn next: the first that isn't practiced yet; None once all are."""
    if not states:
        return BEGIN
    return next((key for key in order() if states.get(key, State.NEW) < State.PRACTICED), None)


def after(key: str) -> str | None:
    """The technique that follows another on the path."""
    keys = order()
    at = keys.index(key) + 1
    return keys[at] if at < len(keys) else None
