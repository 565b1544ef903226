"""The engine's public interface: `__all__` is the contract. No web, no database."""

from .canonical import Canonical, canonical_form, canonical_forms, canonical_key
from .drawing import draw
from .errors import (
    ArgumentError,
    BoundError,
    EngineError,
    NearestPuzzle,
    NotUniqueError,
    OutOfTime,
    PuzzleFormatError,
    RecipeError,
    UnknownKeyError,
)
from .formats import FORMATS, Entry
from .generation.generate import generate
from .generation.recipe import Puzzle, Recipe
from .given import parse
from .grid import Fault, Grid
from .position import Position
from .rating.many import rate_many
from .rating.rating import Rating, rate
from .search import MOST_NODES, SEARCHERS, Searcher, SearchResult
from .search.bitboard import solution, solution_count, solve_many
from .search.bitboard import solution as solve
from .steps.branches import Link
from .steps.choice import choices
from .steps.logic import GaveUp, Path, all_steps, find, next_step, solve_path
from .steps.step import Step
from .steps.wording import eureka, sentence
from .techniques import TECHNIQUES, HouseRole, Role
from .text import parse_position, read_many, write
from .transformation import Transformation
from .uniqueness import is_minimal, verdict
from .verdicts import Verdict
from .version import __version__

__all__ = [
    "FORMATS",
    "MOST_NODES",
    "SEARCHERS",
    "TECHNIQUES",
    "ArgumentError",
    "BoundError",
    "Canonical",
    "EngineError",
    "Entry",
    "Fault",
    "GaveUp",
    "Grid",
    "HouseRole",
    "Link",
    "NearestPuzzle",
    "NotUniqueError",
    "OutOfTime",
    "Path",
    "Position",
    "Puzzle",
    "PuzzleFormatError",
    "Rating",
    "Recipe",
    "RecipeError",
    "Role",
    "SearchResult",
    "Searcher",
    "Step",
    "Transformation",
    "UnknownKeyError",
    "Verdict",
    "__version__",
    "all_steps",
    "canonical_form",
    "canonical_forms",
    "canonical_key",
    "choices",
    "draw",
    "eureka",
    "find",
    "generate",
    "is_minimal",
    "next_step",
    "parse",
    "parse_position",
    "rate",
    "rate_many",
    "read_many",
    "sentence",
    "solution",
    "solution_count",
    "solve",
    "solve_many",
    "solve_path",
    "verdict",
    "write",
]
