"""Sixty puzzles for made-up players, twelve a level, made by the engine from seeds, and their paths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import engine
from engine.techniques import TECHNIQUES

LEVELS = (1, 2, 3, 4, 5)
EACH = 12
FIRST_SEED = 1900


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle, its solution and what its rating says: all that a generator may know."""

    level: int
    givens: str  # 81 characters, "." for an empty cell
    solution: str
    expected_seconds: float
    turned: tuple[Puzzle, engine.Transformation] | None = None  # the puzzle this is an image of, and how

    @property
    def empty(self) -> list[int]:
        return [cell for cell in range(81) if self.givens[cell] == "."]


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the engine's path."""

    tier: int  # 1..5: how hard a person finds it
    placements: tuple[tuple[int, int], ...]  # (cell, digit)
    eliminations: tuple[tuple[int, int], ...]
    cells: tuple[int, ...]  # where its pattern is


def of(grid: engine.Grid) -> Puzzle:
    """A puzzle with one solution and an expected time."""
    rating, solved = engine.rate(grid), engine.solution(grid)
    assert solved is not None and rating.level is not None and rating.expected_seconds is not None
    return Puzzle(rating.level, str(grid).replace("0", "."), str(solved), rating.expected_seconds)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """The sixty, in the order of their levels; half a second of processor time."""
    return tuple(
        of(engine.generate(engine.Recipe(level=level), FIRST_SEED + index).grid)
        for level in LEVELS
        for index in range(EACH)
    )


def image(puzzle: Puzzle, turn: engine.Transformation) -> Puzzle:
    """The puzzle turned and relabeled: as hard as before."""
    givens, solution = (turn.apply(engine.parse(text)) for text in (puzzle.givens, puzzle.solution))
    return Puzzle(
        puzzle.level, str(givens).replace("0", "."), str(solution), puzzle.expected_seconds, (puzzle, turn)
    )


@lru_cache(maxsize=1000)
def path(puzzle: Puzzle) -> tuple[Stage, ...]:
    """The engine's path, which a player follows where no single is left to see."""
    if puzzle.turned is not None:
        return _turned_path(*puzzle.turned)
    return tuple(
        Stage(
            TECHNIQUES[step.technique].tier_of(step.variant),
            tuple(sorted(step.placements)),
            tuple(sorted(step.eliminations)),
            tuple(sorted({cell.cell for cell in step.cells})),
        )
        for step in engine.solve_path(engine.parse(puzzle.givens)).steps
    )


def _turned_path(puzzle: Puzzle, turn: engine.Transformation) -> tuple[Stage, ...]:
    to = [turn.target(cell) for cell in range(81)]

    def moved(pairs: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        return tuple((to[cell], turn.digits[digit - 1]) for cell, digit in pairs)

    return tuple(
        Stage(
            stage.tier,
            moved(stage.placements),
            moved(stage.eliminations),
            tuple(to[cell] for cell in stage.cells),
        )
        for stage in path(puzzle)
    )
