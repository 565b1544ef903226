"""Pictures of grids, positions and steps as SVG, for notebooks, pages, lessons and the command line.

`draw` is all that most need. `overlay_of` is what it draws over a board, as plain numbers, for a page
that has a board of its own.
"""

from engine.drawing.of_step import overlay_of
from engine.drawing.picture import draw

__all__ = ["draw", "overlay_of"]
