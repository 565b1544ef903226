"""SCHEMES: every rating scheme by the key of its score, in the order in which `rate` gives them."""

from __future__ import annotations

from typing import Final

from engine.rating import decision_tree, explainer, givens_and_search, hodoku, weighted_rules
from engine.rating.scheme import Scheme

SCHEMES: Final[dict[str, Scheme]] = {
    scheme.key: scheme
    for module in (explainer, hodoku, weighted_rules, givens_and_search, decision_tree)
    for scheme in module.SCHEMES
}
