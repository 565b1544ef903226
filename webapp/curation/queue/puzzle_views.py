"""Views for a puzzle's page on the desk: its scores and chart as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.bank.breakdown import Breakdown
from webapp.process.words import gettext as _

WIDTH, HEIGHT, LEFT, FLOOR = 640, 180, 36, 150  # bottom of the chart


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one scheme."""

    name: str
    words: str  # its scale
    value: float | None  # None if it gave up
    form: str  # format of its value


def scores_of(whole: Breakdown | None) -> list[Score]:
    """Return the scores of all schemes."""
    if whole is None:
        return []
    schemes = {
        "explainer": (_("Sudoku Explainer"), _("ER of the hardest step, 1.0 to 11.9")),
        "explainer_pearl": (_("Explainer, pearl"), _("ER of the hardest step before the first digit")),
        "explainer_diamond": (_("Explainer, diamond"), _("ER of the very first step")),
        "weighted_rules": (_("Fourteen weighted rules"), _("D")),
        "givens_and_search": (_("Givens and search"), _("0 to 5")),
        "decision_tree": (_("Decision tree"), _("1 to 4")),
    }
    return [
        Score(*words, value=whole.scores[key], form="%.1f" if key.startswith("explainer") else "%g")
        for key, words in schemes.items()
        if key in whole.scores
    ]


@dataclass(frozen=True, slots=True)
class Bar:
    """The number of openings at one step."""

    step: int
    value: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class OpeningsChart:
    """The number of cells a single can fill, step by step."""

    bars: list[Bar]
    lines: list[tuple[float, int]]  # y, value
    ticks: list[tuple[float, int]]  # x, step
    least: Bar | None  # the bottleneck: the step with the fewest openings


def openings_chart(openings: Sequence[float]) -> OpeningsChart | None:
    """Return the chart; None if there is nothing to draw."""
    if not openings:
        return None
    top = max(5.0, *openings)
    step = 5 if top <= 20 else 10
    wide = (WIDTH - LEFT) / len(openings)

    def y(value: float) -> float:
        return round(FLOOR - (FLOOR - 10) * value / top, 2)

    bars = [
        Bar(
            number,
            value,
            round(LEFT + wide * (number - 1), 2),
            y(value),
            round(max(1.0, wide - 1.5), 2),
            round(FLOOR - y(value), 2),
        )
        for number, value in enumerate(openings, 1)
    ]
    return OpeningsChart(
        bars,
        [(y(value), value) for value in range(0, int(top) + 1, step)],
        [(round(LEFT + wide * (number - 0.5), 2), number) for number in range(10, len(openings) + 1, 10)],
        min(bars, key=lambda bar: bar.value),
    )
