"""Grids that would give away a daily that is open or yet to come. Whatever judges or solves a grid asks here.

So would a grid give away a game, to the player who is still playing it without help: a race, say.

What is equivalent to a daily counts as the daily, and so does what is made from it: with givens added or
taken away, with some of them wrong, with the candidates that they leave.

One disguise is not seen through: rows, columns or bands in another order together with two wrong givens or
more. Nearly all such grids have no solution, and then there is nothing to show of them. One that has a single
solution is another puzzle, whose steps are not the daily's.
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
from engine.formats.marks import shown
from engine.search.bitboard import within
from webapp.competition.daily.dailies import today
from webapp.identity import costs
from webapp.models import Attempt, Daily, Puzzle
from webapp.models.daily import WINDOW
from webapp.process.database import db
from webapp.process.errors import BadStart
from webapp.process.words import gettext as _

MOST_CHANCE: Final = 8  # givens that agree with a solution by chance once in 40 million grids
MOST_SOLUTIONS: Final = 200  # of a grid that are compared with a daily's by their class
MOST_GIVENS: Final = 0.75  # a grid with this share of a daily's givens counts as the daily
MOST_NODES: Final = 20_000  # of a search for solutions: some milliseconds
MOST_GAMES: Final = 50  # unfinished games that a position is compared with, the last ones played

_CELLS: Final = np.arange(81).reshape(9, 9)
_TURNED: Final = [
    np.ascontiguousarray(np.flip(cells, axes)).reshape(81)
    for cells, axes in product((_CELLS, _CELLS.T), ((), (0,), (1,), (0, 1)))
]


def refuse_open_daily(grid: engine.Grid, now: datetime) -> None:
    """Raise BadStart for a grid that is an open daily, or one yet to come."""
    if is_open_daily(grid, now):
        raise BadStart(
            _("This puzzle is equivalent to a daily whose leaderboard is still open. Play it as the daily.")
        )


def refuse_own_game(grid: engine.Grid, player_id: int | None) -> None:
    """Raise BadStart for a grid that was made from a game that this player plays without help."""
    if own_game(grid, player_id) is not None:
        raise BadStart(still_playing())


def still_playing() -> str:
    """Why a position of one's own game is not looked at."""
    return _("You’re still playing this puzzle. Finish it or use a hint there first.")


def own_game(
    grid: engine.Grid,
    player_id: int | None,
    candidates: Sequence[int] | None = None,
    *,
    in_turns: bool = False,
) -> str | None:
    """The id of a game that this player plays without help, which a position was made from.

    in_turns: only games in a turn of one's own are meant, races and ranked dailies. Anything else may be
    entered and played as a game of its own, which is nobody's loss.
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
    games = list(db.session.scalars(playing.where(Attempt.turn.is_not(None)) if in_turns else playing))
    if not is_made_from([game.givens for game in games], grid, candidates):
        return None
    return next(game.id for game in games if is_made_from([game.givens], grid, candidates))


def is_open_daily(grid: engine.Grid, now: datetime, candidates: Sequence[int] | None = None) -> bool:
    """Whether a position is, or was made from, a daily that is open or yet to come, however it is turned."""
    return is_made_from(_not_over(now), grid, candidates, turned=lambda: _own_turns(now))


def is_made_from(
    puzzles: Sequence[str],
    grid: engine.Grid,
    candidates: Sequence[int] | None = None,
    turned: Callable[[], Sequence[str]] | None = None,
) -> bool:
    """Whether a position is, or was made from, one of these puzzles, however it is turned.

    puzzles: lines of givens. candidates: 81 masks of a position, 0 where a digit stands; None for all that
    the digits leave. turned: some of the puzzles in other turns, which whoever asks has seen.
    Solutions are compared by their class, so that any givens of a puzzle that suffice to solve it are
    recognized, and the candidates they leave. Up to MOST_SOLUTIONS are; a grid with more says little about
    any of them and is compared as it lies, unless it has fewer than MOST_CHANCE givens. A grid without a
    solution is recognized without any one of its digits, and whatever stands on it by MOST_GIVENS of the
    puzzle's givens, turned, mirrored and relabeled.
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
    """The givens of all dailies that are open or yet to come, by the index of their dates."""
    not_over = sa.select(Puzzle.givens).join(Daily).where(Daily.date > today(now - WINDOW))
    return list(db.session.scalars(not_over))


def _own_turns(now: datetime) -> list[str]:
    """The givens of such dailies as the player who asks has them, in turns of their own."""
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
    """Up to MOST_SOLUTIONS + 1 of a position; where its candidates leave none, those of its digits."""
    if candidates is None and grid.givens < MOST_CHANCE:
        return [grid] * (MOST_SOLUTIONS + 1)  # so many that none is looked at
    found = within(shown(grid, candidates), MOST_SOLUTIONS + 1, MOST_NODES)
    if found.exceeded:
        return [grid] * (MOST_SOLUTIONS + 1)
    if not found.solutions and candidates is not None:
        return _solutions(grid, None)
    return found.solutions


def _without_one(grid: engine.Grid) -> Iterator[engine.Grid]:
    """The only solutions of a grid without one of its digits."""
    rows = np.repeat(grid.array()[None], grid.givens, axis=0)
    for row, cell in enumerate(np.flatnonzero(grid.array())):
        rows[row, cell] = 0
    solutions, counts = engine.solve_many(rows)
    return (engine.Grid(row.tobytes()) for row in np.unique(solutions[counts == 1], axis=0))


def _fits(grid: engine.Grid, solution: engine.Grid) -> bool:
    return all(digit in (0, right) for digit, right in zip(grid.digits, solution.digits, strict=True))


def _held_in(grid: engine.Grid, puzzles: Sequence[str]) -> bool:
    """Whether a grid contains most givens of one of these puzzles, turned, mirrored and relabeled."""
    turned = _spots(np.stack([grid.array()[cells] for cells in _TURNED]))
    givens = _spots(np.stack([engine.parse(each).array() for each in puzzles]))
    least = MOST_GIVENS * givens.sum(axis=(1, 2))
    # [puzzle, turn, digit of the puzzle, digit of the grid]: in how many cells they meet.
    together = np.tensordot(givens, turned, axes=(1, 1)).transpose(0, 2, 1, 3)
    perhaps = together.max(axis=3).sum(axis=2) > least[:, None]
    return any(_agreed(together[puzzle, turn]) > least[puzzle] for puzzle, turn in np.argwhere(perhaps))


def _spots(digits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """int64[n, 81, 9] of uint8[n, 81]: 1 where a cell holds a digit."""
    held: NDArray[np.bool_] = digits[:, :, None] == np.arange(1, 10)
    return held.astype(np.int64)


def _agreed(together: NDArray[np.int64]) -> int:
    """How many cells agree where each digit has one name, the most frequent first."""
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
