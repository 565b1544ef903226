"""Recognize grids that would reveal an open or future daily. Whatever rates or solves a grid checks here
first.

A grid may also reveal a game to the player who is still playing it without help: a race, say.

An equivalent of a daily counts as the daily, and so does a grid derived from it: with givens added or
removed, with some of them wrong, with the candidates that they leave.

One disguise isn't recognized: rows, columns or bands in another order combined with two or more wrong givens.
Nearly all such grids have no solution, so there is nothing to show. One with a single solution is another
puzzle, whose steps aren't the daily's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.orm import joinedload

import engine
from engine.formats import shown_marks as shown
from engine.search import within
from webapp.competition.daily.dailies import today
from webapp.identity import costs
from webapp.models import Attempt, Daily, Puzzle
from webapp.models.daily import WINDOW
from webapp.process.database import db
from webapp.process.errors import BadStart
from webapp.process.words import gettext as _

MOST_CHANCE: Final = 8  # givens that match a solution by chance once in 40 million grids
MOST_SOLUTIONS: Final = 200  # of a grid, compared with a daily's by class
MOST_GIVENS: Final = 0.75  # a grid with this share of a daily's givens counts as the daily
MOST_NODES: Final = 20_000  # limit of a search for solutions: some milliseconds
MOST_GAMES: Final = 50  # unfinished games that a position is compared with, the latest first

_CELLS: Final = np.arange(81).reshape(9, 9)
_ROTATIONS: Final = [
    np.ascontiguousarray(np.flip(cells, axes)).reshape(81)
    for cells, axes in product((_CELLS, _CELLS.T), ((), (0,), (1,), (0, 1)))
]


def refuse_open_daily(grid: engine.Grid, now: datetime) -> None:
    """Raise BadStart for a grid that is an open or future daily."""
    if is_open_daily(grid, now):
        raise BadStart(
            _("This puzzle is equivalent to a daily whose leaderboard is still open. Play it as the daily.")
        )


def refuse_own_game(grid: engine.Grid, player_id: int | None) -> None:
    """Raise BadStart for a grid derived from a game that this player is playing without help."""
    if own_game(grid, player_id) is not None:
        raise BadStart(still_playing())


def still_playing() -> str:
    """Return the reason why a position of one's own game is refused."""
    return _("You’re still playing this puzzle. Finish it or use a hint there first.")


def own_game(
    grid: engine.Grid,
    player_id: int | None,
    candidates: Sequence[int] | None = None,
    *,
    transformed: bool = False,
) -> str | None:
    """Return the id of the game, played without help, that a position was derived from.

    transformed: only consider games on a transformed puzzle: races and ranked dailies. Any other puzzle may
    be entered and played as a separate game, which harms nobody.
    """
    if player_id is None:
        return None
    playing = (
        sa.select(Attempt)
        .options(joinedload(Attempt.puzzle, innerjoin=True))
        .where(Attempt.player_id == player_id, Attempt.finished_at.is_(None), Attempt.assisted.is_(False))
        .order_by(Attempt.updated_at.desc())
        .limit(MOST_GAMES)
    )
    games = list(db.session.scalars(playing.where(Attempt.turn.is_not(None)) if transformed else playing))
    if not is_made_from([game.givens for game in games], grid, candidates):
        return None
    return next(game.id for game in games if is_made_from([game.givens], grid, candidates))


def is_open_daily(grid: engine.Grid, now: datetime, candidates: Sequence[int] | None = None) -> bool:
    """Whether a position is, or was derived from, an open or future daily, however transformed."""
    return is_made_from(_not_over(now), grid, candidates, turned=lambda: _transformed_dailies(now))


def is_made_from(
    puzzles: Sequence[str],
    grid: engine.Grid,
    candidates: Sequence[int] | None = None,
    turned: Callable[[], Sequence[str]] | None = None,
) -> bool:
    """Whether a position is, or was derived from, one of these puzzles, however transformed.

    puzzles: lines of givens. candidates: 81 masks of a position, 0 for a cell with a digit; None for all that
    the digits leave. turned: some of the puzzles as transformed for the player. Solutions are compared by
    class, which recognizes any givens of a puzzle that suffice to solve it, and the candidates they leave. At
    most MOST_SOLUTIONS are compared; a grid with more says little about any of them, so its givens are
    compared as they are, unless it has fewer than MOST_CHANCE. A grid without a solution is tried without
    each one of its digits. Any grid that contains MOST_GIVENS of a puzzle's givens, rotated, reflected and
    relabeled, is recognized too.
    """
    if not puzzles:
        return False
    if _held_in(grid, puzzles):
        return True
    classes = {_solution_class(givens) for givens in puzzles}
    solutions = _solutions(grid, candidates)
    if 0 < len(solutions) <= MOST_SOLUTIONS:
        return any(engine.canonical_form(solution) in classes for solution in solutions)
    seen = turned() if turned is not None else ()
    if seen and _held_in(grid, seen):
        return True
    if not solutions:
        return any(engine.canonical_form(found) in classes for found in _without_one(grid))
    return grid.givens >= MOST_CHANCE and any(_fits(grid, _solution(givens)) for givens in (*puzzles, *seen))


def _not_over(now: datetime) -> list[str]:
    """Return the givens of all open and future dailies, by the index of their dates.

    Includes those of withdrawn puzzles, which an undo would rank again.
    """
    not_over = sa.select(Daily.puzzle_id, Daily.former_id).where(Daily.date > today(now - WINDOW))
    numbers = {number for pair in db.session.execute(not_over) for number in pair if number is not None}
    return list(db.session.scalars(sa.select(Puzzle.givens).where(Puzzle.id.in_(numbers))))


def _transformed_dailies(now: datetime) -> list[str]:
    """Return the givens of such dailies as transformed for the current player."""
    asking = costs.payer()
    if asking is None or asking.player_id is None:
        return []
    own = (
        sa.select(Attempt.turn, Puzzle.givens)
        .join(Attempt.puzzle)
        .join(Daily, Daily.puzzle_id == Puzzle.id)
        .where(
            Attempt.player_id == asking.player_id,
            Attempt.turn.is_not(None),
            Daily.date > today(now - WINDOW),
        )
    )
    rows = db.session.execute(own).all()
    return [str(turn.apply(engine.parse(givens))) for turn, givens in rows if turn is not None]


def _solutions(grid: engine.Grid, candidates: Sequence[int] | None) -> list[engine.Grid]:
    """Return up to MOST_SOLUTIONS + 1 of a position; if its candidates leave none, those of its digits."""
    if candidates is None and grid.givens < MOST_CHANCE:
        return [grid] * (MOST_SOLUTIONS + 1)  # too many to look at any
    found = within(shown(grid, candidates), MOST_SOLUTIONS + 1, MOST_NODES)
    if found.exceeded:
        return [grid] * (MOST_SOLUTIONS + 1)
    if not found.solutions and candidates is not None:
        return _solutions(grid, None)
    return found.solutions


def _without_one(grid: engine.Grid) -> Iterator[engine.Grid]:
    """Return the unique solutions of a grid after removing one digit."""
    rows = np.repeat(grid.array()[None], grid.givens, axis=0)
    for row, cell in enumerate(np.flatnonzero(grid.array())):
        rows[row, cell] = 0
    solutions, counts = engine.solve_many(rows)
    return (engine.Grid(row.tobytes()) for row in np.unique(solutions[counts == 1], axis=0))


def _fits(grid: engine.Grid, solution: engine.Grid) -> bool:
    return all(digit in (0, right) for digit, right in zip(grid.digits, solution.digits, strict=True))


def _held_in(grid: engine.Grid, puzzles: Sequence[str]) -> bool:
    """Whether a grid contains most givens of one of these puzzles, rotated, reflected and relabeled."""
    turned = _spots(np.stack([grid.array()[cells] for cells in _ROTATIONS]))
    givens = _spots(np.stack([engine.parse(each).array() for each in puzzles]))
    least = MOST_GIVENS * givens.sum(axis=(1, 2))
    # [puzzle, rotation or reflection, digit of the puzzle, digit of the grid]: the number of shared cells.
    together = np.tensordot(givens, turned, axes=(1, 1)).transpose(0, 2, 1, 3)
    perhaps = together.max(axis=3).sum(axis=2) > least[:, None]
    return any(_agreed(together[puzzle, turn]) > least[puzzle] for puzzle, turn in np.argwhere(perhaps))


def _spots(digits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """int64[n, 81, 9] of uint8[n, 81]: 1 where a cell holds a digit."""
    held: NDArray[np.bool_] = digits[:, :, None] == np.arange(1, 10)
    return held.astype(np.int64)


def _agreed(together: NDArray[np.int64]) -> int:
    """Count the matching cells if each digit is relabeled to the one it meets most, most frequent first."""
    agreed, left = 0, together.copy()
    while (most := int(left.max())) > 0:
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        agreed += most
        left[row, :] = left[:, column] = 0
    return agreed


@lru_cache(maxsize=1024)
def _solution(givens: str) -> engine.Grid:
    solution = engine.solution(engine.parse(givens))
    assert solution is not None, "a puzzle has one solution"
    return solution


@lru_cache(maxsize=1024)
def _solution_class(givens: str) -> engine.Grid:
    return engine.canonical_form(_solution(givens))
