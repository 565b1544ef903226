"""BASICS: the four short lessons before the first technique, each with one question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import engine
from engine.drawing import CONSEQUENCE, PATTERN, THIRD, Overlay, cell_frame, house_frame, ring
from engine.geometry import PEERS, cell_name
from webapp.game.cells import CellView, position_view
from webapp.learn.lessons.pictures import drawn
from webapp.process.words import LazyText
from webapp.process.words import lazy_gettext as _

GIVENS: Final = "5.147..2..74.5631.6.83..54.86.9.3....92..5.7..1...7983..3.91..57.6.3...2..95..734"
"""The board that all four show."""


@dataclass(frozen=True, slots=True)
class Basic:
    """A short lesson: its words, a board, and a question. Its reader taps a cell or chooses a digit."""

    name: LazyText
    what: LazyText
    body: tuple[LazyText, ...]
    question: LazyText
    right: frozenset[str]  # the cells or the digit, such as r4c7
    because: LazyText
    overlay: Overlay
    picture: str
    notes: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # cell 0..80 -> its center marks
    candidates: bool = False  # whether every cell shows them
    choices: tuple[str, ...] = ()  # digits to choose from; empty: the reader taps a cell

    @property
    def cells(self) -> list[CellView]:
        """The board beside the words."""
        position = engine.Position.from_grid(engine.parse(GIVENS))
        found = [position_view(GIVENS, position, cell) for cell in range(81)]
        if self.candidates:
            return found
        return [replace(cell, candidates=(), centre=self.notes.get(cell.cell, ())) for cell in found]


BASICS: Final = {
    "words": Basic(
        _("The words we use"),
        _("House, sees, candidate and r4c7: with these you can read every lesson and hint."),
        (
            _("r4c7 is the cell in row 4, column 7. Rows count from the top, columns from the left."),
            _(
                "A house is a row, a column or a box. It takes each digit once. "
                "Boxes count like words on a page: box 1 is at the top left, box 9 at the bottom right."
            ),
            _("Two cells see each other if they share a house. Then they can’t hold the same digit."),
            _("A candidate is a digit that a cell can still take."),
        ),
        _("Tap an empty cell that sees r4c7."),
        frozenset(cell_name(cell) for cell in PEERS[33]),
        _("Yes. That cell shares a house with r4c7."),
        Overlay(
            houses=tuple(house_frame(house, PATTERN) for house in (3, 15, 23)),
            cells=(cell_frame(33, CONSEQUENCE),),  # r4c7
        ),
        drawn([3, 15, 23], [33]),
    ),
    "scanning": Basic(
        _("Scanning"),
        _("Pick a digit and see where it still fits. Most cells of a puzzle fall to this alone."),
        (
            _("The middle box at the top, box 2, still needs a 1. Four of its cells are empty."),
            _(
                "A digit blocks its whole row and column. "
                "Follow the 1 in row 2 and the 1 in column 6 into the box. What do they leave?"
            ),
        ),
        _("Where does 1 go in box 2? Tap the cell."),
        frozenset({"r3c5"}),
        _("Yes. Row 2 and column 6 already have a 1, so only r3c5 is left."),
        Overlay(
            houses=(house_frame(19, PATTERN),), cells=(cell_frame(16, THIRD), cell_frame(59, THIRD))
        ),  # r2c8, r7c6
        drawn([19], [16, 59], placed=[22]),
    ),
    "notes": Basic(
        _("Notes"),
        _("Write down what a cell can still be. Each new digit then crosses something out."),
        (
            _(
                "Corner marks say where in a box a digit can go. Center marks list all that a cell can be. "
                "Auto candidates write every note for you."
            ),
            _("When you place a digit, it leaves the notes of every cell that sees it."),
        ),
        _("You place 9 in r2c1. Which digit is left for r3c2?"),
        frozenset({"2"}),
        _("Yes. Both cells are in box 1, so the 9 is gone and 2 is left."),
        Overlay(cells=(cell_frame(9, PATTERN), cell_frame(19, CONSEQUENCE))),  # r2c1, r3c2
        drawn([18], [9, 19]),
        {9: (2, 9), 19: (2, 9)},
        choices=("2", "3", "9"),
    ),
    "hints": Basic(
        _("How to read a hint"),
        _("First it says where to look, then the technique, then the reason. Stop as soon as you see it."),
        (
            _("Green is the pattern, the reason for the step. Whatever is crossed out in amber can go."),
            _(
                "Here column 7 has two cells that can only be 6 or 8. They take both digits, "
                "so no other cell of the column can have them."
            ),
            _("Tap a name such as r8c7 in a hint, and the cell lights up."),
        ),
        _("Which cell loses a candidate in this hint? Tap it."),
        frozenset({"r5c7", "r8c7"}),
        _("Yes. The two green cells keep their candidates. r5c7 loses its 6, and r8c7 its 8."),
        Overlay(
            houses=(house_frame(15, PATTERN),),
            cells=(cell_frame(6, PATTERN), cell_frame(60, PATTERN)),  # r1c7, r7c7
            rings=tuple(ring(cell, digit, PATTERN) for cell in (6, 60) for digit in (6, 8)),
            removed=(ring(42, 6, CONSEQUENCE), ring(69, 8, CONSEQUENCE)),  # r5c7, r8c7
        ),
        drawn([15], [6, 60], gone=[42, 69]),
        candidates=True,
    ),
}
