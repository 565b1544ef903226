"""Rating: one scheme per file, with its entries in SCHEMES, which `rate` uses.

The numbers of the papers' schemes are in weights.py, those of the Explainer and of HoDoKu in their own files.
To add a scheme, write a file with `SCHEMES` and list it in rating.py.
"""

from __future__ import annotations

from .expected_time import blend, interval
from .figures import SOURCES
from .lines import Figures
from .many import rate_many
from .rating import SCHEMES, Rating, level_of, rate
from .scheme import Scheme, Subject
from .weighted_rules import RULE_OF
from .weighted_rules import order as order_of_rules
from .weights import DECISION_TREE, GIVENS_AND_SEARCH, WEIGHTED_RULES

__all__ = [
    "DECISION_TREE",
    "GIVENS_AND_SEARCH",
    "RULE_OF",
    "SCHEMES",
    "SOURCES",
    "WEIGHTED_RULES",
    "Figures",
    "Rating",
    "Scheme",
    "Subject",
    "blend",
    "interval",
    "level_of",
    "order_of_rules",
    "rate",
    "rate_many",
]
