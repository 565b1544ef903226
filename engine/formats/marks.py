"""Candidates as masks: 81 ints, bit digit-1. Tells solved cells from naked singles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.geometry import PEERS
from engine.grid import Grid

_DIGITS_OF: Final = tuple("".join(str(bit + 1) for bit in range(9) if mask >> bit & 1) for mask in range(512))


def mask_of(digits: Iterable[int | str]) -> int:
    """The mask of some digits 1..9."""
    mask = 0
    for digit in digits:
        mask |= 1 << (int(digit) - 1)
    return mask


def digits_in(mask: int) -> str:
    """The digits of a mask, ascending: `digits_in(0b101)` is '13'."""
    return _DIGITS_OF[mask]


def solved(masks: Sequence[int]) -> Grid:
    """The digits that stand in a candidate grid: those alone in their cell that no peer lists any more.

    HoDoKu's rule: a lone candidate that a peer still lists is a naked single nobody has placed.
    """
    digits = bytearray(81)
    for cell, mask in enumerate(masks):
        if mask and mask & (mask - 1) == 0 and not any(masks[peer] & mask for peer in PEERS[cell]):
            digits[cell] = mask.bit_length()
    return Grid(bytes(digits))


def left_open(masks: Sequence[int], standing: Grid) -> tuple[int, ...]:
    """The masks with nothing left where a digit stands."""
    return tuple(0 if digit else mask for digit, mask in zip(standing.digits, masks, strict=True))


def shown(standing: Grid, candidates: Sequence[int] | None) -> list[int]:
    """What a candidate grid prints: a standing digit alone, else candidates, by default all there are."""
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
    """The candidates (cell, digit) that the standing digits would leave and the masks do not have."""
    if candidates is None:
        return set()
    return {
        (cell, bit + 1)
        for cell, mask in enumerate(shown(standing, None))
        for bit in range(9)
        if not standing[cell] and mask & ~candidates[cell] & 1 << bit
    }
