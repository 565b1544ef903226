"""The layout of a distribution chart: bars, labels and scale, without colors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.competition.leaderboard.distribution import Bar
from webapp.process.words import gettext as _
from webapp.web.i18n import clock_text

WIDTH, HEIGHT = 640, 200
LEFT, TOP, BOTTOM = 40, 24, 36  # space for the scale, the marker above the player's bar, and the times
GAP = 4


@dataclass(frozen=True, slots=True)
class Drawn:
    """One bar as drawn."""

    bar: Bar
    x: float
    y: float
    width: float
    height: float
    words: str  # the bar's range

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)


class Chart:
    """All bars, the scale's lines, and the times below."""

    def __init__(self, bars: Sequence[Bar]) -> None:
        width, floor = WIDTH - LEFT, HEIGHT - BOTTOM
        most = max(bar.solves for bar in bars)
        step = width / len(bars)
        unit = (floor - TOP) / most
        self.floor = floor
        self.bars = [
            Drawn(
                bar,
                round(LEFT + number * step + GAP / 2, 1),
                round(floor - bar.solves * unit, 1),
                round(step - GAP, 1),
                round(bar.solves * unit, 1),
                spans(bar),
            )
            for number, bar in enumerate(bars)
        ]
        self.lines = [(round(floor - value * unit, 1), value) for value in sorted({0, most // 2, most})]
        every = -(-len(bars) // 6)  # at most six times fit below the chart on a phone
        self.times = [
            (drawn.x, clock_text(1000 * drawn.bar.start))
            for number, drawn in enumerate(self.bars)
            if number % every == 0
        ]
        self.own = next((drawn for drawn in self.bars if drawn.bar.mine), None)


def spans(bar: Bar) -> str:
    """Return the time range of a bar in words."""
    start = clock_text(1000 * bar.start)
    if bar.end is None:
        return _("%(start)s or more", start=start)
    return _("%(start)s to %(end)s", start=start, end=clock_text(1000 * bar.end - 1))
