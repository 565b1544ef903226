"""Puzzles entered by players: parse the text, check the puzzle, rate it. Stores nothing.

Reveals nothing about an open daily, nor about a game that the same player plays without help, even with added
digits: that would check them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

import engine
from engine import formats
from engine.geometry import cell_name
from webapp.bank import ratings
from webapp.competition.daily import secrecy
from webapp.identity import costs, limits
from webapp.process.words import format_decimal, ngettext, unread
from webapp.process.words import gettext as _
from webapp.web.i18n.lists import listed

FEWEST = 17  # givens of a puzzle with one solution: McGuire, Tugemann, Civario 2012
MOST_COUNTED = 1000  # solutions counted before we say "more than"
LARGEST_FILE = 64 * 1024  # bytes
AROUND = 16 * 1024  # bytes of a form besides the file


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a text."""

    grid: engine.Grid | None  # None if the text is not a grid
    reason: str  # why it can't be played; empty if it can
    faults: tuple[engine.Fault, ...] = ()
    open_daily: bool = False  # whether it is an open daily, and so was not checked
    in_play: bool = False  # whether it is from their own game, and so was not checked

    @property
    def playable(self) -> bool:
        """Whether it is a puzzle: one solution, something left to do."""
        return not self.reason

    @property
    def broken_cells(self) -> tuple[int, ...]:
        """The cells whose digits appear twice in a house, ascending."""
        return tuple(sorted({cell for fault in self.faults for cell in fault.cells}))


def check(text: str, player_id: int | None, now: datetime) -> Checked:
    """Read a puzzle in any format the engine knows and say whether this player can play it."""
    try:
        grid = engine.parse(text)
    except engine.PuzzleFormatError as error:
        return Checked(None, unread(error))
    return _checked(grid, player_id, now)


def check_file(content: bytes, player_id: int | None, now: datetime) -> Checked:
    """Check the first puzzle of a file, ignoring the rest."""
    if len(content) > LARGEST_FILE:
        return Checked(
            None, _("This file is over %(most)s KiB. Choose a smaller one.", most=LARGEST_FILE >> 10)
        )
    first = next(formats.read(BytesIO(content)), None)
    if isinstance(first, formats.Entry):
        return _checked(first.givens, player_id, now)
    # The whole file may be one grid in a multi-line layout.
    try:
        checked = check(formats.text_of(content), player_id, now)
    except engine.PuzzleFormatError as error:
        checked = Checked(None, unread(error))
    if checked.grid is None and first is not None:
        return Checked(None, unread(first))
    return checked


def _checked(grid: engine.Grid, player_id: int | None, now: datetime) -> Checked:
    if not ratings.knows(grid):  # a grid being rated has been paid for
        costs.demand(limits.WORK)
    if secrecy.is_open_daily(grid, now):
        reason = _("The leaderboard for this puzzle is still open. Play it as the daily.")
        return Checked(grid, reason, open_daily=True)
    if secrecy.own_game(grid, player_id, races=True) is not None:
        return Checked(grid, secrecy.still_playing(), in_play=True)
    return check_grid(grid)


def check_grid(grid: engine.Grid, most: int = MOST_COUNTED) -> Checked:
    """Return whether a grid can be played; counts up to `most` + 1 solutions."""
    faults = tuple(grid.faults())
    if faults:
        reason = _(
            "This breaks the rules, so it has no solution: %(digit)s appears in %(cells)s.",
            digit=faults[0].digit,
            cells=listed([cell_name(cell) for cell in faults[0].cells]),
        )
        return Checked(grid, reason, faults)
    if grid.full:
        return Checked(grid, _("This board is already full, so there’s nothing to solve."))
    if grid.givens < FEWEST:
        reason = ngettext(
            "This has %(num)s given. A puzzle needs at least %(fewest)s.",
            "This has %(num)s givens. A puzzle needs at least %(fewest)s.",
            grid.givens,
            fewest=FEWEST,
        )
        return Checked(grid, reason)
    count = engine.solution_count(grid, most + 1)
    if count == 0:
        return Checked(grid, _("This puzzle has no solution."))
    if count > 1:
        how_many = _("more than %(most)s", most=format_decimal(most)) if count > most else str(count)
        reason = _("This puzzle has more than one solution. We found %(count)s.", count=how_many)
        return Checked(grid, reason)
    return Checked(grid, "")
