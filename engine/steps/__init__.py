"""Steps: a technique's effect and proof, the search for the next one, and the order of a proof for
display.
"""

from .branches import Branch, Cause, Claim, Inference, Link, displayed
from .choice import choices, effort
from .deadly import solved_corners, swappable
from .logic import GaveUp, Path, all_steps, find, next_step, solve_path
from .step import PatternCell, PatternHouse, Step, by_digits
from .strong import StrongLink, grouped, shape, strong_links
from .witnesses import noted, witnesses
from .wording import eureka

__all__ = [
    "Branch",
    "Cause",
    "Claim",
    "GaveUp",
    "Inference",
    "Link",
    "Path",
    "PatternCell",
    "PatternHouse",
    "Step",
    "StrongLink",
    "all_steps",
    "by_digits",
    "choices",
    "displayed",
    "effort",
    "eureka",
    "find",
    "grouped",
    "next_step",
    "noted",
    "shape",
    "solve_path",
    "solved_corners",
    "strong_links",
    "swappable",
    "witnesses",
]
