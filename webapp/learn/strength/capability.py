"""Strength: ratings of players and puzzles, and the next puzzle for a player."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from webapp.capability import Capability, Records, ask
from webapp.learn.strength import anchoring, choice, history, strength
from webapp.learn.strength.views import line_text, rating_text
from webapp.models import Attempt, PlayerRating, RatedGame
from webapp.process.jobs import Job, Schedule

KEPT = Schedule("strength", "* * * * *")
ANCHOR = Schedule("anchor", "40 3 * * *")


def solved(attempt: Attempt, now: datetime) -> None:
    """Count a solve in the player's rating."""
    strength.settle(attempt.player_id, now)


def suggestion(player_id: int | None, shift: str, now: datetime) -> tuple[int | None, Sequence[int]]:
    """Return the puzzle that suits a player best, if one is close, and the levels, closest first."""
    due = [technique for techniques in ask("techniques due", player_id, now) for technique in techniques]
    wish = choice.wanted(player_id, shift)
    return choice.next_puzzle(player_id, wish, due), wish.levels


def line_of_solve(attempt_id: str) -> str | None:
    """Say how a game changed its player's rating."""
    point = history.of_attempt(attempt_id)
    return None if point is None else line_text(point)


def rating_of_puzzle(puzzle_id: int) -> str | None:
    """Format a puzzle's rating."""
    figure = history.of_puzzle(puzzle_id)
    return None if figure is None else rating_text(figure)


def anchor(_now: datetime) -> int:
    """Recenter the scale of puzzles."""
    anchoring.anchor()
    return 1


CAPABILITY = Capability(
    key="strength",
    jobs=(
        Job("begin_ratings", KEPT, lambda _now: strength.begin_ratings()),
        Job("count_given_up", KEPT, strength.count_given_up),
        Job("refold_older", KEPT, lambda _now: strength.refold_older()),
        Job("anchor", ANCHOR, anchor),
    ),
    records=(
        Records(
            PlayerRating,
            "ratings",
            ("family", "rating", "deviation", "volatility", "games", "rated_at"),
            move=False,
        ),
        Records(
            RatedGame,
            "rated_games",
            ("score", "puzzle_rating", "rating", "deviation"),
            {"attempt": "attempt_id", "puzzle": "puzzle_id", "at": "rated_at"},
            move=False,
        ),
    ),
    merge=strength.merge,
    solved=solved,
    hooks={
        "suggestion": suggestion,
        "puzzle of minutes": choice.of_minutes,
        "line of a solve": line_of_solve,
        "rating of a puzzle": rating_of_puzzle,
    },
)
