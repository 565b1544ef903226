"""The engine's public interface: `__all__` is the contract. No web, no database.

Each name imports its module on first use, so that parsing, writing and drawing don't load the solvers.
"""

from importlib import import_module
from typing import Any, Final

from .errors import missing
from .grid import Grid, Pictured

# The names of each module; `__init__.pyi` declares their types.
_NAMES: Final = {
    "canonical": "Canonical canonical_form canonical_forms canonical_key",
    "drawing": "draw",
    "errors": "ArgumentError BoundError EngineError NearestPuzzle NotUniqueError OutOfTime "
    "PuzzleFormatError RecipeError UnknownKeyError",
    "formats": "FORMATS Entry",
    "generation.generate": "generate",
    "generation.recipe": "Puzzle Recipe",
    "given": "parse",
    "grid": "Fault Grid",
    "position": "Position",
    "rating.many": "rate_many",
    "rating.rating": "Rating rate",
    "search": "MOST_NODES SEARCHERS Searcher SearchResult",
    "search.bitboard": "solution solution_count solve_many",
    "steps.branches": "Link",
    "steps.choice": "choices",
    "steps.logic": "GaveUp Path all_steps find next_step solve_path",
    "steps.step": "Step",
    "steps.wording": "eureka sentence",
    "techniques": "TECHNIQUES HouseRole Role",
    "text": "parse_position read_many write",
    "transformation": "Transformation",
    "uniqueness": "is_minimal verdict",
    "verdicts": "Verdict",
    "version": "__version__",
}
_HOMES: Final = {
    name: (f"{__name__}.{module}", name) for module, names in _NAMES.items() for name in names.split()
}
_HOMES["solve"] = _HOMES["solution"]
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _HOMES[name]
    try:
        found = globals()[name] = getattr(import_module(module), there)
    except ModuleNotFoundError as error:
        raise missing(error) from None
    return found


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]


def _drawn(shown: Any) -> str:
    from .drawing import draw

    return draw(shown)


def _read(argument: str, puzzle: object) -> Grid:
    from .given import grid_of

    return grid_of(argument, puzzle)


Pictured.drawn_by = _drawn
Grid.read_by = _read
