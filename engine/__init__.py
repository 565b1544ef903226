"""The engine's front door: `__all__` is the contract. No web, no database."""

from engine.errors import EngineError, PuzzleFormatError, RecipeError
from engine.formats import parse
from engine.grid import Fault, Grid
from engine.transformation import Transformation
from engine.verdict import Verdict

__all__ = [
    "EngineError",
    "Fault",
    "Grid",
    "PuzzleFormatError",
    "RecipeError",
    "Transformation",
    "Verdict",
    "parse",
]
