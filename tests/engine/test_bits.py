"""Bit tricks: the instruction and its plain version agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels import bits
from engine.kernels._jit import kernel

pytestmark = pytest.mark.kernel


@kernel
def of_word(word: int) -> tuple[int, int]:
    return bits.trailing_zeros(word), bits.count_ones(word)


@given(st.integers(1, 2**63 - 1))
def test_counts_of_a_word(word: int) -> None:
    assert of_word(word) == (len(f"{word:b}") - len(f"{word:b}".rstrip("0")), f"{word:b}".count("1"))


@kernel
def product(left: np.uint64, right: np.uint64) -> np.uint64:
    return bits.wrapping_multiply(left, right)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_product_wraps_around(left: int, right: int) -> None:
    assert int(product(np.uint64(left), np.uint64(right))) == left * right % 2**64
