"""Draw grids, positions and steps as SVG, for notebooks, pages, lessons and the command line.

Most callers only need `draw`. `overlay_of` returns its drawing over a board as plain numbers, for pages that
have a board of their own.
"""

from .of_step import overlay_of, role_of
from .overlay import (
    CONSEQUENCE,
    PATTERN,
    THIRD,
    Frame,
    Overlay,
    Ring,
    cell_frame,
    house_frame,
    place_of,
    ring,
    struck,
)
from .picture import draw
from .themes import COLORS, LIGHT

__all__ = [
    "COLORS",
    "CONSEQUENCE",
    "LIGHT",
    "PATTERN",
    "THIRD",
    "Frame",
    "Overlay",
    "Ring",
    "cell_frame",
    "draw",
    "house_frame",
    "overlay_of",
    "place_of",
    "ring",
    "role_of",
    "struck",
]
