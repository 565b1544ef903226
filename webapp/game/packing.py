"""Pack a whole log into one compact value, and restore every move and time exactly.

    version (1 byte), CRC-32 of the rest (4), then three streams, each preceded by its length and
    compressed if that is shorter: kinds with digits, one byte a move; cells, one byte for a single one;
    times between moves

Numbers are little-endian with seven bits a byte. Times up to 15.7 s, typical between moves, take three bytes;
in version 1 a time was such a number. Codes are never reused: packed games stay as they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from webapp.game.moves import NAMES_CELLS, Kind, Move

VERSION = 2
# A kind's index is its code. Append new ones; there is space for 25.
KINDS = (
    *(Kind.DIGIT, Kind.CORNER, Kind.CENTRE, Kind.COLOUR, Kind.STRIKE, Kind.FILL, Kind.ERASE),
    *(Kind.UNDO, Kind.REDO, Kind.PAUSE, Kind.RESUME, Kind.HINT, Kind.CHECK, Kind.KEEP),
)
SINCE = datetime(2020, 1, 1, tzinfo=UTC)
TICK = timedelta(microseconds=1)
CELLS = 81
LONG = 15 << 20  # longer times take more than three bytes

_BARE = -15  # zlib's raw format, which saves 6 bytes of header and checksum; version 1 had them
_CODES = {kind: code for code, kind in enumerate(KINDS)}


class Torn(ValueError):
    """Bytes that were altered, or packed by a later version."""


def pack(log: Sequence[tuple[Move, datetime]]) -> bytes:
    """Pack a log of moves with the times received. Their numbers must run from 1 without gaps."""
    kinds, cells, times = bytearray(), bytearray(), bytearray()
    before = 0
    for number, (move, at) in enumerate(log, 1):
        if move.seq != number:
            raise ValueError(f"expected move {number}, found {move.seq}")
        kinds.append(10 * _CODES[move.kind] + (move.digit or 0))
        if move.kind in NAMES_CELLS:
            cells += _cells(move)
        ticks = (at - SINCE) // TICK
        times += _time(ticks - before)
        before = ticks
    body = b"".join(_stream(bytes(stream)) for stream in (kinds, cells, times))
    return bytes([VERSION]) + zlib.crc32(body).to_bytes(4, "little") + body


def unpack(packed: bytes) -> list[tuple[Move, datetime]]:
    """Return the log that was packed. Raises Torn."""
    body = packed[5:]
    version = packed[0] if packed else 0
    if version not in (1, VERSION) or packed[1:5] != zlib.crc32(body).to_bytes(4, "little"):
        raise Torn("a packed log is not as it was written")
    streams, place = [], 0
    for _ in range(3):
        size, place = _number(body, place)
        content = body[place : place + size // 2]
        streams.append(zlib.decompress(content, _BARE if version > 1 else 15) if size % 2 else content)
        place += size // 2
    kinds, places, gaps = streams
    cells, times = _numbers(places), _times(gaps) if version == VERSION else map(_unfolded, _numbers(gaps))
    log, ticks = [], 0
    for seq, code in enumerate(kinds, 1):
        kind, digit = KINDS[code // 10], code % 10 or None
        ticks += next(times)
        named = _named(cells) if kind in NAMES_CELLS else ((), ())
        log.append((Move(seq, kind, *named, digit), SINCE + ticks * TICK))
    return log


def _cells(move: Move) -> bytes:
    """Encode a single cell as itself; else 81, the count, cells and candidates in the field's order."""
    if len(move.cells) == 1 and not move.candidates:
        return bytes(move.cells)
    items = [*move.cells, *(CELLS + 9 * cell + digit - 1 for cell, digit in move.candidates)]
    return b"".join(map(_varint, [CELLS + len(items), *items]))


def _named(numbers: Iterator[int]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    first = next(numbers)
    if first < CELLS:
        return (first,), ()
    items = [next(numbers) for _ in range(first - CELLS)]
    candidates = (divmod(item - CELLS, 9) for item in items if item >= CELLS)
    alone = tuple(item for item in items if item < CELLS)
    return alone, tuple((cell, place + 1) for cell, place in candidates)


def _time(ticks: int) -> bytes:
    """Encode the highest byte first; from LONG on and below 0, LONG with the lowest 20 bits, then the
    rest.
    """
    if 0 <= ticks < LONG:
        return ticks.to_bytes(3, "big")
    more, least = divmod(ticks, 1 << 20)
    return (LONG + least).to_bytes(3, "big") + _varint(_folded(more))


def _times(content: bytes) -> Iterator[int]:
    place = 0
    while place < len(content):
        ticks, place = int.from_bytes(content[place : place + 3], "big"), place + 3
        if ticks >= LONG:
            more, place = _number(content, place)
            ticks += (_unfolded(more) << 20) - LONG
        yield ticks


def _stream(content: bytes) -> bytes:
    """Return content preceded by its length, doubled, and odd if the content is compressed."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, _BARE)
    shorter = compressor.compress(content) + compressor.flush()
    if len(shorter) < len(content):
        return _varint(2 * len(shorter) + 1) + shorter
    return _varint(2 * len(content)) + content


def _folded(number: int) -> int:
    """Interleave negative numbers with the others: a clock can be set back."""
    return 2 * number if number >= 0 else -2 * number - 1


def _unfolded(number: int) -> int:
    return number // 2 if number % 2 == 0 else -(number + 1) // 2


def _varint(number: int) -> bytes:
    written = bytearray()
    while number >= 0x80:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def _number(content: bytes, place: int) -> tuple[int, int]:
    """Return the number at this place, and the place after it."""
    number = shift = 0
    while True:
        byte = content[place]
        number |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return number, place


def _numbers(content: bytes) -> Iterator[int]:
    place = 0
    while place < len(content):
        number, place = _number(content, place)
        yield number
