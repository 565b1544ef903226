"""Rating schemes: one a file, all behind the Protocol of `scheme`; weights.py holds their numbers.

A new scheme is added to SCHEMES under each of the keys it scores.
"""

from __future__ import annotations

from typing import Final

from engine.rating import decision_tree, givens_and_search
from engine.rating.scheme import Scheme

SCHEMES: Final[dict[str, Scheme]] = {
    "givens_and_search": givens_and_search.score,
    "decision_tree": decision_tree.score,
}

__all__ = ["SCHEMES", "Scheme"]
