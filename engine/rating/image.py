"""The canonical form of a rated puzzle, which all its equivalents share."""

from __future__ import annotations

from typing import NamedTuple

from ..canonical import canonical_start
from ..position import Position
from .memo import Origin


class Image(NamedTuple):
    """The canonical form of a puzzle."""

    start: Position
    origin: Origin  # int32[729]: for each candidate, that of the puzzle


def image_of(position: Position) -> Image | None:
    """Return the canonical form of a puzzle with one solution; None for any other position."""
    if position.solution is None or position.solved or not position._untouched:
        return None
    form, solved, origin = canonical_start(position.givens, position.solution)
    return Image(Position._of_puzzle(form, solved), origin)
