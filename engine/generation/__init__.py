"""Generation: solved grids, digging, transformations, and recipes that specify a puzzle."""

from ..errors import OutOfTime
from .dig import Order
from .generate import generate, generate_by
from .methods import LEVELS as DIG_LEVELS
from .methods import METHODS, Method, Text
from .recipe import FEWEST, TO_ORDER, Puzzle, Recipe, suits
from .solved_grids import LAS_VEGAS_CELLS, MOST_CELLS, SOLVED_GRIDS
from .symmetry import ANY, Symmetry
from .to_order import Nearest
from .vary import Varied, vary

__all__ = [
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
    "generate",
    "generate_by",
    "suits",
    "vary",
]
