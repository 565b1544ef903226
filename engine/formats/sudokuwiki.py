"""SudokuWiki's board strings: two characters a cell, distinguishing clues, solved cells and candidates.

162 characters are base 32, the candidates' bits above a clue flag. Version 'B', `S9B` and 162 more, is base
36: 1 to 9 a clue, 10 to 18 a solved cell, above that 18 and the candidates' bits. URLs may carry 81
characters instead.
"""

from __future__ import annotations

import re
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from .entry import Entry
from .finder import of_line
from .format import Format
from .marks import left_open, shown, solved

ADDRESS: Final = "https://www.sudokuwiki.org/sudoku.htm?bd="
_LINK: Final = re.compile(r"sudokuwiki\.org/\S{0,99}[?&](?:bd|n|s)=([^&#\s]*)", re.IGNORECASE)
_ALPHABET: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_VERSION: Final = re.compile(r"S[0-9A-Z]B")
_PAIRS: Final = 162
_CANDIDATES_B: Final = 18  # offset of the candidates' bits in version B


def parse(text: str) -> Entry | None:
    """Return the entry of a URL or a board string. Raises PuzzleFormatError naming the cell."""
    found = _LINK.search(text)
    alone = text.strip()
    bare = len(alone) == _PAIRS and not alone.isdigit() and set(_ALPHABET[:32]).issuperset(alone)
    if not bare and not _VERSION.match(alone) and not (found and len(found[1]) > 81):
        return None
    code = (found[1] if found else alone).strip()
    version = _VERSION.match(code)
    if version is None and len(code) != _PAIRS:
        return of_line(code)
    if version is not None and version[0] != "S9B":
        raise PuzzleFormatError(
            "expected a 9x9 board string of version 'S9B', found %(found)s", found=f"{version[0]!r}"
        )
    pairs = code.removeprefix("S9B") if version else code
    if len(pairs) != _PAIRS:
        raise PuzzleFormatError(
            "expected %(pairs)s characters behind 'S9B', found %(found)s", pairs=_PAIRS, found=len(pairs)
        )
    givens, placed, masks = bytearray(81), bytearray(81), [0] * 81
    for cell in range(81):
        givens[cell], placed[cell], masks[cell] = _cell(
            pairs[2 * cell : 2 * cell + 2], version is not None, cell
        )
    digits = placed if version else solved(masks).digits
    standing = Grid(bytes(given or digit for given, digit in zip(givens, digits, strict=True)))
    return Entry(
        Grid(bytes(givens)),
        format="sudokuwiki",
        placed=None if standing.digits == givens else standing,
        candidates=left_open(masks, standing),
    )


def _cell(pair: str, version_b: bool, cell: int) -> tuple[int, int, int]:
    """Return the clue, the solved digit and the candidates of a cell. Raises PuzzleFormatError.

    In base 32, lone candidates are solved if no peer has them.
    """
    base = 36 if version_b else 32
    if bad := pair.strip(_ALPHABET[:base]):
        raise PuzzleFormatError(
            "expected 0-9 or a-%(last)s, found %(found)s",
            cell=cell,
            character=bad[0],
            last=_ALPHABET[base - 1],
            found=f"{bad[0]!r}",
        )
    value = int(pair, base)
    mask, clue = (value - _CANDIDATES_B, 0) if version_b else divmod(value, 2)
    if clue and mask.bit_count() != 1:
        raise PuzzleFormatError("expected one digit for a given", cell=cell, character=pair)
    if mask > 0x1FF:
        raise PuzzleFormatError("expected candidates of nine digits", cell=cell, character=pair)
    if not version_b or mask > 0:
        return (mask.bit_length() if clue else 0), 0, mask
    clue, placed = (value, 0) if value <= 9 else (0, value - 9)
    return clue, placed, 1 << (clue or placed) - 1 if value else 0x1FF


def write(entry: Entry) -> str:
    """Return the URL with 162 characters."""
    values = [
        2 * mask + (given > 0)
        for mask, given in zip(shown(entry.standing, entry.candidates), entry.givens.digits, strict=True)
    ]
    return ADDRESS + "".join(_ALPHABET[value // 32] + _ALPHABET[value % 32] for value in values)


FORMAT: Final = Format("sudokuwiki", "SudokuWiki link", ".url", write, line=parse)
