"""The score of a game, a puzzle's initial rating, and how a game changes both ratings.

Pure: docs/strength.md explains it with the measured figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log2
from typing import Final

from webapp.game.moves import Kind
from webapp.learn.strength.glicko import Rating, updated

ALLOWANCE: Final = 2.0  # expected times within which a solve gets the full score
LATE: Final = 0.5  # the score of a slower one
CHECK: Final = 0.5  # cost of a check: with one, a player can have every digit checked
HINTS: Final = {1: 0.0, 2: 0.25, 3: 0.375, 4: 0.5}  # cost of a hint, by its depth
LOST: Final = 0.0

# An average player solves a puzzle of ER 4 and 12 expected minutes every other time.
MIDDLE_SECONDS: Final = 720.0
MIDDLE_ER: Final = 4.0
PER_DOUBLED_TIME: Final = 200.0  # points
PER_DOUBLED_ER: Final = 150.0
HARDEST_ER: Final = 12.0  # for a puzzle whose ER is unknown because the search for it gave up
# Gives the engine's estimate the weight of about 35 games, so that a few odd solves change little.
START_DEVIATION: Final = 60.0

PROVISIONAL: Final = 110.0  # the deviation above which a player's rating is marked "?" and changes no puzzle
FOUR_OF_FIVE: Final = 1.2816  # standard deviations to either side


def score(elapsed_seconds: float, expected_seconds: float, cost: float) -> float:
    """Return the score of a finished game, 0 to 1. cost: of its help, from `cost_of_help`."""
    in_time = elapsed_seconds <= ALLOWANCE * expected_seconds
    return max(LOST, (1.0 if in_time else LATE) - cost)


def cost_of_help(asked: Iterable[tuple[int, str, int | None]]) -> float:
    """Return the cost of a game's hints and checks, in points of the score.

    asked: seq, kind and digit of its hints and checks in order, as docs/move-log.md defines them. Consecutive
    hints are one hint of their largest depth; one without a digit asks for another step.
    """
    cost, depth, last = 0.0, 0, -1
    for seq, kind, digit in asked:
        if kind == Kind.CHECK:
            cost, depth = cost + CHECK, 0
        else:
            following = seq == last + 1 and depth > 0
            if not following:
                depth = 0
            before = HINTS[depth] if depth and digit is not None else 0.0
            depth = max(depth, digit or 1)
            cost += HINTS[depth] - before
        last = seq
    return cost


def start(expected_seconds: float, explainer: float | None) -> Rating:
    """Return the initial rating of a puzzle, from the engine's estimates."""
    by_time = PER_DOUBLED_TIME * log2(expected_seconds / MIDDLE_SECONDS)
    by_er = PER_DOUBLED_ER * log2((explainer or HARDEST_ER) / MIDDLE_ER)
    return Rating(1500.0 + by_time + by_er, START_DEVIATION)


def player_after(player: Rating, puzzle: Rating, scored: float, days: float) -> Rating:
    """Return a player's rating after one game. days: since the last one; a day is a rating period."""
    return updated(player, [(puzzle, scored)], days)


def puzzle_after(puzzle: Rating, alone: Rating, scored: float, *, assisted: bool) -> Rating:
    """Return a puzzle's rating after one game. A puzzle is constant: no time passes for it.

    alone: the player's rating over games without help. Games with help say nothing about a puzzle, and most
    of them would have been lost without it: players of the other games are better than their overall ratings
    say. Rated against those, puzzles sank without end. Games of players with a provisional rating change no
    puzzle either.
    """
    if assisted or alone.deviation > PROVISIONAL:
        return puzzle
    return updated(puzzle, [(alone, 1 - scored)], 0)
