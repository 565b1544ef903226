"""Puzzles entered by players: parse the text, check the puzzle, rate it. Stores nothing.

Reveals nothing about an open daily, nor about a game that the same player plays without help, whatever
digits were added: that would check them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

import engine
from engine import formats
from engine.geometry import cell_name
from webapp.bank import ratings
from webapp.competition.daily import kept
from webapp.identity import costs
from webapp.process.words import format_decimal, ngettext, reason_of
from webapp.process.words import gettext as _
from webapp.web.i18n.lists import listed

FEWEST = 17  # givens of a puzzle with one solution: McGuire, Tugemann, Civario 2012
MOST_COUNTED = 1000  # solutions counted before we say "more than"
LARGEST_FILE = 64 * 1024  # bytes
AROUND = 16 * 1024  # bytes of a form besides the file


@dataclass(frozen=True, slots=True)
class Judgment:
    """The result of checking a text."""

    grid: engine.Grid | None  # None if the text is not a grid
    reason: str  # why it cannot be played; empty if it can
    faults: tuple[engine.Fault, ...] = ()
    solutions: int = 0  # counted up to one more than requested
    open_daily: bool = False  # whether it is one, and so has not been judged
    in_play: bool = False  # whether it is of their own game, and so has not been judged

    @property
    def playable(self) -> bool:
        """Whether it is a puzzle: one solution, something left to do."""
        return not self.reason

    @property
    def broken_cells(self) -> tuple[int, ...]:
        """The cells whose digits appear twice in a house, ascending."""
        return tuple(sorted({cell for fault in self.faults for cell in fault.cells}))


def judge(text: str, player_id: int | None, now: datetime) -> Judgment:
    """Read a puzzle in any format the engine knows and say whether this player can play it."""
    try:
        grid = engine.parse(text)
    except engine.PuzzleFormatError as error:
        return Judgment(None, _("Couldn’t read this: %(reason)s", reason=reason_of(error)))
    return _judged(grid, player_id, now)


def judge_file(content: bytes, player_id: int | None, now: datetime) -> Judgment:
    """The same of the first puzzle of a file; what comes after it is not looked at."""
    if len(content) > LARGEST_FILE:
        return Judgment(
            None, _("This file is over %(most)s KiB. Choose a smaller one.", most=LARGEST_FILE >> 10)
        )
    first = next(formats.read(BytesIO(content)), None)
    if isinstance(first, formats.Entry):
        return _judged(first.givens, player_id, now)
    # As a whole it may be one of the layouts that no file has more than one of.
    judged = judge(content.decode("utf-8", "replace"), player_id, now)
    if judged.grid is None and first is not None:
        return Judgment(None, _("This file has no puzzle: %(reason)s", reason=reason_of(first)))
    return judged


def _judged(grid: engine.Grid, player_id: int | None, now: datetime) -> Judgment:
    if not ratings.knows(grid):  # what is asked again while it is being rated has been paid for
        costs.demand(costs.GRIDS)
    if kept.is_open_daily(grid, now):
        reason = _("The leaderboard for this puzzle is still open. Play it as the daily.")
        return Judgment(grid, reason, open_daily=True)
    if kept.own_game(grid, player_id, in_turns=True) is not None:
        return Judgment(grid, kept.still_playing(), in_play=True)
    return judge_grid(grid)


def judge_grid(grid: engine.Grid, most: int = MOST_COUNTED) -> Judgment:
    """Whether a grid can be played; solutions are counted up to `most` + 1."""
    faults = tuple(grid.faults())
    if faults:
        reason = _(
            "This breaks the rules, so it has no solution: %(digit)s appears in %(cells)s.",
            digit=faults[0].digit,
            cells=listed([cell_name(cell) for cell in faults[0].cells]),
        )
        return Judgment(grid, reason, faults)
    if grid.full:
        return Judgment(grid, _("This board is already full, so there’s nothing to solve."), solutions=1)
    if grid.givens < FEWEST:
        reason = ngettext(
            "This has %(num)s given. A puzzle needs at least %(fewest)s.",
            "This has %(num)s givens. A puzzle needs at least %(fewest)s.",
            grid.givens,
            fewest=FEWEST,
        )
        return Judgment(grid, reason)
    count = engine.solution_count(grid, most + 1)
    if count == 0:
        return Judgment(grid, _("This puzzle has no solution."))
    if count > 1:
        how_many = _("more than %(most)s", most=format_decimal(most)) if count > most else str(count)
        reason = _("This puzzle has more than one solution. We found %(count)s.", count=how_many)
        return Judgment(grid, reason, solutions=count)
    return Judgment(grid, "", solutions=1)
