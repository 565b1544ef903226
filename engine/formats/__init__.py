"""Text formats, one a file, parse and write as a pair; `parse` recognises which without being told."""

from __future__ import annotations

from engine.errors import PuzzleFormatError
from engine.formats.block import parse_block
from engine.formats.line import parse_line
from engine.grid import Grid

__all__ = ["parse"]


def parse(text: str) -> Grid:
    """The puzzle of a text in any supported format.

    >>> parse("." * 80 + "7").givens
    1

    Raises PuzzleFormatError, which names the line (of several), the cell and the character.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    if not kept:
        raise PuzzleFormatError("expected 81 cells, found an empty text")
    if len(kept) == 1:
        try:
            return parse_line(lines[kept[0]])[0]
        except PuzzleFormatError as error:
            raise error.at_line(kept[0] + 1) if len(lines) > 1 else error from None
    first, last = kept[0], kept[-1] + 1
    return parse_block(["" if at not in kept else lines[at] for at in range(first, last)], first=first + 1)
