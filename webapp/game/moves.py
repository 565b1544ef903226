"""A move of the log and the parsing of its four fields (docs/move-log.md). Independent of boards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webapp.process.errors import BadMove
from webapp.process.words import gettext as _

# The limit on a log's length: the cells named by its moves, at least one each. A long game has a few hundred
# moves, and with marks in many cells at once some thousands of cells.
MOST_CELLS = 5000
MOST_TO_FINISH = 6000  # the limit for digits, so that marks can't block finishing a game
LAST_SEQ = 99_999  # beyond any log; such numbers are rejected early


class Kind(StrEnum):
    """The kinds of moves."""

    DIGIT = "digit"
    CORNER = "corner"
    CENTRE = "centre"
    COLOUR = "colour"
    STRIKE = "strike"
    FILL = "fill"
    ERASE = "erase"
    UNDO = "undo"
    REDO = "redo"
    PAUSE = "pause"
    RESUME = "resume"
    HINT = "hint"
    CHECK = "check"
    KEEP = "keep"


NAMES_CELLS = frozenset({Kind.DIGIT, Kind.CORNER, Kind.CENTRE, Kind.COLOUR, Kind.STRIKE, Kind.ERASE})
NEEDS_DIGIT = frozenset({Kind.DIGIT, Kind.STRIKE})
MAY_HAVE_DIGIT = NEEDS_DIGIT | {Kind.CORNER, Kind.CENTRE, Kind.COLOUR, Kind.FILL, Kind.HINT}
HINT_DEPTHS = 4
# The moves that finish a game, still accepted by a long log.
FINISHING = frozenset({Kind.DIGIT, Kind.ERASE, Kind.UNDO, Kind.REDO, Kind.PAUSE, Kind.RESUME})


@dataclass(frozen=True, slots=True)
class Move:
    """A numbered move whose fields are consistent, but not checked against a board."""

    seq: int
    kind: Kind
    cells: tuple[int, ...] = ()
    candidates: tuple[tuple[int, int], ...] = ()  # (cell, digit): the candidates to color
    digit: int | None = None

    @property
    def cell(self) -> str:
        """The field `cell` as sent and stored: '', '30', '30,31', '30:5'."""
        return ",".join([*map(str, self.cells), *(f"{cell}:{digit}" for cell, digit in self.candidates)])

    @property
    def length(self) -> int:
        """Its contribution to the log's length: the cells and candidates named, at least one."""
        return max(1, len(self.cells) + len(self.candidates))

    @classmethod
    def from_fields(cls, seq: str, kind: str, cell: str, digit: str) -> Move:
        """Parse the fields of a form or a row. Raises BadMove naming the move and the value found."""
        number = _number(seq, 1, LAST_SEQ)
        if number is None:
            found, most = seq[:20], LAST_SEQ
            raise BadMove(
                _("seq: expected a number from 1 to %(most)s, found “%(found)s”", most=most, found=found)
            )
        try:
            what = Kind(kind)
        except ValueError:
            raise BadMove(
                _("move %(seq)s: there is no kind “%(found)s”", seq=number, found=kind[:20])
            ) from None
        cells, candidates = _read_cells(number, what, cell)
        return cls(number, what, cells, candidates, _read_digit(number, what, digit))

    def same_as(self, other: Move) -> bool:
        """Whether two moves with the same number are identical."""
        return (self.kind, self.cell, self.digit) == (other.kind, other.cell, other.digit)


def _read_cells(number: int, kind: Kind, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    cells: list[int] = []
    candidates: list[tuple[int, int]] = []
    items = text.split(",") if text else []
    if not items and kind in NAMES_CELLS:
        raise BadMove(_("move %(seq)s: “%(kind)s” needs a cell", seq=number, kind=kind))
    if items and kind not in NAMES_CELLS:
        values = {"seq": number, "kind": kind, "found": text[:20]}
        raise BadMove(_("move %(seq)s: “%(kind)s” takes no cell, found “%(found)s”", **values))
    for item in items:
        place, colon, choice = item.partition(":")
        cell, digit = _number(place, 0, 80), _number(choice, 1, 9)
        if cell is None or (colon and (digit is None or kind is not Kind.COLOUR)):
            values = {"seq": number, "found": item[:20]}
            raise BadMove(_("move %(seq)s: expected a cell from 0 to 80, found “%(found)s”", **values))
        if digit is None:
            cells.append(cell)
        else:
            candidates.append((cell, digit))
    if len(set(cells)) < len(cells) or len(set(candidates)) < len(candidates):
        raise BadMove(_("move %(seq)s: a cell is named twice in “%(found)s”", seq=number, found=text[:40]))
    return tuple(cells), tuple(candidates)


def _read_digit(number: int, kind: Kind, text: str) -> int | None:
    if not text and kind not in NEEDS_DIGIT:
        return None
    most = HINT_DEPTHS if kind is Kind.HINT else 9
    values = {"seq": number, "kind": kind, "most": most, "found": text[:20]}
    if kind not in MAY_HAVE_DIGIT:
        raise BadMove(_("move %(seq)s: “%(kind)s” takes no digit, found “%(found)s”", **values))
    digit = _number(text, 1, most)
    if digit is None:
        raise BadMove(_("move %(seq)s: expected a digit from 1 to %(most)s, found “%(found)s”", **values))
    return digit


def _number(text: str, least: int, most: int) -> int | None:
    """Parse a number in plain ASCII without leading zeros; None unless it is in least..most."""
    if len(text) > 8 or not (text.isascii() and text.isdigit()) or str(int(text)) != text:
        return None
    return int(text) if least <= int(text) <= most else None
