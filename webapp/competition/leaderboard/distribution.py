"""The distribution of a daily's solve times, in bars that fit their range."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

STEPS = (15, 30, 60, 120, 300, 600, 1800, 3600)  # seconds that a bar may span
MOST_BARS = 20
TAIL = 0.97  # share of solves before the last bar, which contains all slower ones


@dataclass(frozen=True, slots=True)
class Bar:
    """The solves that took from `start` seconds to less than `end`; no end for the last bar of a long
    tail.
    """

    start: int
    end: int | None
    solves: int
    mine: bool


def bars(counts: dict[int, int], own_second: int | None) -> list[Bar]:
    """Return the bars for solves counted by whole second, in order.

    The player's own second has a bar too, even without a solve in it.
    """
    if not counts:
        return []
    total, passed = sum(counts.values()), 0
    first = last = next(iter(counts))
    for second, solves in counts.items():
        if passed >= TAIL * total:
            break
        passed, last = passed + solves, second
    first = first if own_second is None else min(first, own_second)
    step = next((step for step in STEPS if last // step - first // step < MOST_BARS), STEPS[-1])
    begin, end = first // step, min(last // step, first // step + MOST_BARS - 1)
    by_bar: Counter[int] = Counter()
    for second, solves in counts.items():
        by_bar[min(second // step, end + 1)] += solves
    own = None if own_second is None else min(own_second // step, end + 1)
    last_bar = end + 1 if by_bar[end + 1] or own == end + 1 else end
    return [
        Bar(step * bar, None if bar == end + 1 else step * (bar + 1), by_bar[bar], bar == own)
        for bar in range(begin, last_bar + 1)
    ]
