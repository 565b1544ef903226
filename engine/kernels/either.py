"""Intersect what several candidates rule out: it is eliminated if one of them must be true."""

from __future__ import annotations

from typing import Final

from ._jit import kernel
from .effects import Hits
from .tables import PEER_WORDS

_WHOLE_BAND: Final = (1 << 27) - 1


@kernel
def begin_either(hits: Hits) -> None:
    """Set `hits` to all candidates."""
    for word in range(27):
        hits[word] = _WHOLE_BAND


@kernel
def or_candidate(hits: Hits, cell: int, digit: int) -> None:
    """Intersect `hits` with what `digit` (0..8) in `cell` rules out."""
    for other in range(9):
        for band in range(3):
            if other == digit:
                hits[3 * other + band] &= PEER_WORDS[cell, band]
            else:
                hits[3 * other + band] &= 1 << cell % 27 if band == cell // 27 else 0


@kernel
def or_candidates(hits: Hits, cell: int, digits: int) -> None:
    """Intersect `hits` with what each digit of the mask in `cell` rules out."""
    for digit in range(9):
        if digits >> digit & 1:
            or_candidate(hits, cell, digit)
