"""Puzzles on paper as PDF: boards in vectors, with headings, facts and solutions. Decides nothing."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from webapp.process.words import current_locale
from webapp.process.words import gettext as _

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

POINT: Final = 72 / 25.4  # of a millimeter
PAPERS: Final = {"a4": (210 * POINT, 297 * POINT), "letter": (612.0, 792.0)}
COLUMNS: Final = {1: 1, 2: 1, 4: 2, 6: 2}  # by puzzles on a page
END, NONE = "end", "none"  # solutions on pages of their own, or left out
SOLUTIONS: Final = (END, NONE)
MARGIN: Final = 15 * POINT
GAP: Final = 8 * POINT
SOLVED: Final = 12, 3  # solutions on a page, and their columns
PLAIN, BOLD = "Vera", "VeraBd"  # free fonts that come with ReportLab, so that every copy is embedded
JAPANESE, CHINESE = "HeiseiKakuGo-W5", "STSong-Light"  # every PDF reader has them or replaces them


@dataclass(frozen=True, slots=True)
class Printed:
    """A puzzle with what is written above it."""

    givens: str
    solution: str
    heading: str
    facts: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """How puzzles are laid out."""

    per: int = 4  # on a page
    solutions: str = END
    paper: str = "a4"


def pdf(puzzles: Sequence[Printed], heading: str, foot: str, layout: Layout) -> bytes:
    """Return a document with these puzzles in order."""
    from reportlab.pdfgen.canvas import Canvas

    _register()
    out = io.BytesIO()
    canvas = Canvas(out, PAPERS[layout.paper], pageCompression=1, invariant=1, lang=current_locale()[:2])
    canvas.setTitle(heading)
    canvas.setCreator("Ninefold")
    pages = _Pages(canvas, heading, foot, layout)
    for page in _parts(puzzles, layout.per):
        pages.puzzles(page, next(per for per in COLUMNS if per >= len(page)))
    if layout.solutions == END:
        for page in _parts(puzzles, SOLVED[0]):
            pages.solutions(page)
    canvas.save()
    return out.getvalue()


def _parts(puzzles: Sequence[Printed], most: int) -> Iterator[Sequence[Printed]]:
    return (puzzles[at : at + most] for at in range(0, len(puzzles), most))


class _Pages:
    """Draws page after page."""

    def __init__(self, canvas: Canvas, heading: str, foot: str, layout: Layout) -> None:
        self._canvas, self._heading, self._foot = canvas, heading, foot
        self._width, self._height = PAPERS[layout.paper]
        self._number = 0

    def puzzles(self, page: Sequence[Printed], per: int) -> None:
        """Draw a page of puzzles, as if it held `per`."""
        columns = COLUMNS[per]
        top = self._begin(self._heading)
        size = 13.0 if columns == 1 else 10.5
        written = size * (3.9 if any(each.title for each in page) else 2.7)
        side, spare, corners = self._grid(top, per, columns, written)
        for puzzle, (left, upper) in zip(page, corners, strict=False):
            upper -= spare / 2
            self._write(left, upper - size, puzzle.heading, BOLD, size, side)
            for line, text in enumerate(filter(None, (puzzle.title, puzzle.facts)), 1):
                self._write(left, upper - size * (1 + 1.2 * line), text, PLAIN, size - 2, side)
            self._board(left, upper - written - side, side, puzzle.givens)
        self._canvas.showPage()

    def solutions(self, page: Sequence[Printed]) -> None:
        """Draw a page of solutions."""
        side, _spare, corners = self._grid(self._begin(_("Solutions")), *SOLVED, 12)
        for puzzle, (left, upper) in zip(page, corners, strict=False):
            self._write(left, upper - 8, puzzle.heading, PLAIN, 8, side)
            self._board(left, upper - 12 - side, side, puzzle.solution, puzzle.givens)
        self._canvas.showPage()

    def _grid(
        self, top: float, per: int, columns: int, written: float
    ) -> tuple[float, float, list[tuple[float, float]]]:
        """Return the side of a board, the space left below it, and the upper left corners of `per` boards."""
        rows = per // columns
        wide = (self._width - 2 * MARGIN - (columns - 1) * GAP) / columns
        high = (top - MARGIN - GAP - (rows - 1) * GAP) / rows
        side = min(wide, high - written)
        left = MARGIN + (wide - side) / 2
        places = (divmod(at, columns) for at in range(per))
        corners = [(left + column * (wide + GAP), top - row * (high + GAP)) for row, column in places]
        return side, high - written - side, corners

    def _begin(self, heading: str) -> float:
        """Write what every page has. Returns the upper end of the rest."""
        self._number += 1
        top = self._height - MARGIN
        self._write(MARGIN, top - 14, heading, BOLD, 16, self._width - 2 * MARGIN)
        number = str(self._number)
        self._write(MARGIN, MARGIN - 8, self._foot, PLAIN, 8, self._width - 2 * MARGIN - 30)
        self._write(self._width - MARGIN - _width(number, PLAIN, 8), MARGIN - 8, number, PLAIN, 8, 30)
        return top - 14 - GAP

    def _board(self, left: float, low: float, side: float, digits: str, givens: str = "") -> None:
        """Draw a board; digits that aren't among `givens` in a lighter weight."""
        canvas, cell = self._canvas, side / 9
        canvas.setLineCap(2)
        for width, gray, lines in ((side / 700, 0.5, (1, 2, 4, 5, 7, 8)), (side / 130, 0.0, (0, 3, 6, 9))):
            canvas.setLineWidth(width)
            canvas.setStrokeGray(gray)
            for at in lines:
                canvas.line(left + at * cell, low, left + at * cell, low + side)
                canvas.line(left, low + at * cell, left + side, low + at * cell)
        size = 0.62 * cell
        for at, digit in enumerate(digits):
            if digit in "123456789":
                row, column = divmod(at, 9)
                canvas.setFont(PLAIN if givens[at : at + 1] == "." else BOLD, size)
                middle = low + side - (row + 0.5) * cell
                canvas.drawCentredString(left + (column + 0.5) * cell, middle - 0.365 * size, digit)

    def _write(self, left: float, low: float, text: str, face: str, size: float, most: float) -> None:
        """Write a line, smaller if it is too long, and cut if that isn't enough."""
        text = " ".join(text.split())  # our fonts lack the thin and the unbreakable spaces of some languages
        size = max(0.7 * size, min(size, size * most / max(1.0, _width(text, face, size))))
        if _width(text, face, size) > most:
            while text and _width(f"{text}…", face, size) > most:
                text = text[:-1]
            text += "…"
        for its_face, part in _runs(text, face):
            self._canvas.setFont(its_face, size)
            self._canvas.drawString(left, low, part)
            left += self._canvas.stringWidth(part, its_face, size)


def _width(text: str, face: str, size: float) -> float:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return sum(float(stringWidth(part, its_face, size)) for its_face, part in _runs(text, face))


def _runs(text: str, face: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text that one font has, each with that font."""
    known = _letters()
    # Kana tell the font of Chinese and Japanese letters, else the reader's language
    japanese = any("\u3040" <= letter <= "\u30ff" for letter in text) or current_locale().startswith("ja")
    other = JAPANESE if japanese else CHINESE
    for ours, letters in groupby(text, lambda letter: ord(letter) in known):
        yield face if ours else other, "".join(letters)


@cache
def _letters() -> frozenset[int]:
    """Return the letters that both weights of our font have."""
    from reportlab.pdfbase.pdfmetrics import getFont

    _register()
    return frozenset.intersection(*(frozenset(getFont(face).face.charToGlyph) for face in (PLAIN, BOLD)))


@cache
def _register() -> None:
    from reportlab.pdfbase import cidfonts, pdfmetrics, ttfonts

    for face in (PLAIN, BOLD):
        pdfmetrics.registerFont(ttfonts.TTFont(face, f"{face}.ttf"))
    for face in (JAPANESE, CHINESE):
        pdfmetrics.registerFont(cidfonts.UnicodeCIDFont(face))
