"""The engine's front door: `__all__` is the contract. No web, no database."""

from engine.errors import EngineError, PuzzleFormatError, RecipeError
from engine.formats import parse
from engine.grid import Fault, Grid
from engine.logic import GaveUp, Path, all_steps, find, next_step, solve_path
from engine.position import Position
from engine.search import MOST_NODES, SEARCHERS, Searcher, SearchResult
from engine.search.bitboard import solution, solution_count, solve_many
from engine.step import Step
from engine.techniques import TECHNIQUES
from engine.transformation import Transformation
from engine.verdict import Verdict, verdict

__all__ = [
    "MOST_NODES",
    "SEARCHERS",
    "TECHNIQUES",
    "EngineError",
    "Fault",
    "GaveUp",
    "Grid",
    "Path",
    "Position",
    "PuzzleFormatError",
    "RecipeError",
    "SearchResult",
    "Searcher",
    "Step",
    "Transformation",
    "Verdict",
    "all_steps",
    "find",
    "next_step",
    "parse",
    "solution",
    "solution_count",
    "solve_many",
    "solve_path",
    "verdict",
]
