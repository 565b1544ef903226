"""CellView: a cell of a player's board or of a solver's position, as templates draw it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import engine
from engine.geometry import BOX_OF, COL_OF, ROW_OF
from webapp.game.board import ALL_DIGITS, Board, in_conflict


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell as drawn; marks are digits in ascending order."""

    cell: int
    digit: int  # 0 for an empty cell
    given: bool
    conflict: bool = False
    wrong: bool = False  # whether it differs from the solution, when the player has every digit checked
    corner: tuple[int, ...] = ()
    centre: tuple[int, ...] = ()
    colours: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    candidate_colours: dict[int, tuple[int, ...]] = field(default_factory=dict)  # digit -> colors

    @property
    def marks(self) -> list[tuple[int, str, tuple[int, ...]]]:
        """Its small digits, ascending: each with the one way it is drawn and its own colors."""
        kinds = dict.fromkeys(self.candidates, "open") | dict.fromkeys(self.corner, "corner")
        kinds |= dict.fromkeys(self.struck, "struck")
        return [(digit, kind, self.candidate_colours.get(digit, ())) for digit, kind in sorted(kinds.items())]

    @property
    def crowd(self) -> str:
        """How far its center marks shrink: `full`, `many` or not at all."""
        return "full" if len(self.centre) > 6 else "many" if len(self.centre) > 4 else ""

    @property
    def place_of_tints(self) -> str:
        """The class for a corner where its colors cover no mark: none for the one at the bottom right."""
        taken = () if self.digit else (*self.corner, *self.candidates, *self.struck)
        places = {9: "", 7: " tints--left", 3: " tints--up"}
        return next(
            (place for digit, place in places.items() if digit not in taken), " tints--up tints--left"
        )

    @property
    def row(self) -> int:
        """1..9."""
        return ROW_OF[self.cell] + 1

    @property
    def col(self) -> int:
        """1..9."""
        return COL_OF[self.cell] + 1

    @property
    def box(self) -> int:
        """1..9."""
        return BOX_OF[self.cell] + 1


def cell_view(board: Board, cell: int, *, conflicts: bool = True, wrong: bool = False) -> CellView:
    """Return a cell of a player's board with all its layers."""
    layers = board.layers
    open_candidates, struck = board.candidates(cell)
    return CellView(
        cell,
        layers.digits[cell],
        board.givens[cell] != 0,
        conflict=conflicts and in_conflict(layers.digits, cell),
        wrong=wrong,
        corner=digits_of(layers.corner[cell]),
        centre=digits_of(layers.centre[cell]),
        colours=digits_of(layers.colour[cell]),
        candidates=digits_of(open_candidates),
        struck=digits_of(struck),
        candidate_colours={
            digit: digits_of(mask)
            for digit in range(1, 10)
            if (mask := layers.candidate_colour[9 * cell + digit - 1])
        },
    )


def position_view(givens: str, position: engine.Position, cell: int) -> CellView:
    """Return a cell of a solver's position: its digit, or its candidates."""
    return CellView(cell, position.grid[cell], givens[cell] != ".", candidates=position.candidates(cell))


@cache
def digits_of(mask: int) -> tuple[int, ...]:
    """Return the digits of a mask, ascending."""
    return tuple(digit for digit in range(1, 10) if mask & ALL_DIGITS & 1 << digit - 1)
