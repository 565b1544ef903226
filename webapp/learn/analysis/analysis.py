"""Decide whether a position may be analyzed, and let the engine analyze it. Stores nothing.

Open and future dailies are refused, and puzzles that the same player is still playing without help: every
step would be a hint. Such a game may be analyzed once it is solved, or help was used in it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import engine
from engine import warm
from engine.formats import shown_marks as shown
from engine.search import within
from webapp.bank import ratings
from webapp.competition.daily import secrecy
from webapp.identity import costs, limits
from webapp.identity.aside import Aside
from webapp.learn import path
from webapp.learn.analysis.states import State
from webapp.learn.path import Path
from webapp.process.database import db
from webapp.process.errors import Refusal
from webapp.process.words import gettext as _

MOST_COUNTED: Final = 1_000  # solutions counted before we say "more than"
MOST_NODES: Final = 200_000  # of that count: some tenths of a second
MOST_OF_EACH: Final = 24  # stored steps of one technique: nets find thousands
MOST_KEPT: Final = 64  # positions with cached steps, some hundred KB each


class Secret(Refusal):
    """A position that may not be analyzed now."""

    def __init__(self, message: str, attempt_id: str | None = None) -> None:
        """attempt_id: the player's own game that it comes from; None for an open daily."""
        super().__init__(message)
        self.attempt_id = attempt_id


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a position can still be solved."""

    solutions: int  # counted up to MOST_COUNTED + 1
    counted: bool  # whether the count is complete; else it was cut off
    differ: tuple[tuple[int, int, int], ...] = ()  # up to two cells, each with its digits in two solutions
    wrong: tuple[tuple[int, int], ...] = ()  # (cell, digit) that differ from its puzzle's unique solution

    @property
    def solvable(self) -> bool:
        """Whether exactly one solution is left, so that logic can find steps."""
        return self.solutions == 1


@dataclass(frozen=True, slots=True)
class Found:
    """The steps of one technique in a position."""

    key: str
    count: int
    steps: tuple[engine.Step, ...]  # the first MOST_OF_EACH

    @property
    def more(self) -> int:
        return self.count - len(self.steps)


@dataclass(frozen=True, slots=True)
class Steps:
    """All steps that exist in a position, easiest technique first."""

    found: tuple[Found, ...]
    gave_up: tuple[str, ...]  # techniques whose search exceeded its limit


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position and its analysis so far; None for parts that are still being computed."""

    state: State
    verdict: Verdict
    steps: Steps | None
    path: Path | None
    rating: engine.Rating | None
    rated: bool  # whether its puzzle can have a rating


def analyze(state: State, player_id: int | None, now: datetime, patience: float | None = None) -> Analysis:
    """Analyze a position.

    patience: seconds to wait for each slow part; None for `aside.PATIENCE`.
    Raises Secret, and TooMany.
    """
    position = state.position
    refuse(state, player_id, now)
    found = verdict(state)
    db.session.rollback()  # no open transaction while the engine works
    if not found.solvable or position.solved:
        return Analysis(state, found, Steps((), ()), (), _rating(state, patience), position.unique)
    if not warm.ready():
        return Analysis(state, found, None, None, None, position.unique)
    if not _steps.knows(position):
        costs.demand(limits.WORK)
    _steps.ask(position, 0.0)  # start the slow parts first
    way = path.path_of(position, patience)
    rating = _rating(state, patience)
    return Analysis(state, found, _steps.ask(position, patience), way, rating, position.unique)


def refuse(state: State, player_id: int | None, now: datetime) -> None:
    """Raise Secret for a position of an open daily, and of a game that this player plays without help."""
    grid = state.position.grid
    if secrecy.is_open_daily(grid, now):
        raise Secret(
            _("This comes from a daily that’s still open. You can analyze it once its leaderboard closes.")
        )
    attempt_id = secrecy.own_game(grid, player_id)
    if attempt_id is not None:
        raise Secret(secrecy.still_playing(), attempt_id)


def verdict(state: State) -> Verdict:
    """Return how many solutions a position has, with evidence if it isn't one."""
    position = state.position
    found = within(shown(position.grid, state.masks), MOST_COUNTED + 1, MOST_NODES)
    solutions = found.solutions
    if not solutions:
        return Verdict(0, not found.exceeded, wrong=tuple(sorted(position.wrong())))
    differ: tuple[tuple[int, int, int], ...] = ()
    if len(solutions) > 1:
        pairs = zip(solutions[0].digits, solutions[1].digits, strict=True)
        differ = tuple((cell, one, other) for cell, (one, other) in enumerate(pairs) if one != other)[:2]
    return Verdict(len(solutions), not found.exceeded and len(solutions) <= MOST_COUNTED, differ)


def _rating(state: State, patience: float | None) -> engine.Rating | None:
    return ratings.rating_of(state.givens, patience) if state.position.unique else None


def _all_steps(position: engine.Position) -> Steps:
    gave_up: tuple[str, ...] = ()
    try:
        steps = engine.all_steps(position, techniques=engine.TECHNIQUES, distinct=False)
    except engine.GaveUp as error:
        steps, gave_up = list(error.steps), error.keys
    by_key: dict[str, list[engine.Step]] = defaultdict(list)
    for step in steps:
        by_key[step.technique].append(step)
    found = (
        Found(key, len(by_key[key]), tuple(by_key[key][:MOST_OF_EACH]))
        for key in engine.TECHNIQUES
        if key in by_key
    )
    return Steps(tuple(found), gave_up)


_steps: Aside[engine.Position, Steps] = Aside(_all_steps, MOST_KEPT)
