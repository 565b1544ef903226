"""Rating schemes: one a file, all behind the Protocol of `scheme`; weights.py holds their numbers.

A new scheme is added to SCHEMES under each of the keys it scores.
"""

from __future__ import annotations

from typing import Final

from engine.rating import decision_tree, explainer, givens_and_search, hodoku, weighted_rules
from engine.rating.rating import Rating, level_of, rate
from engine.rating.scheme import Scheme

SCHEMES: Final[dict[str, Scheme]] = {
    "explainer": explainer.score,
    "hodoku_score": hodoku.score,
    "hodoku_level": hodoku.level,
    "weighted_rules": weighted_rules.score,
    "givens_and_search": givens_and_search.score,
    "decision_tree": decision_tree.score,
}

__all__ = ["SCHEMES", "Rating", "Scheme", "level_of", "rate"]
