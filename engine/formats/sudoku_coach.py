"""sudoku.coach: URLs with 81 characters, and state strings `SCv7_32_`, zlib-packed JSON in base 32."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from typing import Any, Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from . import json_text
from .cells import digits_of
from .entry import Entry
from .format import Format
from .lz_string import LONGEST_CODE, LONGEST_TEXT
from .marks import left_open

ADDRESS: Final = "https://sudoku.coach/en/play/"
PREFIX: Final = "SCv7_32_"
_STATE: Final = re.compile(r"SCv(\d+)_(\d+)_([0-9a-zA-Z]*)")


def parse(text: str) -> Entry | None:
    """Return the entry of a state string; a URL with 81 cells is read like any other. Raises
    PuzzleFormatError.
    """
    state = _STATE.search(text)
    if state is None:
        return None
    if state[1] != "7" or state[2] != "32":
        raise PuzzleFormatError(
            "expected a sudoku.coach state %(prefix)s, found %(found)s",
            prefix=PREFIX,
            found=f"SCv{state[1]}_{state[2]}_",
        )
    code = state[3]
    if len(code) > LONGEST_CODE:
        raise PuzzleFormatError(
            "expected at most %(most)s characters of base 32, found %(found)s",
            most=LONGEST_CODE,
            found=len(code),
        )
    try:
        packed = base64.b32hexdecode(code.upper() + "=" * (-len(code) % 8))
        text = zlib.decompressobj().decompress(packed, LONGEST_TEXT).decode()
    except (binascii.Error, zlib.error, ValueError):
        raise PuzzleFormatError("expected zlib-packed JSON in base 32, found something else") from None
    members = json_text.object_in(text)
    if members.get("gridSize", 9) != 9:
        raise PuzzleFormatError(
            "expected a grid of 9x9, found size %(found)s", found=f"{members['gridSize']!r:.20}"
        )
    givens, placed = _digits(members, "givenDigits"), _digits(members, "userDigits")
    standing = Grid(bytes(given or digit for given, digit in zip(givens.digits, placed.digits, strict=True)))
    numbers = str(members.get("userCellCandidates") or "-".join("0" * 81)).split("-")
    if len(numbers) != 81 or not all(
        number.isascii() and number.isdecimal() and len(number) < 5 for number in numbers
    ):
        raise PuzzleFormatError("expected 81 numbers under 'userCellCandidates'")
    masks = [int(number) >> 1 & 0x1FF for number in numbers]  # bit d for digit d
    return Entry(
        givens,
        format="sudoku_coach",
        placed=None if standing == givens else standing,
        candidates=left_open(masks, standing) if any(masks) else None,
    )


def write(entry: Entry) -> str:
    """Return the URL to play the givens; the state string if there are placed digits or candidates."""
    if entry.placed is None and entry.candidates is None:
        return ADDRESS + str(entry.givens).replace(".", "0")
    placed = [
        digit if not given else 0
        for given, digit in zip(entry.givens.digits, entry.standing.digits, strict=True)
    ]
    members: dict[str, Any] = {
        "gridSize": 9,
        "givenDigits": "".join(map(str, entry.givens.digits)),
        "userDigits": "".join(map(str, placed)),
        "userCellCandidates": "-".join(str(2 * mask) for mask in entry.candidates or [0] * 81),
    }
    packed = zlib.compress(json.dumps(members, separators=(",", ":")).encode(), 9)
    return PREFIX + base64.b32hexencode(packed).decode().rstrip("=").lower()


def _digits(members: dict[str, Any], name: str) -> Grid:
    cells = members.get(name) or "0" * 81
    if not isinstance(cells, str) or len(cells) != 81:
        raise PuzzleFormatError("expected 81 cells under %(name)s", name=f"{name!r}")
    return Grid(digits_of(cells))


FORMAT: Final = Format("sudoku_coach", "sudoku.coach link", ".url", write, line=parse)
