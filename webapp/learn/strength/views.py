"""Ratings as pages show them: `1540 ± 80`, `1540?` while provisional, and a plot of their history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from webapp.learn.strength.history import Figure, History, Point
from webapp.process.words import LazyText, format_percent, lazy_gettext
from webapp.process.words import gettext as _

WIDTH, HEIGHT = 100.0, 100.0  # of the drawing, which is stretched to its box
STEPS = (50, 100, 200, 500)  # points between two grid lines
MOST_LINES = 6

# The names of technique families (engine.TECHNIQUES), in the engine's order.
FAMILIES: Final[dict[str, LazyText]] = {
    "singles": lazy_gettext("Singles"),
    "direct": lazy_gettext("Direct eliminations"),
    "locked_candidates": lazy_gettext("Locked candidates"),
    "subsets": lazy_gettext("Pairs, triples and quads"),
    "fish": lazy_gettext("Fish"),
    "single_digit": lazy_gettext("Single-digit patterns"),
    "wings": lazy_gettext("Wings"),
    "coloring": lazy_gettext("Coloring"),
    "uniqueness": lazy_gettext("Uniqueness"),
    "almost_locked_sets": lazy_gettext("Almost locked sets"),
    "chains": lazy_gettext("Chains"),
    "exclusion": lazy_gettext("Exclusion"),
    "forcing": lazy_gettext("Forcing chains"),
    "last_resort": lazy_gettext("Trial and error"),
}


def rating_text(figure: Figure) -> str:
    """Format a rating: `1540 ± 80`; `1540?` while it is provisional."""
    points = round(figure.rating)
    return f"{points}?" if figure.provisional else f"{points} ± {figure.margin}"


def change_text(change: float) -> str:
    """Format a change of a rating: `+12`, `−5`, `±0`."""
    points = round(change)
    return f"{'+' if points > 0 else '−' if points else '±'}{abs(points)}"


def line_text(point: Point) -> str:
    """Say on the finish card how a game changed the rating."""
    rating, change = rating_text(point.figure), change_text(point.change)
    return _("Your rating: %(rating)s (%(change)s)", rating=rating, change=change)


@dataclass(frozen=True, slots=True)
class Row:
    """A game in the table of a history."""

    point: Point
    rating: str
    change: str
    result: str


class StrengthView:
    """A player's rating on their profile: figures, plot and table."""

    def __init__(self, history: History) -> None:
        self.rating = rating_text(history.overall)
        self.provisional = history.overall.provisional
        self.games = history.overall.games
        self.families = [
            (str(name), rating_text(history.families[key]), history.families[key].games)
            for key, name in FAMILIES.items()
            if key in history.families
        ]
        self.rows = [
            Row(point, rating_text(point.figure), change_text(point.change), _result(point.score))
            for point in reversed(history.games)
        ]
        self.plot = Plot(history) if len(history.games) > 1 else None


def _result(score: float) -> str:
    if score == 1:
        return _("solved")
    return _("not solved") if score == 0 else _("%(percent)s credit", percent=format_percent(score))


class Plot:
    """The rating after each game, by number of games, and its margin as a band around it."""

    def __init__(self, history: History) -> None:
        games = history.games
        figures = [point.figure for point in games]
        low = min(figure.rating - figure.margin for figure in figures)
        high = max(figure.rating + figure.margin for figure in figures)
        step = next((step for step in STEPS if (high - low) / step <= MOST_LINES), STEPS[-1])
        across = WIDTH / (len(figures) - 1)

        def y(points: float) -> float:
            return round(HEIGHT * (high - points) / (high - low), 2)

        upper = [f"{index * across:.2f},{y(one.rating + one.margin)}" for index, one in enumerate(figures)]
        lower = [f"{index * across:.2f},{y(one.rating - one.margin)}" for index, one in enumerate(figures)]
        self.band = " ".join([*upper, *reversed(lower)])
        self.line = " ".join(f"{index * across:.2f},{y(one.rating)}" for index, one in enumerate(figures))
        first = -int(-low // step) * step
        self.ticks = [(y(points), points) for points in range(first, int(high) + 1, step)]
        self.first, self.last = games[0].at, games[-1].at
