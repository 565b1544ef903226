"""Sorting in kernels: a stable order, by merging. Numba takes three seconds to compile np.argsort."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel


@kernel
def stable_order(values: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the indices that sort `values`, 1-d, ascending; equal ones keep their order.

    The same as np.argsort(values, kind="stable").
    """
    size = len(values)
    order = np.empty(size, dtype=np.int64)
    other = np.empty(size, dtype=np.int64)
    for index in range(size):
        order[index] = index
    width = 1
    while width < size:
        for start in range(0, size, 2 * width):
            left, right = start, min(start + width, size)
            middle, end = right, min(start + 2 * width, size)
            for at in range(start, end):
                if left < middle and (right == end or values[order[left]] <= values[order[right]]):
                    other[at] = order[left]
                    left += 1
                else:
                    other[at] = order[right]
                    right += 1
        order, other = other, order
        width *= 2
    return order
