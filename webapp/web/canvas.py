"""Drawing shared by all pictures of boards: colors, fonts and grid lines."""

from __future__ import annotations

from functools import lru_cache

from PIL import ImageDraw, ImageFont

from engine.drawing import LIGHT
from webapp.web.assets import FACE

PAPER, SURFACE, GIVEN = LIGHT["paper"], LIGHT["surface"], LIGHT["given"]
INK, QUIET, LINE, OWN = LIGHT["ink"], LIGHT["ink-quiet"], LIGHT["line"], LIGHT["own"]


def rule(draw: ImageDraw.ImageDraw, left: int, top: int, cell: int, thin: int, thick: int) -> None:
    """Draw a board's grid: thin lines between cells, thick ones between boxes."""
    for wide, ink, width in ((False, LINE, thin), (True, INK, thick)):
        for line in range(1, 9):
            if (line % 3 == 0) is wide:
                at = cell * line
                draw.line((left + at, top, left + at, top + 9 * cell), ink, width)
                draw.line((left, top + at, left + 9 * cell, top + at), ink, width)


@lru_cache(maxsize=64)
def face(size: int, weight: int) -> ImageFont.FreeTypeFont:
    """Return the pages' font at this size and weight; Pillow reads the file that browsers load."""
    found = ImageFont.truetype(FACE, size)
    found.set_variation_by_axes([weight])
    return found
