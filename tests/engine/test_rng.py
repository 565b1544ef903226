"""The seeded generator: the same on every machine, fair, and reproducible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels.rng import below, next_word, seeded, shuffle

pytestmark = pytest.mark.kernel


def test_the_words_are_those_of_xoshiro256_starstar() -> None:
    state = np.array([1, 2, 3, 4], np.uint64)
    # The first outputs of the authors' reference code for this state.
    assert [int(next_word(state)) for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


def test_a_seed_means_one_sequence_on_every_machine() -> None:
    state = seeded(20240229)
    assert [int(below(state, 9)) for _ in range(12)] == [3, 8, 8, 4, 5, 6, 7, 0, 0, 6, 4, 8]


def test_neighbouring_seeds_start_differently() -> None:
    starts = {tuple(seeded(seed).tolist()) for seed in range(-100, 100)}
    assert len(starts) == 200


@given(st.integers())
def test_a_seed_of_any_size_or_sign_makes_a_state(seed: int) -> None:
    state = seeded(seed)
    assert state.dtype == np.uint64 and state.shape == (4,) and state.any()


@given(st.integers(0, 2**64), st.integers(1, 2**31 - 1))
def test_a_draw_stays_below_its_bound(seed: int, bound: int) -> None:
    state = seeded(seed)
    assert all(0 <= below(state, bound) < bound for _ in range(5))


def test_every_answer_is_as_likely_as_the_others() -> None:
    state = seeded(1)
    counts = np.bincount([below(state, 9) for _ in range(9000)], minlength=9)
    assert ((counts - 1000) ** 2 / 1000).sum() < 26.1  # chi-square, 8 degrees of freedom: 1 in 1,000


@given(st.integers(0, 2**64), st.integers(0, 81))
def test_a_shuffle_keeps_every_item(seed: int, length: int) -> None:
    items = np.arange(length)
    shuffle(seeded(seed), items)
    assert sorted(items.tolist()) == list(range(length))


def test_every_order_is_as_likely_as_the_others() -> None:
    state = seeded(2)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        items = np.arange(3)
        shuffle(state, items)
        order = tuple(items.tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # 5 degrees: 1 in 1,000
