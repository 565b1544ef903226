"""A puzzle as 81 small squares: where its givens and the player's digits stand, never which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

_EMPTY: Final = "." * 81
# The outline of a square or dot on a grid of 10; its stroke makes it 8.6 wide and rounds its corners.
SQUARE, DOT = "h4v4h-4z", "m2 2h0m-2-2"


# Where the givens of one puzzle of each level stand.
PATTERNS: Final = {
    1: "1.1.11...1.1111.111.1111...11.11.1.11...1.1111.1.....1..1.11.1.11..1..11111.1..1.",
    2: "..1.1.1.1......111..111......1.....1.1..11...111.1.111.1...1.......111.11.11..1..",
    3: "...11..1..1.....1.1.1.1...1......1....1.111..111..11.....1.1.....1...1...1.1.1...",
    4: ".......1..1.....1....111..1.11....1.11....1....1.1.1....1.11...1....1..11...11...",
    5: "11.1......1..1...1..11...1.1.1.....1....1..1.1.....1.1...11.....1....1..11.1.11..",
}


@dataclass(frozen=True, slots=True)
class Squares:
    """The paths of a picture, drawn by web/macros/squares.html."""

    empty: str
    givens: str
    own: str = ""


def squares(givens: str, written: str | None = None) -> Squares:
    """Return the picture of a puzzle; empty for no givens. written: the player's digits between them."""
    givens, written = givens or _EMPTY, written or _EMPTY
    own = [cell for cell in range(81) if givens[cell] == "." and written[cell] != "."]
    empty = [cell for cell in range(81) if givens[cell] == "." and written[cell] == "."]
    return Squares(
        path(empty, SQUARE),
        path((cell for cell in range(81) if givens[cell] != "."), SQUARE),
        path(own, DOT),
    )


def sampled(givens: str, written: str | None = None) -> Iterator[tuple[str, str, int, float]]:
    """Yield each digit of a small picture of a board, `given` or `own`, and where it stands, 10 a cell."""
    for cell, (given, own) in enumerate(zip(givens or _EMPTY, written or _EMPTY, strict=True)):
        if given != "." or own != ".":
            kind, digit = ("given", given) if given != "." else ("own", own)
            yield digit, kind, cell % 9 * 10 + 6, cell // 9 * 10 + 8.6


def of_level(level: int) -> Squares:
    """Return the picture that stands for a level."""
    return squares(PATTERNS[level])


def path(cells: Iterable[int], shape: str) -> str:
    """Return one path that draws `shape` in each of these cells, 3 further apart between boxes."""
    drawn, x, y = [], 0, 0
    for cell in cells:
        to_x, to_y = _at(cell % 9), _at(cell // 9)
        drawn.append(f"m{to_x - x} {to_y - y}{shape}")  # relative steps repeat, so they compress well
        x, y = to_x, to_y
    return "".join(drawn)


def _at(line: int) -> int:
    return 10 * line + 3 * (line // 3)
