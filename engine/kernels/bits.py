"""Bit operations that LLVM has an instruction for: compiled code uses it instead (_lowered.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ._cache import COMPILED
from ._jit import kernel


def trailing_zeros(word: int) -> int:
    """Return the position of the lowest set bit; the word must not be 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def count_ones(word: int) -> int:
    """Return the number of set bits."""
    return int(word).bit_count()


def _plain_wrapping_multiply(left: np.uint64, right: np.uint64) -> np.uint64:
    return np.uint64(int(left) * int(right) & 0xFFFF_FFFF_FFFF_FFFF)


def _wrapping_multiply(left: np.uint64, right: np.uint64) -> np.uint64:
    return left * right


wrapping_multiply: Callable[[np.uint64, np.uint64], np.uint64] = (
    kernel(_wrapping_multiply) if COMPILED else _plain_wrapping_multiply
)
"""The product of two uint64 modulo 2**64."""

whole = cast("Callable[[Any], int]", np.int64)
"""Return a table's word as a signed 64-bit int: unsigned ones become floats with a literal, or warn on
overflow.
"""
