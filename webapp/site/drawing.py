"""Pictures to share: a card with a few words and a board, as PNG, in the colors and the face of the site."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from engine.drawing.themes import LIGHT
from webapp.web.assets import FACE

WIDTH, HEIGHT = 1200, 630  # pixels, as the sites that show such pictures ask for
MARGIN = 72
CELL = 48
BOARD = 9 * CELL
LEFT, TOP = WIDTH - MARGIN - BOARD, (HEIGHT - BOARD) // 2  # of the board
ROOM = LEFT - MARGIN - 48  # for words, in pixels
MOST_KEPT = 200  # pictures in memory, of some 10 KB each

PAPER, SURFACE, GIVEN = LIGHT["paper"], LIGHT["surface"], LIGHT["given"]
INK, QUIET, LINE, OWN = LIGHT["ink"], LIGHT["ink-quiet"], LIGHT["line"], LIGHT["own"]


@lru_cache(maxsize=MOST_KEPT)
def card(title: str, lines: Sequence[str] = (), *, level: int = 0, givens: str = "", time: str = "") -> bytes:
    """Draw a card as PNG.

    lines: quiet ones below the title. level: 1 to 5 for its squares, 0 for none. givens: 81 characters for
    the board, empty for an empty one. time: the largest thing on the card, where it is about a solve.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    _mark(draw)
    _board(draw, givens)
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


def _mark(draw: ImageDraw.ImageDraw) -> None:
    """Draw the nine squares and the name."""
    for row in range(3):
        for column in range(3):
            corner = (MARGIN + 17 * column, MARGIN + 17 * row)
            color = OWN if (row, column) == (0, 2) else INK
            draw.rounded_rectangle((*corner, corner[0] + 12, corner[1] + 12), 2, color)
    draw.text((MARGIN + 64, MARGIN + 23), "Ninefold", INK, _face(40, 650), anchor="lm")


def _board(draw: ImageDraw.ImageDraw, givens: str) -> None:
    draw.rounded_rectangle((LEFT - 3, TOP - 3, LEFT + BOARD + 3, TOP + BOARD + 3), 10, SURFACE, INK, 5)
    for cell, digit in enumerate(givens):
        x, y = LEFT + CELL * (cell % 9), TOP + CELL * (cell // 9)
        if digit != ".":
            draw.rectangle((x + 2, y + 2, x + CELL - 2, y + CELL - 2), GIVEN)
            draw.text((x + CELL / 2, y + CELL / 2), digit, INK, _face(30, 650), anchor="mm")
    for wide, color, width in ((False, LINE, 1), (True, INK, 4)):
        for line in range(1, 9):
            if (line % 3 == 0) is wide:
                at = CELL * line
                draw.line((LEFT + at, TOP, LEFT + at, TOP + BOARD), color, width)
                draw.line((LEFT, TOP + at, LEFT + BOARD, TOP + at), color, width)


def _text(draw: ImageDraw.ImageDraw, top: float, text: str, size: int, weight: int, color: str) -> None:
    """Write a line, smaller where it would run into the board."""
    while size > 20 and _face(size, weight).getlength(text) > ROOM:
        size -= 4
    draw.text((MARGIN, top), text, color, _face(size, weight))


@lru_cache(maxsize=64)
def _face(size: int, weight: int) -> ImageFont.FreeTypeFont:
    """Return the face of the pages at this size and weight; Pillow reads the very file they load."""
    face = ImageFont.truetype(FACE, size)
    face.set_variation_by_axes([weight])
    return face


def can_write(text: str) -> bool:
    """Whether the face has every letter of a text: it has those of Western European languages."""
    return all("\x20" <= letter <= "\x7e" or "\xa1" <= letter <= "\xff" for letter in text)
