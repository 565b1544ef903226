"""SudokuWiki's board strings: two base-32 digits a cell, the candidates' bits above a clue flag.

Its addresses may carry 81 characters instead. The later version 'B' (`S9B...`) is refused by name.
"""

from __future__ import annotations

import re
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats import line
from engine.formats.entry import Entry
from engine.formats.format import Format, LineReader
from engine.formats.marks import left_open, shown, solved
from engine.grid import Grid

ADDRESS: Final = "https://www.sudokuwiki.org/sudoku.htm?bd="
_LINK: Final = re.compile(r"sudokuwiki\.org/\S{0,99}[?&](?:bd|n|s)=([^&#\s]*)", re.IGNORECASE)
_ALPHABET: Final = "0123456789abcdefghijklmnopqrstuv"
_VERSION_B: Final = re.compile(r"S[0-9A-Z]B")


def recognises(text: str) -> bool:
    """Whether a line is an address of SudokuWiki or a board string alone."""
    stripped = text.strip()
    bare = len(stripped) == 162 and not stripped.isdigit() and set(_ALPHABET).issuperset(stripped)
    return bare or _VERSION_B.match(stripped) is not None or _LINK.search(stripped) is not None


def parse(text: str) -> Entry:
    """The entry of an address or a board string. Raises PuzzleFormatError naming the cell."""
    found = _LINK.search(text)
    code = (found[1] if found else text).strip()
    if _VERSION_B.match(code):
        raise PuzzleFormatError(
            "SudokuWiki's version 'B' strings are not supported: export 81 or 162 characters"
        )
    if len(code) != 162:
        return line.parse(code)
    masks, clues = [0] * 81, bytearray(81)
    for cell in range(81):
        pair = code[2 * cell : 2 * cell + 2]
        bad = next((character for character in pair if character not in _ALPHABET), None)
        if bad is not None:
            raise PuzzleFormatError(f"expected 0-9 or a-v, found {bad!r}", cell=cell, character=bad)
        masks[cell], clue = divmod(int(pair, 32), 2)
        if clue:
            if masks[cell].bit_count() != 1:
                raise PuzzleFormatError("expected one digit for a given", cell=cell, character=pair)
            clues[cell] = masks[cell].bit_length()
    givens = Grid(bytes(clues))
    standing = Grid(bytes(clue or digit for clue, digit in zip(clues, solved(masks).digits, strict=True)))
    return Entry(
        givens,
        format="sudokuwiki",
        placed=None if standing == givens else standing,
        candidates=left_open(masks, standing),
    )


def write(entry: Entry) -> str:
    """The address with 162 characters."""
    values = [
        2 * mask + (given > 0)
        for mask, given in zip(shown(entry.standing, entry.candidates), entry.givens.digits, strict=True)
    ]
    return ADDRESS + "".join(_ALPHABET[value // 32] + _ALPHABET[value % 32] for value in values)


FORMAT: Final = Format("sudokuwiki", "SudokuWiki link", ".url", write, line=LineReader(recognises, parse))
