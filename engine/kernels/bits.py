"""Bit tricks LLVM has an instruction for, each beside a plain twin for when the JIT is off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.kernels._jit import COMPILED, kernel


def _instruction(emit_count: Callable[[Any, Any], Any]) -> Any:
    """A Numba intrinsic that answers an intp for one word of any width."""

    def typing(_: Any, word: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            count = emit_count(builder, arguments[0])
            return context.cast(builder, count, signature.args[0], signature.return_type)

        return types.intp(word), emit

    return intrinsic(typing)


def _plain_trailing_zeros(word: int) -> int:
    word = int(word)
    return (word & -word).bit_length() - 1


def _plain_count_ones(word: int) -> int:
    return int(word).bit_count()


def _plain_wrapping_multiply(left: np.uint64, right: np.uint64) -> np.uint64:
    return np.uint64(int(left) * int(right) & 0xFFFF_FFFF_FFFF_FFFF)


def _wrapping_multiply(left: np.uint64, right: np.uint64) -> np.uint64:
    return left * right


trailing_zeros: Callable[[int], int] = (
    _instruction(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))
    if COMPILED
    else _plain_trailing_zeros
)
"""The position of the lowest bit that is set; the word must not be 0."""

count_ones: Callable[[int], int] = (
    _instruction(lambda builder, word: builder.ctpop(word)) if COMPILED else _plain_count_ones
)
"""How many bits are set."""

wrapping_multiply: Callable[[np.uint64, np.uint64], np.uint64] = (
    kernel(_wrapping_multiply) if COMPILED else _plain_wrapping_multiply
)
"""The product of two uint64 modulo 2**64."""

whole = cast("Callable[[Any], int]", np.int64)
"""A table's word as a signed 64-bit int: unsigned ones turn to floats beside a literal, or warn on a wrap."""
