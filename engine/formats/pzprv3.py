"""pzpr's text, as saved by puzz.link: three header lines, nine rows of givens, nine rows of placed digits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from . import source
from .entry import Entry, only
from .format import DocumentReader, Format

_HEAD: Final = "pzprv3"
_LONGEST: Final = 1 << 16  # bytes; a puzzle with all marks has some 2,000
_VALUE: Final = {".": 0, "-": 0, **{str(digit): digit for digit in range(1, 10)}}


def recognises(head: str) -> bool:
    """Whether a text begins as pzpr's."""
    return head.lstrip("\ufeff \t\r\n").startswith(_HEAD)


def read(chunks: Iterable[bytes]) -> Iterator[Entry | PuzzleFormatError]:
    """Yield the one puzzle of a text whose lines may also be separated by '/'."""
    text = b""
    for chunk in chunks:
        text += chunk
        if len(text) > _LONGEST:
            yield PuzzleFormatError(
                "expected at most %(most)s characters, found more than that", most=_LONGEST
            )
            return
    try:
        yield _entry(source.text_of(text))
    except PuzzleFormatError as error:
        yield error


def parse(text: str) -> Entry:
    """Return the entry of a text. Raises PuzzleFormatError."""
    return only(
        read([text.encode("utf-8", "surrogatepass")]),
        lambda count: PuzzleFormatError("expected one puzzle, found %(found)s", found=count),
    )


def _entry(text: str) -> Entry:
    lines = [line.strip() for line in text.replace("\n", "/").split("/") if line.strip()]
    if lines[1:3] != ["sudoku", "9"]:
        raise PuzzleFormatError(
            "expected sudoku of size 9 behind pzprv3, found %(found)s", found=f"{' '.join(lines[1:3])!r:.40}"
        )
    givens = _digits(lines[3:12], strict=True)
    own = _digits(lines[12:21], strict=False) if len(lines) > 20 else bytes(81)
    standing = bytes(given or digit for given, digit in zip(givens, own, strict=True))
    return Entry(Grid(givens), format=_HEAD, placed=None if standing == givens else Grid(standing))


def _digits(rows: list[str], *, strict: bool) -> bytes:
    """Return the digits of nine rows; if not strict, other signs are empty cells."""
    digits = bytearray()
    for number, row in enumerate(rows, 4):
        cells = row.split()
        if len(cells) != 9:
            raise PuzzleFormatError(
                "expected 9 cells, found %(found)s", line=number if strict else number + 9, found=len(cells)
            )
        for cell in cells:
            if strict and cell not in _VALUE:
                raise PuzzleFormatError(
                    "expected 1-9 or '.', found %(found)s",
                    line=number,
                    cell=len(digits),
                    character=cell[:20],
                    found=f"{cell!r:.20}",
                )
            digits.append(_VALUE.get(cell, 0))
    if len(digits) != 81:
        raise PuzzleFormatError("expected 9 rows, found %(found)s", found=len(rows))
    return bytes(digits)


def write(entry: Entry) -> str:
    """Return header, givens and placed digits."""
    own = [
        0 if given else digit for given, digit in zip(entry.givens.digits, entry.standing.digits, strict=True)
    ]
    rows = [
        " ".join(str(digit) if digit else "." for digit in digits[start : start + 9])
        for digits in (entry.givens.digits, own)
        for start in range(0, 81, 9)
    ]
    return "\n".join([_HEAD, "sudoku", "9", *rows])


FORMAT: Final = Format(_HEAD, "pzpr text", ".txt", write, document=DocumentReader(recognises, parse, read))
