"""SIMD lanes: each operation gives the same result compiled and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.kernels import lanes
from engine.kernels._jit import kernel

pytestmark = pytest.mark.kernel
laws = settings(max_examples=30, deadline=None)

Words = NDArray[np.uint16]
BOXES = [(band, stack) for band in range(3) for stack in range(3)]
FEW_BITS = [0, 0x1, 0x8000, 0x11, 0x7, 0xE000, 0x8421, 0xF]
pairs = st.lists(st.integers(0, 2**16 - 1) | st.sampled_from(FEW_BITS), min_size=32, max_size=32).map(
    lambda words: np.array(words, np.uint16)
)


@kernel
def compiled_answers(first: Words, second: Words, out: Words) -> tuple[int, int, int, int]:
    """Write every operation on pairs into the rows of `out`, and on the lower halves those that return an
    int.
    """
    one, other = lanes.load_pair(first, 0), lanes.load_pair(second, 0)
    words = out.reshape(-1)
    lanes.store(one & other, words, 0)
    lanes.store(one | other, words, 32)
    lanes.store(one ^ other, words, 64)
    lanes.store(~one, words, 96)
    lanes.store(one + other, words, 128)
    lanes.store(lanes.ones(one), words, 160)
    lanes.store(lanes.lone(one), words, 192)
    lanes.store(lanes.at_most_three(one), words, 224)
    lanes.store(lanes.preferred(one, other), words, 256)
    lanes.store(lanes.lesser(one, other), words, 288)
    lanes.store(lanes.right(one), words, 320)
    lanes.store(lanes.right_two(one), words, 352)
    lanes.store(lanes.below(one), words, 384)
    lanes.store(lanes.below_two(one), words, 416)
    lower = lanes.load(first, 0)
    lanes.store(lanes.pair(lower, lanes.load(second, 16)), words, 448)
    lanes.store(lanes.spread(np.int64(first[7])), words, 480)
    lanes.store(lanes.at_least_three(one, other), words, 512)
    lanes.store(lanes.all_but_least(one), words, 544)
    return lanes.nonzero(one), lanes.nonzero(lower), lanes.least(one), lanes.least(lower)


def answers(first: Words, second: Words) -> tuple[Words, tuple[int, ...]]:
    out = np.zeros((18, 32), np.uint16)
    return out, tuple(int(number) for number in compiled_answers(first, second, out))


def bit_count(word: Any) -> int:
    return int(word).bit_count()


@given(pairs, pairs)
@laws
def test_every_operation_works_lane_by_lane(first: Words, second: Words) -> None:
    out, _ = answers(first, second)
    for lane, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        assert out[:10, lane].tolist() == [
            one & other,
            one | other,
            one ^ other,
            one ^ 0xFFFF,
            (one + other) % 2**16,
            bit_count(one),
            one if bit_count(one) == 1 else 0,
            one if bit_count(one) <= 3 else 0,
            one or other,
            min(one, other),
        ]
        assert out[16, lane] == (one if bit_count(one) >= 3 else other)
        assert out[17, lane] == one & (one - 1)


@kernel
def compiled_counts(words: Words, out: Words) -> None:
    """Write every operation that counts bits, on half a pair, to the rows of `out`."""
    one, rows = lanes.load(words, 0), out.reshape(-1)
    lanes.store(lanes.ones(one), rows, 0)
    lanes.store(lanes.lone(one), rows, 16)
    lanes.store(lanes.at_most_three(one), rows, 32)
    lanes.store(lanes.at_least_three(one, ~one), rows, 48)


@pytest.mark.parametrize("first", range(0, 512, 16))
def test_digits_are_counted_in_half_a_pair(first: int) -> None:
    words = np.array([n & 15 | (n & 0x1F0) << 4 for n in range(first, first + 16)], np.uint16)
    out = np.zeros((4, 16), np.uint16)
    compiled_counts(words, out)
    count = np.bitwise_count(words)
    expected = (count, np.where(count < 2, words, 0), np.where(count < 4, words, 0))
    assert (out[:3] == expected).all()
    assert (out[3] == np.where(count < 3, ~words, words)).all()


@given(pairs)
@laws
def test_a_rotation_gives_each_box_the_word_of_another_in_its_band_or_stack(words: Words) -> None:
    out, _ = answers(words, words)
    for half in (0, 16):
        for band, stack in BOXES:
            rotated = out[10:14, half + 4 * band + stack].tolist()
            assert rotated == [
                words[half + 4 * band + (stack + 1) % 3],
                words[half + 4 * band + (stack + 2) % 3],
                words[half + 4 * ((band + 1) % 3) + stack],
                words[half + 4 * ((band + 2) % 3) + stack],
            ]


@given(pairs)
@laws
def test_a_rotation_gives_lanes_without_a_box_only_the_words_of_such_lanes(words: Words) -> None:
    boxless = [lane for lane in range(32) if lane % 4 == 3 or lane % 16 // 4 == 3]
    for row in answers(words, words)[0][10:14]:
        assert sorted(row[boxless]) == sorted(words[boxless])


@given(pairs, pairs)
@laws
def test_a_pair_is_one_after_the_other(first: Words, second: Words) -> None:
    assert answers(first, second)[0][14].tolist() == [*first[:16], *second[16:]]


@given(pairs)
@laws
def test_a_word_is_spread_over_all_lanes(words: Words) -> None:
    assert answers(words, words)[0][15].tolist() == [words[7]] * 32


@given(pairs)
@laws
def test_nonzero_lanes_are_returned_as_bits(words: Words) -> None:
    words[::3] = 0
    both, lower, _, _ = answers(words, words)[1]
    assert both == sum(1 << lane for lane in range(32) if words[lane])
    assert lower == both & 0xFFFF


@given(pairs)
@laws
def test_the_least_word_is_found(words: Words) -> None:
    _, _, both, lower = answers(words, words)[1]
    assert (both, lower) == (words.min(), words[:16].min())
