"""Candidates as masks: 81 ints, bit digit-1. Distinguishes solved cells from naked singles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..errors import PuzzleFormatError
from ..geometry import PEERS
from ..grid import Grid
from .entry import Entry

NO_CANDIDATE: Final = "∅"  # a sign for an empty cell without candidates

_DIGITS_OF: Final = tuple("".join(str(bit + 1) for bit in range(9) if mask >> bit & 1) for mask in range(512))


def mask_of(digits: Iterable[int | str]) -> int:
    """Return the mask of digits 1..9."""
    mask = 0
    for digit in digits:
        mask |= 1 << (int(digit) - 1)
    return mask


def masks_of(text729: str) -> list[int]:
    """Return the masks of nine characters a cell: the digit itself, or '.' or '0' for an absent one. Raises
    PuzzleFormatError naming the cell and the character.
    """
    masks = [0] * 81
    for at, character in enumerate(text729):
        cell, digit = at // 9, at % 9 + 1
        if character == str(digit):
            masks[cell] |= 1 << (digit - 1)
        elif character not in ".0":
            raise PuzzleFormatError(
                "expected %(digit)s, 0 or '.', found %(found)s",
                cell=cell,
                character=character,
                digit=digit,
                found=f"{character!r}",
            )
    return masks


def digits_in(mask: int) -> str:
    """Return the digits of a mask, ascending: `digits_in(0b101)` is '13'."""
    return _DIGITS_OF[mask]


def solved(masks: Sequence[int]) -> Grid:
    """Return the placed digits of a candidate grid: those alone in their cell that no peer lists.

    This is HoDoKu's rule: a lone candidate that a peer still lists is an unplaced naked single.
    """
    digits = bytearray(81)
    for cell, mask in enumerate(masks):
        if mask and mask & (mask - 1) == 0 and not any(masks[peer] & mask for peer in PEERS[cell]):
            digits[cell] = mask.bit_length()
    return Grid(bytes(digits))


def from_masks(masks: Sequence[int]) -> Entry:
    """Return the entry of a candidate grid: a lone digit is placed unless a peer still lists it."""
    givens = solved(masks)
    return Entry(givens, format="pencilmarks", candidates=left_open(masks, givens))


def left_open(masks: Sequence[int], standing: Grid) -> tuple[int, ...]:
    """Return the masks with 0 for cells with a digit."""
    return tuple(0 if digit else mask for digit, mask in zip(standing.digits, masks, strict=True))


def shown(standing: Grid, candidates: Sequence[int] | None) -> list[int]:
    """Return a candidate grid's masks: a placed digit alone, else candidates, by default all that are
    possible.
    """
    masks = []
    for cell, digit in enumerate(standing.digits):
        if digit:
            masks.append(1 << (digit - 1))
        elif candidates is not None:
            masks.append(candidates[cell])
        else:
            masks.append(
                0x1FF & ~mask_of(standing.digits[peer] for peer in PEERS[cell] if standing.digits[peer])
            )
    return masks


def struck(standing: Grid, candidates: Sequence[int] | None) -> set[tuple[int, int]]:
    """Return the candidates (cell, digit) that the placed digits allow but the masks lack."""
    if candidates is None:
        return set()
    return {
        (cell, bit + 1)
        for cell, mask in enumerate(shown(standing, None))
        for bit in range(9)
        if not standing[cell] and mask & ~candidates[cell] & 1 << bit
    }
