"""Lanes: sixteen 16-bit words side by side, or two such sets, processed at once, arranged by box.

In compiled code a value is a vector register (_lowered.py). With the JIT off it is a uint16 array, and the
functions here run as written. `&`, `|`, `^`, `~` and `+` work lane by lane, `+` modulo 2**16. Lane 4*b + s is
the box in band b and stack s; lanes with b or s = 3 have no box. In a pair, lanes 16..31 are the same for a
second grid.

Two things depend on the processor: how many lanes fit a register, and how bits are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ._cache import features

Lanes = Any  # a vector register in compiled code, uint16[16] or uint16[32] with the JIT off
Words = NDArray[np.uint16]

COUNT: Final = 16

REGISTER: Final = 2 * COUNT if "avx512bw" in features() else COUNT
"""How many lanes to process at once: a pair if it fits a register of the processor, else one half."""

DIGITS: Final = 0x1F0F
"""The bits of digits 1..9 in a lane. `ones` and the operations that compare it only count these: they are
placed so that AVX2 counts those of a nibble by one shuffle of bytes, without masks.
"""

COUNTS_BITS: Final = not features().isdisjoint({"avx512bitalg", "neon"})  # of all lanes at once
COUNTS_NIBBLES: Final = not COUNTS_BITS and "avx2" in features()

TURNS: Final[dict[Callable[[Lanes], Lanes], list[int]]] = {}
"""For each rotation, the source lanes of a pair."""


def load(words: Words, at: int) -> Lanes:
    """Load 16 lanes from the words at `at`."""
    return words[at : at + COUNT].copy()


def load_pair(words: Words, at: int) -> Lanes:
    """Load 32 lanes from the words at `at`."""
    return words[at : at + 2 * COUNT].copy()


load_register = load_pair if REGISTER == 2 * COUNT else load
"""`load_register(words, at)`: load REGISTER lanes from the words at `at`."""


def store(lanes: Lanes, words: Words, at: int) -> None:
    """Store the lanes to the words at `at`."""
    words[at : at + len(lanes)] = lanes


def pair(first: Lanes, second: Lanes) -> Lanes:
    """Combine twice 16 lanes to a pair."""
    return np.concatenate((first, second))


def spread(word: int) -> Lanes:
    """Return a word, 0..65535, in all lanes of a pair."""
    return np.full(2 * COUNT, word, np.uint16)


def _turn(source: Callable[[int, int], tuple[int, int]]) -> Callable[[Lanes], Lanes]:
    """Return the operation that gives each box the word of the box that `source` names by band and stack."""
    order = []
    for band in range(4):
        for stack in range(4):
            from_band, from_stack = source(band, stack)
            order.append(4 * (from_band % 3 if band < 3 else 3) + (from_stack % 3 if stack < 3 else 3))
    both = [*order, *(lane + COUNT for lane in order)]

    def turn(lanes: Lanes) -> Lanes:
        return lanes[both[: len(lanes)]]

    TURNS[turn] = both
    return turn


right = _turn(lambda band, stack: (band, stack + 1))
"""Give each box the word of the next box in its band. Lanes without a box exchange words among themselves."""
right_two = _turn(lambda band, stack: (band, stack + 2))
below = _turn(lambda band, stack: (band + 1, stack))
"""Give each box the word of the next box in its stack."""
below_two = _turn(lambda band, stack: (band + 2, stack))


def ones(lanes: Lanes) -> Lanes:
    """Count the set bits, lane by lane."""
    return np.bitwise_count(lanes).astype(np.uint16)


def lone(lanes: Lanes) -> Lanes:
    """Keep lanes with a single bit; 0 for the others."""
    return np.where(ones(lanes) < 2, lanes, 0).astype(np.uint16)


def all_but_least(lanes: Lanes) -> Lanes:
    """Clear the lowest bit, lane by lane."""
    return lanes & (lanes - np.uint16(1))


def at_most_three(lanes: Lanes) -> Lanes:
    """Keep lanes with up to three bits; 0 for the others."""
    return np.where(ones(lanes) < 4, lanes, 0).astype(np.uint16)


def at_least_three(lanes: Lanes, otherwise: Lanes) -> Lanes:
    """Return `lanes`, or `otherwise` in lanes with fewer than three bits."""
    return np.where(ones(lanes) < 3, otherwise, lanes)


def preferred(lanes: Lanes, otherwise: Lanes) -> Lanes:
    """Return `lanes`, or `otherwise` in lanes that are 0."""
    return np.where(lanes != 0, lanes, otherwise)


def lesser(left: Lanes, right: Lanes) -> Lanes:
    """Return the smaller word, lane by lane, unsigned."""
    return np.minimum(left, right)


def nonzero(lanes: Lanes) -> int:
    """Return a bit for each lane that isn't 0, as a signed 64-bit int."""
    return sum(1 << int(lane) for lane in np.flatnonzero(lanes))


def least(lanes: Lanes) -> int:
    """Return the smallest word of all lanes, unsigned, as a signed 64-bit int."""
    return int(lanes.min())
