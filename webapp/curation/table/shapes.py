"""Shapes to arrange givens in: a few figures, and any letter or digit of the pages' font."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.canvas import face

# Nine rows of nine. None has two empty lines in a band or stack, since swapping those would give a second
# solution.
_FIGURES = {
    "heart": ".XX...XX. XX.X.X.XX X...X...X XX.....XX X...X...X .XX...XX. ..X...X.. ..XX.XX.. ....X....",
    "diamond": "....X.... ...X.X... ..X...X.. .X..X..X. X..X.X..X .X..X..X. ..X...X.. ...X.X... ....X....",
    "ring": "..XXXXX.. .X.....X. X...X...X X..X.X..X X.X...X.X X..X.X..X X...X...X .X.....X. ..XXXXX..",
    "cross": "X.......X .X.....X. ..X.X.X.. ...X.X... ..X.X.X.. ...X.X... ..X.X.X.. .X.....X. X.......X",
    "smile": "..XXXXX.. .X.....X. X..X.X..X X..X.X..X X.......X X.X...X.X X..XXX..X .X.....X. ..XXXXX..",
}
FIGURES = tuple(_FIGURES)
SIDE, FINE, WEIGHT, COVERED = 9, 20, 750, 0.42  # cells; pixels a cell; the share of a cell covered by ink


def shape_of(text: str) -> frozenset[int]:
    """Return the cells of a figure, or of a single letter or digit. Raises BadInput."""
    if text in _FIGURES:
        return frozenset(at for at, sign in enumerate(_FIGURES[text].replace(" ", "")) if sign == "X")
    if len(text) != 1 or not text.isalnum():
        raise BadInput(figure=_("Type one letter or digit, or choose a figure."))
    cells = _drawn(text.upper()[:1])
    if not cells:
        raise BadInput(figure=_("Our typeface can’t draw “%(sign)s”.", sign=text))
    return cells


@lru_cache(maxsize=128)
def _drawn(sign: str) -> frozenset[int]:
    """Return the cells that a letter covers, stretched over the board."""
    font = face(SIDE * FINE, WEIGHT)
    box = font.getbbox(sign)
    left, top, right, bottom = map(int, box)
    if right <= left or bottom <= top:
        return frozenset()
    drawn = Image.new("L", (right - left, bottom - top), 0)
    ImageDraw.Draw(drawn).text((-left, -top), sign, 255, font)
    cells = drawn.resize((SIDE, SIDE), Image.Resampling.BOX).tobytes()
    return frozenset(at for at in range(81) if cells[at] >= 255 * COVERED)
