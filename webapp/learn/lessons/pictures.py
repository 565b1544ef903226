"""Pictures: where the pattern of a technique stands, as 81 characters without a digit.

`python -m benchmarks positions` draws those of the path anew from their examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from engine.geometry import HOUSES
from webapp.web import squares

FILE: Final = Path(__file__).with_name("pictures.txt")
PATTERN, HOUSE, GONE, PLACED, EMPTY = "p", "h", "x", "d", "."


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as the paths of an SVG."""

    cells: str

    def _path(self, kinds: str, shape: str = squares.SQUARE) -> str:
        return squares.path((cell for cell, kind in enumerate(self.cells) if kind in kinds), shape)

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The class and path of each part, from the ground up."""
        found = [
            ("house", self._path(HOUSE + GONE + PLACED)),
            ("pattern", self._path(PATTERN)),
            ("own", self._path(PLACED, squares.DOT)),
            ("gone", self._path(GONE, "l4 4m0-4l-4 4")),
        ]
        return [part for part in found if part[1]]


LATTICE: Final = squares.path(range(81), squares.SQUARE)


@cache
def pictures() -> dict[str, str]:
    """The pictures by technique."""
    return dict(line.split() for line in FILE.read_text().splitlines())


def drawn(
    houses: Iterable[int], pattern: Iterable[int] = (), gone: Iterable[int] = (), placed: Iterable[int] = ()
) -> str:
    """Return a picture of these houses and cells, from the ground up."""
    found = [EMPTY] * 81
    in_houses = (cell for house in houses for cell in HOUSES[house])
    for kind, cells in ((HOUSE, in_houses), (PATTERN, pattern), (GONE, gone), (PLACED, placed)):
        for cell in cells:
            found[cell] = kind
    return "".join(found)
