"""Sorting in kernels: the same order as NumPy's stable sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels.order import stable_order

pytestmark = pytest.mark.kernel


@given(st.lists(st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1), max_size=40))
def test_equal_values_keep_their_order(values: list[int]) -> None:
    given = np.array(values, dtype=np.int64)
    assert stable_order(given).tolist() == np.argsort(given, kind="stable").tolist()
