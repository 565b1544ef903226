"""Pictures for sharing: a card with a few words and a board, as PNG, in the site's colors and font."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from webapp.web.canvas import GIVEN, INK, OWN, PAPER, QUIET, SURFACE, face, rule

WIDTH, HEIGHT = 1200, 630  # pixels, as required for link previews
MARGIN = 72
CELL = 48
BOARD = 9 * CELL
LEFT, TOP = WIDTH - MARGIN - BOARD, (HEIGHT - BOARD) // 2  # of the board
TEXT_WIDTH = LEFT - MARGIN - 48  # width of the text, in pixels
FACES: Final = Path("/usr/share/fonts")
OTHER_FACES: Final = ("NotoSansCJK-Bold.*", "NotoSansCJK*", "SourceHanSans*", "wqy-*.ttc")
MOST_KEPT = 200  # cached pictures, about 10 KB each


@lru_cache(maxsize=MOST_KEPT)
def card(title: str, lines: Sequence[str] = (), *, level: int = 0, givens: str = "", time: str = "") -> bytes:
    """Draw a card as PNG.

    lines: smaller lines below the title. level: 1 to 5 for its squares, 0 for none. givens: 81 characters for
    the board, or empty for an empty board. time: the largest text of a solve's card.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    for row in range(3):
        for column in range(3):
            corner = (MARGIN + 17 * column, MARGIN + 17 * row)
            color = OWN if (row, column) == (0, 2) else INK
            draw.rounded_rectangle((*corner, corner[0] + 12, corner[1] + 12), 2, color)
    draw.text((MARGIN + 64, MARGIN + 23), "Ninefold", INK, face(40, 650), anchor="lm")
    draw.rounded_rectangle((LEFT - 3, TOP - 3, LEFT + BOARD + 3, TOP + BOARD + 3), 10, SURFACE, INK, 5)
    for at, digit in enumerate(givens):
        x, y = LEFT + CELL * (at % 9), TOP + CELL * (at // 9)
        if digit != ".":
            draw.rectangle((x + 2, y + 2, x + CELL - 2, y + CELL - 2), GIVEN)
            draw.text((x + CELL / 2, y + CELL / 2), digit, INK, face(30, 650), anchor="mm")
    rule(draw, LEFT, TOP, CELL, 1, 4)
    bottom = HEIGHT - MARGIN
    for line in reversed(lines):
        bottom -= 46
        _text(draw, bottom, line, 32, 450, QUIET)
    if level:
        bottom -= 48
        for pip in range(5):
            box = (MARGIN + 36 * pip, bottom, MARGIN + 36 * pip + 26, bottom + 26)
            draw.rounded_rectangle(box, 6, OWN if pip < level else PAPER, OWN, 2)
    if time:
        bottom -= 172
        _text(draw, bottom, time, 148, 750, INK)
    bottom -= 84
    _text(draw, bottom, title, 64 if not time else 44, 750, INK)
    written = BytesIO()
    image.quantize(64, Image.Quantize.FASTOCTREE).save(written, "PNG")
    return written.getvalue()


def _text(draw: ImageDraw.ImageDraw, top: float, text: str, size: int, weight: int, color: str) -> None:
    """Write a line, in a smaller size if it would overlap the board."""
    while size > 20 and _face_for(text, size, weight).getlength(text) > TEXT_WIDTH:
        size -= 4
    draw.text((MARGIN, top), text, color, _face_for(text, size, weight))


def can_write(text: str) -> bool:
    """Whether our font, or another one on this machine, has every letter of a text."""
    return _ours(text) or _other_face() is not None


def _ours(text: str) -> bool:
    """Whether our font has every letter: it covers Western European languages."""
    return all(
        "\x20" <= letter <= "\x7e" or "\xa1" <= letter <= "\xff" or letter in "–—‘’“”…" for letter in text
    )


@cache
def _other_face() -> Path | None:
    """Return a Chinese and Japanese font of this machine, if any; they are too large to ship."""
    found = (path for pattern in OTHER_FACES for path in sorted(FACES.glob(f"**/{pattern}")))
    return next(found, None)


def _face_for(text: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    other = None if _ours(text) else _other_face()
    return face(size, weight) if other is None else ImageFont.truetype(str(other), size)
