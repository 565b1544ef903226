"""The engine's front door: `__all__` is the contract. No web, no database."""

from engine.errors import EngineError, PuzzleFormatError, RecipeError
from engine.formats import parse
from engine.grid import Fault, Grid
from engine.search import MOST_NODES, SEARCHERS, Searcher, SearchResult
from engine.search.bitboard import solution, solution_count, solve_many
from engine.transformation import Transformation
from engine.verdict import Verdict, verdict

__all__ = [
    "MOST_NODES",
    "SEARCHERS",
    "EngineError",
    "Fault",
    "Grid",
    "PuzzleFormatError",
    "RecipeError",
    "SearchResult",
    "Searcher",
    "Transformation",
    "Verdict",
    "parse",
    "solution",
    "solution_count",
    "solve_many",
    "verdict",
]
