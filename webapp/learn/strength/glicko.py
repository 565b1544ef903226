"""Glicko-2: a rating, its deviation and its volatility. Pure; independent of puzzles and players.

Source: Mark Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf), whose steps are named
below. Two things differ here. Every game is a rating period of its own, so that a rating is current when the
game ends, and step 6 increases the deviation by the time since the last one, as lichess does. And one side
may be constant (a puzzle): then no time passes for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, log, pi, sqrt
from typing import Final

SCALE: Final = 173.7178  # points per unit of the paper's own scale, 400 / ln 10
CENTER: Final = 1500.0
WIDEST: Final = 350.0  # the deviation of a new player
VOLATILITY: Final = 0.06
TAU: Final = 0.5  # limits changes of the volatility; the paper advises 0.3 to 1.2
PRECISION: Final = 1e-6  # of the volatility, as in the paper


@dataclass(frozen=True, slots=True)
class Rating:
    """Points, their standard deviation, and the volatility, which isn't in points."""

    rating: float = CENTER
    deviation: float = WIDEST
    volatility: float = VOLATILITY


Game = tuple[Rating, float]  # the opponent, and the score: 1 won, 0 lost, or anything between


def opponent_for(own: Rating, score: float, deviation: float) -> float:
    """Return the rating of an opponent of this deviation against whom `own` scores `score`, 0 < score < 1.

    Uses both deviations, as Glickman advises for predictions: with a large deviation of one's own, it is
    further from 1500.
    """
    g = _g(hypot(own.deviation, deviation) / SCALE)
    return own.rating - SCALE * log(score / (1 - score)) / g


def updated(own: Rating, games: Sequence[Game], periods: float = 1.0) -> Rating:
    """Return the rating after these games (steps 2 to 8); without games only the deviation grows.

    periods: time since the last games, in rating periods; 0 for a constant rating.
    """
    deviation = own.deviation / SCALE
    precision = surprise = 0.0
    for opponent, score in games:
        g = _g(opponent.deviation / SCALE)
        e = 1 / (1 + exp(-g * ((own.rating - opponent.rating) / SCALE)))
        precision += g * g * e * (1 - e)
        surprise += g * (score - e)
    volatility = own.volatility
    if games and periods:
        volatility = _volatility(deviation, volatility, 1 / precision, surprise / precision)
    grown = sqrt(deviation * deviation + periods * volatility * volatility)
    narrowed = 1 / sqrt(1 / (grown * grown) + precision)
    return Rating(
        own.rating + SCALE * narrowed * narrowed * surprise,
        min(SCALE * narrowed, WIDEST),
        volatility,
    )


def _g(deviation: float) -> float:
    """Return the weight of a game against an opponent of this deviation (step 3)."""
    return 1 / sqrt(1 + 3 * deviation * deviation / (pi * pi))


def _volatility(deviation: float, volatility: float, variance: float, difference: float) -> float:
    """Return the new volatility (step 5): the root of the paper's f, by the Illinois method."""
    start = log(volatility * volatility)
    known = deviation * deviation + variance

    def f(x: float) -> float:
        spread = exp(x)
        over = known + spread
        return spread * (difference * difference - over) / (2 * over * over) - (x - start) / (TAU * TAU)

    low = start
    if difference * difference > known:
        high = log(difference * difference - known)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
