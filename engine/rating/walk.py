"""Walking from a position to the end of a scheme's logic inside compiled code, and the log of it.

A scheme is an order of techniques with limits. At each step the first that finds anything is applied, then
the order starts anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.dispatch import address_of, call_scan
from engine.kernels.state import LEFT, State, place, remove
from engine.kernels.steps import (
    COUNT,
    FIRST,
    FIRST_HEADER,
    FULL,
    KEY,
    PLACED,
    REMOVED,
    SIZE,
    VARIANT,
    WIDTH,
    Steps,
    clear,
    new_steps,
)
from engine.position import Position
from engine.techniques import TECHNIQUES
from engine.techniques.limits import Limits, limits_for

# Columns of a log.
LOG_KEY: Final = 0  # number of the technique
LOG_VARIANT: Final = 1
LOG_SIZE: Final = 2
LOG_PLACED: Final = 3  # how many candidates the step placed
LOG_REMOVED: Final = 4  # how many it removed
LOG_ENTRY: Final = 5  # index into the order
LOG_WIDTH: Final = 6

MOST_STEPS: Final = 81 * 9  # each step places or removes a candidate

SOLVED: Final = 0
STUCK: Final = 1
OVER: Final = 2  # a scan went past its bound

_WORDS: Final = 1 << 16
_ROOM: Final = 512


@kernel
def apply(out: Steps, index: int, position: State) -> None:
    """Make the eliminations and placements of step `index` of `out` in `position`."""
    header = FIRST_HEADER + index * WIDTH
    for at in range(out[header + REMOVED], out[header + REMOVED + 1]):
        remove(position, out[at] // 9, out[at] % 9)
    for at in range(out[header + PLACED], out[header + PLACED + 1]):
        place(position, out[at] // 9, out[at] % 9)


@kernel
def walk(
    position: State,
    addresses: NDArray[np.int64],
    limits: NDArray[np.int32],
    out: Steps,
    log: NDArray[np.int32],
    most: int,
) -> tuple[int, int]:
    """Take up to `most` steps from `position`, mutating it; the number of steps logged and how it ended.

    addresses: of each technique's scan, in order.  limits: int32[n, LIMITS_SIZE], theirs.
    log: int32[MOST_STEPS, LOG_WIDTH], a row a step.
    """
    steps = 0
    while position[LEFT] and steps < most:
        entry = 0
        while entry < len(addresses):
            clear(out)
            call_scan(addresses[entry], position, limits[entry], FIRST, out)
            if out[FULL]:
                return steps, OVER
            if out[COUNT]:
                break
            entry += 1
        if entry == len(addresses):
            return steps, STUCK
        header = FIRST_HEADER + (out[COUNT] - 1) * WIDTH
        log[steps, LOG_KEY] = out[header + KEY]
        log[steps, LOG_VARIANT] = out[header + VARIANT]
        log[steps, LOG_SIZE] = out[header + SIZE]
        log[steps, LOG_PLACED] = out[header + PLACED + 1] - out[header + PLACED]
        log[steps, LOG_REMOVED] = out[header + REMOVED + 1] - out[header + REMOVED]
        log[steps, LOG_ENTRY] = entry
        apply(out, out[COUNT] - 1, position)
        steps += 1
    return steps, SOLVED if position[LEFT] == 0 else STUCK


@dataclass(frozen=True)
class Walk:
    """What a walk did."""

    log: NDArray[np.int32]  # [steps, LOG_WIDTH]
    end: int  # SOLVED, STUCK or OVER


class Order:
    """An order of techniques, each with its limits, that can be walked."""

    def __init__(self, entries: Iterable[tuple[str, Mapping[str, int]]]) -> None:
        """entries: technique key and the limits that differ from those of `find`."""
        self.entries = [(key, dict(changes)) for key, changes in entries if key in TECHNIQUES]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The technique of each entry."""
        return tuple(key for key, _ in self.entries)

    @cached_property
    def _addresses(self) -> NDArray[np.int64]:
        return np.array([address_of(TECHNIQUES[key].scan) for key in self.keys], dtype=np.int64)

    @cached_property
    def _limits(self) -> Limits:
        return np.stack([limits_for(key, changes) for key, changes in self.entries])

    @cached_property
    def _buffers(self) -> tuple[Steps, NDArray[np.int32]]:
        return new_steps(_ROOM, _WORDS), np.zeros((MOST_STEPS, LOG_WIDTH), dtype=np.int32)

    def walk(self, position: Position) -> Walk:
        """Solve as far as the order goes."""
        out, log = self._buffers
        state = position.array.copy()
        steps, end = walk(state, self._addresses, self._limits, out, log, MOST_STEPS)
        return Walk(log[:steps].copy(), end)
