"""A small seeded generator: xoshiro256** of Blackman and Vigna (2018).

The state is a uint64[4] that every draw mutates. It uses whole words only, so a seed gives the same sequence
on every machine, with the JIT on or off.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import whole, wrapping_multiply


def seeded(seed: int) -> NDArray[np.uint64]:
    """Return a new uint64[4] state for a seed of any size or sign."""
    size = seed.bit_length() // 8 + 1
    digest = hashlib.blake2b(seed.to_bytes(size, "little", signed=True), digest_size=32).digest()
    return np.frombuffer(digest, dtype="<u8").astype(np.uint64)


@kernel
def next_word(state: NDArray[np.uint64]) -> Any:
    """Return the next 64 random bits as a uint64; mutates `state`."""
    second = state[1]
    scrambled = wrapping_multiply(second, np.uint64(5))
    scrambled = (scrambled << np.uint64(7)) | (scrambled >> np.uint64(57))
    state[2] ^= state[0]
    state[3] ^= second
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= second << np.uint64(17)
    state[3] = (state[3] << np.uint64(45)) | (state[3] >> np.uint64(19))
    return wrapping_multiply(scrambled, np.uint64(9))


@kernel
def below(state: NDArray[np.uint64], bound: int) -> int:
    """Return a whole number 0..bound-1, each equally likely; 1 <= bound < 2**31; mutates `state`.

    Multiplies and keeps the upper half; draws that would be biased are rejected (Lemire 2019).
    """
    while True:
        product = whole(next_word(state) >> np.uint64(33)) * bound
        fraction = product & 0x7FFF_FFFF
        if fraction >= bound or fraction >= 0x8000_0000 % bound:
            return product >> 31


@kernel
def shuffle(state: NDArray[np.uint64], out: NDArray[Any]) -> None:
    """Put the items of the 1-d array `out` in random order, each equally likely; mutates `state` too."""
    for last in range(len(out) - 1, 0, -1):
        chosen = below(state, last + 1)
        kept = out[last]
        out[last] = out[chosen]
        out[chosen] = kept
