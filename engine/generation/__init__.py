"""Generation: solved grids, digging, transformations, and recipes that specify a puzzle."""

from ..errors import OutOfTime
from .dig import Order
from .exercises import exercises
from .generate import generate
from .methods import LEVELS as DIG_LEVELS
from .methods import METHODS, Method, Text
from .near_misses import ALWAYS_THERE, near_misses
from .recipe import FEWEST, TO_ORDER, Puzzle, Recipe, suits
from .solved_grids import LAS_VEGAS_CELLS, MOST_CELLS, SOLVED_GRIDS
from .symmetry import ANY, Symmetry
from .to_order import Nearest
from .vary import Varied, vary

__all__ = [
    "ALWAYS_THERE",
    "ANY",
    "DIG_LEVELS",
    "FEWEST",
    "LAS_VEGAS_CELLS",
    "METHODS",
    "MOST_CELLS",
    "SOLVED_GRIDS",
    "TO_ORDER",
    "Method",
    "Nearest",
    "Order",
    "OutOfTime",
    "Puzzle",
    "Recipe",
    "Symmetry",
    "Text",
    "Varied",
    "exercises",
    "generate",
    "near_misses",
    "suits",
    "vary",
]
