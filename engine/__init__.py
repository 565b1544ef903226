"""The engine's front door: `__all__` is the contract. No web, no database."""

from engine.branches import Link
from engine.canonical import Canonical, canonical_form, canonical_forms, canonical_key
from engine.choice import choices
from engine.commands.wording import sentence
from engine.drawing import draw
from engine.errors import (
    ArgumentError,
    BoundError,
    DrawingError,
    EngineError,
    NearestPuzzle,
    NotUniqueError,
    PuzzleFormatError,
    RecipeError,
)
from engine.eureka import eureka
from engine.formats import FORMATS, parse
from engine.generation.generate import generate
from engine.generation.recipe import Puzzle, Recipe
from engine.generation.sukaku import generate_sukaku
from engine.grid import Fault, Grid
from engine.logic import GaveUp, Path, all_steps, find, next_step, solve_path
from engine.minimality import is_minimal
from engine.position import Position
from engine.proof import shortened
from engine.rating.many import rate_many
from engine.rating.rating import Rating, rate
from engine.search import MOST_NODES, SEARCHERS, Searcher, SearchResult
from engine.search.bitboard import solution, solution_count, solve_many
from engine.step import Step
from engine.techniques import TECHNIQUES, HouseRole, Role
from engine.text import parse_position, write
from engine.transformation import Transformation
from engine.verdict import Verdict, verdict
from engine.version import __version__

__all__ = [
    "FORMATS",
    "MOST_NODES",
    "SEARCHERS",
    "TECHNIQUES",
    "ArgumentError",
    "BoundError",
    "Canonical",
    "DrawingError",
    "EngineError",
    "Fault",
    "GaveUp",
    "Grid",
    "HouseRole",
    "Link",
    "NearestPuzzle",
    "NotUniqueError",
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
    "generate_sukaku",
    "is_minimal",
    "next_step",
    "parse",
    "parse_position",
    "rate",
    "rate_many",
    "sentence",
    "shortened",
    "solution",
    "solution_count",
    "solve_many",
    "solve_path",
    "verdict",
    "write",
]
