"""Marks: a reader's eliminations and placements on a board as one line of text: `r4c7-3 r5c7-38 r1c1=5`.

The line is the one field of every form with a marking board (templates/learn/_board.html): typed by hand
without JavaScript, written by static/js/mark.js with it. A MarkingBoard is the position
as that template draws it, with these marks.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import engine
from engine.geometry import Candidate, cell_name
from webapp.game.cells import CellView, position_view
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

LONGEST = 2000  # characters in a line: more than every candidate of a board takes
_MARK = re.compile(r"r([1-9])c([1-9])(-|<>|=)([1-9]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Marks:
    """Candidates (cell 0..80, digit 1..9) that a reader places and crosses out."""

    placements: frozenset[Candidate] = frozenset()
    eliminations: frozenset[Candidate] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.placements or self.eliminations)

    def __str__(self) -> str:
        """Format the line for `read`."""
        return " ".join((*_words(self.placements, "="), *_words(self.eliminations, "-")))


NONE: Final = Marks()


def read(text: str, position: engine.Position) -> Marks:
    """Parse a line of marks on `position`; raises BadInput(marks=...) naming the first invalid one."""
    if len(text) > LONGEST:
        raise BadInput(marks=_("That’s too long. Use at most %(count)s characters.", count=LONGEST))
    found: dict[str, set[Candidate]] = {"=": set(), "-": set()}
    for word in re.split(r"[\s,;]+", text.strip()):
        if not word:
            continue
        match = _MARK.fullmatch(word)
        if match is None:
            raise BadInput(
                marks=_(
                    "We can’t read “%(word)s”. Write r4c7-3 to cross out a 3, r4c7=3 to place one.",
                    word=word[:40],
                )
            )
        row, column, sign, digits = match.groups()
        if sign == "=" and len(digits) > 1:
            raise BadInput(marks=_("“%(word)s” puts several digits in one cell.", word=word[:40]))
        cell = 9 * (int(row) - 1) + int(column) - 1
        for digit in map(int, digits):
            if position.grid[cell]:
                raise BadInput(marks=_("“%(word)s”: that cell is already filled.", word=word[:40]))
            if digit not in position.candidates(cell):
                text = _("“%(word)s”: %(digit)s isn’t a candidate there.", word=word[:40], digit=digit)
                raise BadInput(marks=text)
            found["=" if sign == "=" else "-"].add((cell, digit))
    placed, struck = found["="], found["-"]
    both = sorted(placed & struck)
    if both:
        raise BadInput(
            marks=_(
                "You both place and cross out %(digit)s in %(cell)s. Choose one.",
                digit=both[0][1],
                cell=cell_name(both[0][0]),
            )
        )
    cells = [cell for cell, _digit in sorted(placed)]
    twice = next((cell for cell in cells if cells.count(cell) > 1), None)
    if twice is not None:
        raise BadInput(marks=_("You place two digits in %(cell)s. Choose one.", cell=cell_name(twice)))
    return Marks(frozenset(placed), frozenset(struck))


def _words(candidates: Iterable[Candidate], sign: str) -> list[str]:
    digits_of: dict[int, list[int]] = defaultdict(list)
    for cell, digit in sorted(candidates):
        digits_of[cell].append(digit)
    return [f"{cell_name(cell)}{sign}{''.join(map(str, digits))}" for cell, digits in digits_of.items()]


@dataclass(frozen=True)
class MarkingBoard:
    """A board to mark or to view. Holds plain values for the template and for mark.js."""

    position: engine.Position
    marks: Marks = NONE
    typed: str | None = None  # the input, if it couldn't be parsed as marks

    @property
    def givens(self) -> str:
        """The printed digits as 81 characters."""
        return str(self.position.givens)

    @cached_property
    def candidates(self) -> str:
        """JSON of 81 bit sets: bit d is set if digit d is a candidate. 0 for a filled cell."""
        return json.dumps(
            [sum(1 << digit for digit in self.position.candidates(cell)) for cell in range(81)],
            separators=(",", ":"),
        )

    @cached_property
    def cells(self) -> list[CellView]:
        """The 81 cells: crossed-out candidates struck, placed digits in the player's ink."""
        placed, found = dict(self.marks.placements), []
        for cell in range(81):
            view = position_view(self.givens, self.position, cell)
            struck = tuple(digit for digit in view.candidates if (cell, digit) in self.marks.eliminations)
            left = tuple(digit for digit in view.candidates if digit not in struck)
            found.append(replace(view, digit=placed.get(cell) or view.digit, candidates=left, struck=struck))
        return found

    @property
    def line(self) -> str:
        """The value of the marks field."""
        return str(self.marks) if self.typed is None else self.typed
