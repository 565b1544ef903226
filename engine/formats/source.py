"""Split the bytes of a file or pipe into numbered lines of text, in constant memory; reject other files."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import partial
from io import BufferedReader, RawIOBase
from itertools import chain
from typing import Any, Final, Protocol

from ..errors import PuzzleFormatError

LONGEST_LINE: Final = 16_384  # bytes; the longest line of any format is a link of some 5,000
_LONGEST_DECLARATION: Final = 80  # bytes
_PATIENCE: Final = 64 << 20  # bytes of one line to skip before giving up on the file
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
)


# Text in another encoding, read as Windows-1252: letters beyond Latin ones are runs of three, and umlauts of
# DOS and of Mac OS are signs, or capitals, inside words.
_MISREAD: Final = re.compile(
    "[^\x00-\x7f‘’“”–—…\xa0]{3}|í[\xa0-¿][^\x00-\x7f]|[a-z][ŠŽŒŸ]|[A-Za-z][„”™¤¥¢¬©®ƒ†‡‰‚ˆ˜¦¨¯§][A-Za-z]|[ƒ‰ˆ˜†‡\xad]"
)


class Bytes(Protocol):
    """The interface of a byte stream."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to so many bytes."""

    def readline(self, size: int = -1, /) -> bytes:
        """Return the rest of a line, up to so many bytes."""


_BROKEN: Final = "\ud800"


class Utf16(RawIOBase):
    """A stream of UTF-16 text, read as UTF-8."""

    def __init__(self, head: bytes, stream: Bytes) -> None:
        self._chunks: Iterator[bytes] = chain([head], iter(partial(stream.read, 1 << 16), b""), [b""])
        self._decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
        self._held = b""

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer; returns how many bytes, 0 at the end."""
        while not self._held and (chunk := next(self._chunks, None)) is not None:
            try:
                text = self._decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError:  # half a character ends the file
                text, self._chunks = _BROKEN, iter(())
            self._held = text.encode("utf-8", "surrogatepass")  # half a pair, which `text_of` refuses
        taken, self._held = self._held[: len(buffer)], self._held[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


def in_utf8(stream: Bytes) -> tuple[bytes, Bytes]:
    """Return the first line of a stream, up to LONGEST_LINE, and the rest of the stream, both as UTF-8.

    Below an XML declaration, which says too little, the second line comes with the first.
    """
    head = stream.readline(LONGEST_LINE + 1)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        stream = BufferedReader(Utf16(head, stream))
        head = stream.readline(LONGEST_LINE + 1)
    if len(head) < _LONGEST_DECLARATION and b"<?xml" in head:
        head += stream.readline(LONGEST_LINE + 1)
    return head, stream


class WrongKind(PuzzleFormatError):
    """The file isn't text; no more of it is read."""


def text_of(raw: bytes) -> str:
    """Decode UTF-8, or Windows-1252 as spreadsheets write it. Raises PuzzleFormatError for anything else."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        pass
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        text = ""
    if not text or _MISREAD.search(text):
        raise PuzzleFormatError("expected UTF-8 or Windows-1252 text, found another encoding")
    return text


def lines(stream: Bytes, head: bytes) -> Iterator[tuple[int, str | PuzzleFormatError]]:
    """Yield numbered lines without their ends; an overlong line as its error, a wrong kind of file as the
    last one.

    head: the first line, or two, from `stream.readline(LONGEST_LINE + 1)`.
    """
    number = 0
    for raw in chain(
        head.splitlines(keepends=True) or [head], iter(partial(stream.readline, LONGEST_LINE + 1), b"")
    ):
        number += 1
        if number == 1:
            if kind := next((words for magic, words in _KINDS if raw.startswith(magic)), None):
                yield 1, WrongKind(f"expected UTF-8 text, found {kind}")
                return
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if b"\0" in raw:
            yield (
                number,
                WrongKind(
                    "expected UTF-8 text, found a zero byte: a binary file, or UTF-16 without its mark",
                    line=number,
                ),
            )
            return
        if len(raw) > LONGEST_LINE:
            yield number, too_long(number)
            if not raw.endswith(b"\n") and not _passed_over(stream):
                yield number, WrongKind("expected lines of text, found an endless line", line=number)
                return
            continue
        parts = raw.removesuffix(b"\n").removesuffix(b"\r").split(b"\r")  # a lone CR was once a line end
        for at, part in enumerate(parts, number):
            try:
                yield at, text_of(part)
            except PuzzleFormatError as error:
                yield at, error.at_line(at)
        number += len(parts) - 1


def too_long(number: int) -> PuzzleFormatError:
    """Return the error of an overlong line."""
    return PuzzleFormatError(
        "expected at most %(most)s bytes, found a longer line", line=number, most=LONGEST_LINE
    )


def _passed_over(stream: Bytes) -> bool:
    """Skip to the end of an overlong line; False if it is longer than _PATIENCE."""
    passed = 0
    while passed < _PATIENCE:
        part = stream.readline(LONGEST_LINE)
        passed += len(part)
        if not part or part.endswith(b"\n"):
            return True
    return False
