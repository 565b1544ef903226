"""The distribution of a day's solve times: bars that fit their range, as a chart without colors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from webapp.process.words import gettext as _
from webapp.web.i18n import clock_text

STEPS = (15, 30, 60, 120, 300, 600, 1800, 3600)  # seconds that a bar may span
MOST_BARS = 20
TAIL = 0.97  # share of solves before the last bar, which contains all slower ones
WIDTH, HEIGHT = 640, 200
LEFT, TOP, BOTTOM = 40, 24, 36  # space for the scale, the marker above the player's bar, and the times
GAP = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """The solves that took from `start` seconds to less than `end`; no end for the last bar of a long
    tail.
    """

    start: int
    end: int | None
    solves: int
    mine: bool
    x: float
    y: float
    width: float
    height: float

    @property
    def begins(self) -> str:
        return clock_text(1000 * self.start)

    @property
    def words(self) -> str:
        """The bar's range."""
        if self.end is None:
            return _("%(start)s or more", start=self.begins)
        return _("%(start)s to %(end)s", start=self.begins, end=clock_text(1000 * self.end - 1))

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)


class Chart:
    """All bars, the scale's lines, and the times below."""

    def __init__(self, counts: dict[int, int], own_second: int | None, least: float = 0) -> None:
        """counts: solves by whole second, in order. The player's second has a bar even without a solve.

        least: the height of a bar without solves.
        """
        grouped = _grouped(counts, own_second)
        floor, most = HEIGHT - BOTTOM, max(solves for _start, _end, solves, _mine in grouped)
        width, unit = (WIDTH - LEFT) / len(grouped), (floor - TOP) / most
        self.bars = [
            Bar(
                *bar,
                x=round(LEFT + number * width + GAP / 2, 1),
                y=round(floor - max(bar[2] * unit, least), 1),
                width=round(width - GAP, 1),
                height=round(max(bar[2] * unit, least), 1),
            )
            for number, bar in enumerate(grouped)
        ]
        self.lines = [(round(floor - value * unit, 1), value) for value in sorted({0, most // 2, most})]
        every = -(-len(grouped) // 6)  # at most six times fit below the chart on a phone
        self.times = [(bar.x, bar.begins) for bar in self.bars[::every]]
        self.own = next((bar for bar in self.bars if bar.mine), None)


def _grouped(counts: dict[int, int], own_second: int | None) -> list[tuple[int, int | None, int, bool]]:
    """Return start, end and solves of each bar, and whether it is the player's."""
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
        (step * bar, None if bar == end + 1 else step * (bar + 1), by_bar[bar], bar == own)
        for bar in range(begin, last_bar + 1)
    ]
