"""Split the bytes of a file or pipe into numbered lines of text, in constant memory; refuse other files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Final, Protocol

from engine.errors import PuzzleFormatError

LONGEST_LINE: Final = 16_384  # bytes; the longest line that any format needs is a link of some 5,000
_PATIENCE: Final = 64 << 20  # bytes of one line to skip before giving up the file
_KINDS: Final = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file (WebP, WAV)"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)


class Bytes(Protocol):
    """What is read of a stream."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to so many bytes."""

    def readline(self, size: int = -1, /) -> bytes:
        """Return the rest of a line, up to so many bytes."""


class WrongKind(PuzzleFormatError):
    """The file is not text; nothing more of it is read."""


def kind_of(head: bytes) -> str:
    """Return in words what kind of file begins so; '' where it may be text."""
    return next((words for magic, words in _KINDS if head.startswith(magic)), "")


def lines(stream: Bytes, head: bytes) -> Iterator[tuple[int, str | PuzzleFormatError]]:
    """Numbered lines without their ends; an overlong line as its error, a wrong kind of file as the last.

    head: what `stream.readline(LONGEST_LINE + 1)` gave for the first line.
    """
    number = 0
    for raw in chain([head], iter(partial(stream.readline, LONGEST_LINE + 1), b"")):
        number += 1
        if number == 1:
            if kind := kind_of(raw):
                yield 1, WrongKind(f"expected UTF-8 text, found {kind}")
                return
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if b"\0" in raw:
            yield (
                number,
                WrongKind("expected UTF-8 text, found a zero byte: a binary file or UTF-16", line=number),
            )
            return
        if len(raw) > LONGEST_LINE:
            yield number, too_long(number)
            if not raw.endswith(b"\n") and not _passed_over(stream):
                yield number, WrongKind("expected lines of text, found an endless line", line=number)
                return
            continue
        parts = raw.removesuffix(b"\n").removesuffix(b"\r").split(b"\r")  # lone CR ended lines once
        for part in parts[:-1]:
            yield number, part.decode("utf-8", "replace")
            number += 1
        yield number, parts[-1].decode("utf-8", "replace")


def too_long(number: int) -> PuzzleFormatError:
    """The error of an overlong line."""
    return PuzzleFormatError(
        "expected at most %(most)s bytes, found a longer line", line=number, most=LONGEST_LINE
    )


def _passed_over(stream: Bytes) -> bool:
    """Skip to the end of an overlong line; False where it is longer than _PATIENCE."""
    passed = 0
    while passed < _PATIENCE:
        part = stream.readline(LONGEST_LINE)
        passed += len(part)
        if not part or part.endswith(b"\n"):
            return True
    return False
