"""State: a position on the analysis board with its colors and note, and the link that restores it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import engine
from engine.formats import FORMATS, Entry, mask_of, parse_entry
from engine.geometry import PEERS, cell_name
from webapp.process.errors import BadAddress
from webapp.process.words import gettext as _

LONGEST_TEXT: Final = 6_000  # characters of a position in an address
LONGEST_NOTE: Final = 300
COLOURS: Final = "123456789"
MOST_STRUCK: Final = 150  # struck candidates in a link; if there are more, it lists the remaining ones

MOST_COLOURED: Final = 243  # colored candidates: three in every cell

_CANDIDATE: Final = re.compile(r"[1-9]{4}", re.ASCII)  # digit, row, column, color
_CHANGE: Final = re.compile(r"(\d|[1-7]\d|80):([1-9])", re.ASCII)
_ALL: Final = 0x1FF


@dataclass(frozen=True)
class State:
    """Everything in a link of the analysis board. A page has hundreds of links, so shared parts are
    cached.
    """

    position: engine.Position
    colours: str = "." * 81  # one of nine, or '.', for each cell
    note: str = ""
    candidate_colours: frozenset[tuple[int, int, str]] = frozenset()  # cell, digit and one of nine; each once

    @property
    def givens(self) -> engine.Grid:
        """The printed digits."""
        return self.position.givens

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The candidates of each cell; 0 for a cell with a digit."""
        return tuple(mask_of(self.position.candidates(cell)) for cell in range(81))

    @cached_property
    def struck(self) -> frozenset[tuple[int, int]]:
        """(cell, digit) of removed candidates that the digits would allow."""
        full = engine.Position.from_marks([_ALL] * 81, self.position.grid, self.givens)
        return frozenset(
            (cell, digit)
            for cell in range(81)
            for digit in set(full.candidates(cell)) - set(self.position.candidates(cell))
        )

    @property
    def entry(self) -> Entry:
        """The position as formats write it."""
        grid = self.position.grid
        return Entry(
            self.givens,
            placed=None if grid == self.givens else grid,
            candidates=self.masks,
            deleted=self.struck,
        )

    @cached_property
    def text(self) -> str:
        """The position in the shortest lossless format: the link's parameter `grid`."""
        struck = self.struck
        if not struck and self.position.grid == self.givens:
            return str(self.givens)
        if len(struck) <= MOST_STRUCK:
            return FORMATS["hodoku"].write(self.entry)
        return FORMATS["sudokuwiki"].write(self.entry).rpartition("=")[2]

    @property
    def coloured_text(self) -> str:
        """The colors of candidates in a link: digit, row, column and color of each, `3157.4192`."""
        words = (
            f"{digit}{cell // 9 + 1}{cell % 9 + 1}{colour}" for cell, digit, colour in self.candidate_colours
        )
        return ".".join(sorted(words))

    def colour_of(self, cell: int, digit: int | None = None) -> str:
        """Return the color of a cell, or of one of its candidates; '.' for none."""
        if digit is None:
            return self.colours[cell]
        found = (colour for at, of, colour in self.candidate_colours if (at, of) == (cell, digit))
        return next(found, ".")

    @property
    def query(self) -> dict[str, Any]:
        """The parameters of its link."""
        found: dict[str, Any] = {"grid": self.text}
        if self.colours.strip("."):
            found["colors"] = self.colours
        if self.candidate_colours:
            found["candidates"] = self.coloured_text
        if self.note:
            found["note"] = self.note
        return found

    @property
    def query_without_note(self) -> dict[str, Any]:
        """The parameters of its link, less the note."""
        return {name: value for name, value in self.query.items() if name != "note"}

    def with_change(self, kind: str, text: str) -> tuple[State, str]:
        """Return the state after `place`, `strike` or `clear`, and the change in short notation. text:
        `30:5`.

        A digit that isn't a candidate anymore may still be placed, to see the consequences. Raises
        BadAddress.
        """
        found = _CHANGE.fullmatch(text)
        if found is None:
            raise BadAddress(
                _("%(kind)s: expected cell:digit, found “%(found)s”", kind=kind, found=text[:20])
            )
        cell, digit = map(int, found.groups())
        if self.givens[cell]:
            raise BadAddress(_("%(cell)s is a given. You can’t change it.", cell=cell_name(cell)))
        change = {"place": self._placed, "strike": self._struck, "clear": self._cleared}[kind]
        return change(cell, digit)

    def after(self, step: engine.Step) -> State:
        """Return the state after a step."""
        return replace(self, position=self.position.after(step))

    def coloured(self, cell: int, colour: str, digit: int | None = None) -> State:
        """Return the state with a cell, or a candidate of it, in another color; the same color again
        removes it.
        """
        old = self.colour_of(cell, digit)
        new = "." if old == colour else colour
        if digit is not None:
            others = self.candidate_colours - {(cell, digit, old)}
            added = frozenset[tuple[int, int, str]]() if new == "." else {(cell, digit, new)}
            return replace(self, candidate_colours=others | added)
        return replace(self, colours=self.colours[:cell] + new + self.colours[cell + 1 :])

    def _placed(self, cell: int, digit: int) -> tuple[State, str]:
        free = self._cleared(cell, digit)[0] if self.position.grid[cell] else self
        position = free.position.changed([(cell, digit)], ())
        return replace(self, position=position), f"{cell_name(cell)}={digit}"

    def _struck(self, cell: int, digit: int) -> tuple[State, str]:
        """Strike a candidate, or restore one that the digits allow."""
        if digit in self.position.candidates(cell):
            position = self.position.changed((), [(cell, digit)])
            return replace(self, position=position), f"{cell_name(cell)}≠{digit}"
        if (cell, digit) not in self.struck:
            return self, f"{cell_name(cell)}≠{digit}"
        return self._with(self.position.grid, self.struck - {(cell, digit)}), f"{cell_name(cell)}+{digit}"

    def _cleared(self, cell: int, _digit: int) -> tuple[State, str]:
        """Remove a placed digit, restoring the candidates of its cell and its peers."""
        digits = bytearray(self.position.grid.digits)
        digits[cell] = 0
        return self._with(engine.Grid(bytes(digits)), self.struck), f"{cell_name(cell)}=?"

    def _with(self, grid: engine.Grid, struck: frozenset[tuple[int, int]]) -> State:
        masks = [_ALL] * 81
        for cell, digit in struck:
            masks[cell] &= ~(1 << digit - 1)
        return replace(self, position=engine.Position.from_marks(masks, grid, self.givens))

    def conflicts(self) -> frozenset[int]:
        """The cells whose digits appear twice in a house."""
        digits = self.position.grid.digits
        return frozenset(
            cell
            for cell, digit in enumerate(digits)
            if digit and any(digits[peer] == digit for peer in PEERS[cell])
        )


def read(text: str, colours: str = "", note: str = "", candidates: str = "") -> State:
    """Parse a state from any text the engine reads. Raises PuzzleFormatError, and BadAddress for the rest."""
    if len(text) > LONGEST_TEXT:
        raise engine.PuzzleFormatError(
            "expected at most %(most)s characters, found %(found)s", most=LONGEST_TEXT, found=len(text)
        )
    if colours and (len(colours) != 81 or not set(colours) <= {*COLOURS, "."}):
        raise BadAddress(_("colors: expected 81 characters, 1 to 9 or a dot"))
    if len(note) > LONGEST_NOTE:
        raise BadAddress(_("note: expected at most %(most)s characters", most=LONGEST_NOTE))
    entry = parse_entry(text)
    masks = [_ALL] * 81 if entry.candidates is None else list(entry.candidates)
    for cell, digit in entry.deleted:
        masks[cell] &= ~(1 << digit - 1)
    position = engine.Position.from_marks(masks, entry.standing, entry.givens)
    return State(position, colours or "." * 81, note, _candidate_colours(candidates))


def _candidate_colours(text: str) -> frozenset[tuple[int, int, str]]:
    """Parse the colors written by `coloured_text`. Raises BadAddress."""
    words = text.split(".", MOST_COLOURED + 1) if text else []
    found: dict[tuple[int, int], str] = {}
    for word in words:
        if not _CANDIDATE.fullmatch(word) or len(words) > MOST_COLOURED:
            raise BadAddress(
                _(
                    "candidates: expected digit, row, column, color for at most %(most)s, found “%(found)s”",
                    most=MOST_COLOURED,
                    found=word[:20],
                )
            )
        digit, row, column = map(int, word[:3])
        found[9 * (row - 1) + column - 1, digit] = word[3]
    return frozenset((cell, digit, colour) for (cell, digit), colour in found.items())
