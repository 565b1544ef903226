"""Read ratings: of a player with their history, of a puzzle, of one game. Changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from webapp.learn.strength import scoring
from webapp.learn.strength.glicko import CENTER, Rating, updated
from webapp.models import Player, PlayerRating, Puzzle, PuzzleRating, RatedGame, Status
from webapp.models.learning.strength import ALONE, OVERALL
from webapp.process.column_types import UtcDateTime
from webapp.process.database import db

MOST_GAMES = 200  # the latest, in a history
FEWEST_GAMES = 10  # fewer make a puzzle's rating provisional


@dataclass(frozen=True, slots=True)
class Figure:
    """A displayed rating."""

    rating: float
    deviation: float
    games: int
    provisional: bool

    @property
    def margin(self) -> int:
        """Half of the 80 % interval, in points, rounded to tens."""
        return max(10, 10 * round(scoring.FOUR_OF_FIVE * self.deviation / 10))


@dataclass(frozen=True, slots=True)
class Point:
    """A player's rating after one of their games."""

    at: datetime
    puzzle_id: int
    score: float
    figure: Figure
    change: float


@dataclass(frozen=True, slots=True)
class History:
    """A player's rating, those by family, and the latest games."""

    overall: Figure
    families: Mapping[str, Figure]
    games: Sequence[Point]  # oldest first, at most MOST_GAMES


def of_player(player_id: int, now: datetime) -> History | None:
    """Return a player's current ratings; None before the first game, or if they want none."""
    rows = db.session.scalars(
        sa.select(PlayerRating)
        .join(Player, Player.id == PlayerRating.player_id)
        .where(PlayerRating.player_id == player_id, Player.rated_since.is_not(None))
        .order_by(PlayerRating.family)
    ).all()
    figures = {row.family: _aged(row, now) for row in rows}
    overall = figures.pop(OVERALL, None)
    figures.pop(ALONE, None)  # only for rating puzzles: it adds nothing for the player
    return None if overall is None else History(overall, figures, _games(player_id))


def _aged(row: PlayerRating, now: datetime) -> Figure:
    """Return a rating with the deviation increased by the time since the last game."""
    days = max(0.0, (now - row.rated_at) / timedelta(days=1))
    aged = updated(Rating(row.rating, row.deviation, row.volatility), (), days)
    return _figure(aged.rating, aged.deviation, row.games)


def _figure(rating: float, deviation: float, games: int = 0) -> Figure:
    return Figure(rating, deviation, games, deviation > scoring.PROVISIONAL)


def _games(player_id: int, until: RatedGame | None = None, most: int = MOST_GAMES) -> list[Point]:
    """Return a player's latest games, up to `until` or all, with the change by each; oldest first."""
    at = sa.tuple_(RatedGame.rated_at, RatedGame.attempt_id)
    latest = sa.select(RatedGame).where(RatedGame.player_id == player_id)
    if until is not None:
        latest = latest.where(at <= sa.tuple_(sa.literal(until.rated_at, UtcDateTime), until.attempt_id))
    newest_first = RatedGame.rated_at.desc(), RatedGame.attempt_id.desc()
    games = db.session.scalars(latest.order_by(*newest_first).limit(most + 1)).all()
    before = [*(game.rating for game in games[1:]), CENTER]
    points = [
        Point(
            game.rated_at,
            game.puzzle_id,
            game.score,
            _figure(game.rating, game.deviation),
            game.rating - rating_before,
        )
        for game, rating_before in zip(games, before, strict=False)
    ]
    return points[:most][::-1]


def of_attempt(attempt_id: str) -> Point | None:
    """Return how a game changed its player's rating; None if it hasn't counted, or they want no rating."""
    counted = (
        sa.select(RatedGame)
        .join(Player, Player.id == RatedGame.player_id)
        .where(RatedGame.attempt_id == attempt_id, Player.rated_since.is_not(None))
    )
    game = db.session.scalar(counted)
    return None if game is None else _games(game.player_id, game, most=1)[0]


def of_puzzle(puzzle_id: int) -> Figure | None:
    """Return a puzzle's rating; None for one without an expected time, and for entered ones."""
    row = db.session.get(PuzzleRating, puzzle_id)
    if row is not None:
        return Figure(row.rating, row.deviation, row.games, row.games < FEWEST_GAMES)
    puzzle = db.session.get(Puzzle, puzzle_id)
    if puzzle is None or puzzle.status == Status.ENTERED or not puzzle.expected_seconds:
        return None
    first = scoring.start(puzzle.expected_seconds, puzzle.explainer)
    return Figure(first.rating, first.deviation, 0, provisional=True)
