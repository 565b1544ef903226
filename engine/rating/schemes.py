"""SCHEMES: every rating scheme by the key of its score, in the order of `rate`'s results."""

from __future__ import annotations

from typing import Final

from . import decision_tree, explainer, givens_and_search, hodoku, weighted_rules
from .scheme import Scheme

SCHEMES: Final[dict[str, Scheme]] = {
    scheme.key: scheme
    for module in (explainer, hodoku, weighted_rules, givens_and_search, decision_tree)
    for scheme in module.SCHEMES
}
