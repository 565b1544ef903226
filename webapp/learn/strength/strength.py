"""Rated games: count games that players finish or abandon, withdraw those that a curator removes.

Only a player's first game of a puzzle counts, once. Owns its transactions, except `withdraw` and `refold`.
All of them lock the player first and then puzzles by number, like `webapp.competition.ranking.placing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

import engine
from webapp.competition import logs
from webapp.competition.counting import BARRED, RACED
from webapp.competition.ranking import placing
from webapp.competition.statistics import expected_seconds
from webapp.game.moves import LAST_SEQ, Kind
from webapp.learn.strength import scoring
from webapp.learn.strength.glicko import Rating
from webapp.models import (
    Attempt,
    Player,
    PlayerRating,
    Puzzle,
    PuzzleRating,
    RatedGame,
    Standing,
    Status,
)
from webapp.models.learning.strength import ALONE, OVERALL
from webapp.process.database import db, rows_changed, upsert, write_tx

CATCH_UP = timedelta(days=2)  # the age up to which a finished game is counted with the next one
MOST_AT_ONCE = 20  # games per transaction
# A game with this many moves counts as abandoned when unfinished and untouched for so long.
FEWEST_MOVES = 10
GIVEN_UP = timedelta(days=14)
UNTOUCHED = timedelta(days=7)
LOOKED_BACK = timedelta(days=7)  # the longest outage of the worker without missing a game
STEP = 500  # puzzles per transaction

_player, _puzzle, _game = PlayerRating.__table__, PuzzleRating.__table__, RatedGame.__table__
PLAYED = sa.select(_game)  # with the columns that `fold` needs


@dataclass(frozen=True, slots=True)
class Played:
    """A game to be counted, as read before the lock is taken."""

    attempt_id: str
    puzzle_id: int
    started_at: datetime
    score: float
    assisted: bool
    hardest: str | None
    start: Rating  # of the puzzle, if it has no games

    @property
    def family(self) -> str:
        """The family of the hardest technique; empty if it is unknown."""
        technique = engine.TECHNIQUES.get(self.hardest or "")
        return OVERALL if technique is None else technique.family

    @property
    def counts_for(self) -> set[str]:
        """The families of the player's ratings that it changes."""
        return _counts_for(self.family, assisted=self.assisted)


def _counts_for(family: str, *, assisted: bool) -> set[str]:
    return {OVERALL, family} if assisted else {OVERALL, family, ALONE}


# Trusted: no rule matches it, or a curator has cleared it.
_BELIEVED = sa.or_(
    sa.and_(
        Attempt.doubts.is_(None),
        sa.or_(Attempt.standing.is_(None), Attempt.standing == Standing.ASSISTED),
    ),
    Attempt.standing == Standing.VERIFIED,
)
_COUNTED = sa.exists().where(
    RatedGame.player_id == Attempt.player_id, RatedGame.puzzle_id == Attempt.puzzle_id
)
_UNCOUNTED = (
    sa.select(
        Attempt.id,
        Attempt.player_id,
        Attempt.puzzle_id,
        Attempt.started_at,
        Attempt.finished_at,
        Attempt.elapsed_ms,
        Attempt.assisted,
        Puzzle.expected_seconds,
        Puzzle.explainer,
        Puzzle.hardest,
    )
    .join(Puzzle, Puzzle.id == Attempt.puzzle_id)
    .join(Player, Player.id == Attempt.player_id)
    .where(
        Attempt.started_at >= Player.rated_since,
        Puzzle.status != Status.ENTERED,
        Puzzle.expected_seconds > 0,
        ~BARRED,
        ~_COUNTED,
        # A race counts like any other first solve, but only if it was finished without help.
        sa.or_(~RACED, sa.and_(Attempt.finished_at.is_not(None), ~Attempt.assisted)),
    )
)


def settle(player_id: int, now: datetime, since: datetime | None = None) -> int:
    """Count a player's finished games that aren't counted yet, oldest first. Returns how many.

    since: when the first of them ended; by default CATCH_UP ago, so that a game that couldn't be counted at
    its end (the database was busy, the puzzle wasn't rated yet) is counted with the next. Raises Busy.
    """
    query = _UNCOUNTED.where(
        Attempt.player_id == player_id,
        Attempt.finished_at >= (now - CATCH_UP if since is None else since),
        _BELIEVED,
    )
    rows = db.session.execute(query.order_by(Attempt.finished_at, Attempt.id).limit(MOST_AT_ONCE)).all()
    return _count(player_id, [_played(row) for row in rows], now)


def count_given_up(now: datetime) -> int:
    """Count abandoned games as lost. Returns how many.

    A game that is finished later stays lost.
    """
    query = _UNCOUNTED.where(
        Attempt.finished_at.is_(None),
        Attempt.started_at.between(now - GIVEN_UP - LOOKED_BACK, now - GIVEN_UP),
        Attempt.updated_at <= now - UNTOUCHED,
        Attempt.last_seq >= FEWEST_MOVES,
    )
    given_up = 0
    for row in db.session.execute(query.order_by(Attempt.started_at, Attempt.id)).all():
        given_up += _count(row.player_id, [_played(row)], now)
    return given_up


def _played(row: Any) -> Played:
    scored = scoring.LOST
    if row.finished_at is not None:
        expected = expected_seconds(row.puzzle_id, row.expected_seconds, without=row.player_id)
        scored = scoring.score(row.elapsed_ms / 1000, expected, _cost(row.id) if row.assisted else 0.0)
    start = scoring.start(row.expected_seconds, row.explainer)
    return Played(row.id, row.puzzle_id, row.started_at, scored, row.assisted, row.hardest, start)


def _cost(attempt_id: str) -> float:
    log = logs.part(attempt_id, 1, LAST_SEQ)
    asked = ((move.seq, move.kind, move.digit) for move, _at in log if move.kind in (Kind.HINT, Kind.CHECK))
    return scoring.cost_of_help(asked)


def _count(player_id: int, games: Sequence[Played], now: datetime) -> int:
    """Count these games of a player in one short transaction, unless that was done meanwhile."""
    db.session.rollback()  # no open transaction while waiting for the lock
    if not games:
        return 0
    with write_tx():
        return _store(player_id, games, now)


def _store(player_id: int, games: Sequence[Played], now: datetime) -> int:
    connection = db.session.connection()
    if not placing.hold(connection, Player.id == player_id):
        return 0  # deleted meanwhile
    fresh = _fresh(connection, player_id, games)
    if not fresh:
        return 0
    puzzles = _held(connection, fresh)
    families = {ALONE}.union(*(game.counts_for for game in fresh.values()))
    own = {
        row.family: row
        for row in connection.execute(
            sa.select(_player).where(_player.c.player_id == player_id, _player.c.family.in_(families))
        )
    }
    ratings = {
        name: (Rating(row.rating, row.deviation, row.volatility), row.games) for name, row in own.items()
    }
    rated_at = {name: row.rated_at for name, row in own.items()}
    # Games stay in order even if the clock has been set back.
    at = max([now, *rated_at.values()])
    for number, game in enumerate(fresh.values()):
        when = at + timedelta(microseconds=number)
        puzzle, alone = puzzles[game.puzzle_id], ratings.get(ALONE, (Rating(), 0))[0]
        for name in game.counts_for:
            before, played = ratings.get(name, (Rating(), 0))
            days = _days(rated_at.get(name), when)
            ratings[name] = scoring.player_after(before, puzzle, game.score, days), played + 1
            rated_at[name] = when
        after = scoring.puzzle_after(puzzle, alone, game.score, assisted=game.assisted)
        connection.execute(
            sa.insert(_game).values(
                attempt_id=game.attempt_id,
                player_id=player_id,
                puzzle_id=game.puzzle_id,
                rated_at=when,
                score=game.score,
                family=game.family,
                assisted=game.assisted,
                puzzle_rating=puzzle.rating,
                puzzle_deviation=puzzle.deviation,
                puzzle_moved=after.rating - puzzle.rating,
                rating=ratings[OVERALL][0].rating,
                deviation=ratings[OVERALL][0].deviation,
            )
        )
        if after is not puzzle:
            moved = {"rating": after.rating, "deviation": after.deviation, "games": _puzzle.c.games + 1}
            connection.execute(sa.update(_puzzle).where(_puzzle.c.puzzle_id == game.puzzle_id).values(moved))
    _keep(connection, player_id, {name: (*ratings[name], rated_at[name]) for name in ratings})
    if OVERALL in own and ALONE in ratings.keys() - own.keys():
        refold(player_id)  # games older than this rating count for it too
    return len(fresh)


def _fresh(connection: sa.Connection, player_id: int, games: Sequence[Played]) -> dict[int, Played]:
    """Return by puzzle the uncounted games since the player's rating was turned on."""
    since = connection.scalar(sa.select(Player.rated_since).where(Player.id == player_id))
    numbers = [game.puzzle_id for game in games]
    counted = _game.c.player_id == player_id, _game.c.puzzle_id.in_(numbers)
    met = set(connection.scalars(sa.select(_game.c.puzzle_id).where(*counted)))
    return {
        game.puzzle_id: game
        for game in games
        if game.puzzle_id not in met and since is not None and game.started_at >= since
    }


def _days(last: datetime | None, when: datetime) -> float:
    """Return the days between two games; those of a first game are one rating period."""
    return 1.0 if last is None else max(0.0, (when - last) / timedelta(days=1))


def _held(connection: sa.Connection, games: dict[int, Played]) -> dict[int, Rating]:
    """Return the ratings of these puzzles, locked in the order of their numbers, creating missing ones."""
    rows = [_first_row(number, games[number].start, games[number].hardest) for number in sorted(games)]
    connection.execute(upsert(_puzzle).on_conflict_do_nothing(), rows)
    held = sa.select(_puzzle).where(_puzzle.c.puzzle_id.in_(games)).order_by(_puzzle.c.puzzle_id)
    return {
        row.puzzle_id: Rating(row.rating, row.deviation) for row in connection.execute(held.with_for_update())
    }


def _first_row(puzzle_id: int, start: Rating, hardest: str | None) -> dict[str, Any]:
    return {
        "puzzle_id": puzzle_id,
        "rating": start.rating,
        "deviation": start.deviation,
        "games": 0,
        "hardest": hardest,
    }


def _keep(
    connection: sa.Connection, player_id: int, ratings: dict[str, tuple[Rating, int, datetime]]
) -> None:
    rows = [
        {
            "player_id": player_id,
            "family": family,
            "rating": rating.rating,
            "deviation": rating.deviation,
            "volatility": rating.volatility,
            "games": games,
            "rated_at": rated_at,
        }
        for family, (rating, games, rated_at) in sorted(ratings.items())
    ]
    if rows:
        insert = upsert(_player)
        new = {name: insert.excluded[name] for name in rows[0] if name not in ("player_id", "family")}
        key = ["player_id", "family"]
        connection.execute(insert.on_conflict_do_update(index_elements=key, set_=new), rows)


# Withdrawing games


def withdraw(attempt_id: str) -> None:
    """Inside `write_tx()`, with the player locked: undo the game of this attempt, if it has counted.

    The player's ratings are recomputed without it. The puzzle's change is reversed; other players' games keep
    the puzzle rating they were computed with.
    """
    connection = db.session.connection()
    row = connection.execute(sa.select(_game).where(_game.c.attempt_id == attempt_id)).one_or_none()
    if row is None:
        return
    connection.execute(sa.delete(_game).where(_game.c.attempt_id == attempt_id))
    if row.puzzle_moved:
        back = {"rating": _puzzle.c.rating - row.puzzle_moved, "games": _puzzle.c.games - 1}
        connection.execute(sa.update(_puzzle).where(_puzzle.c.puzzle_id == row.puzzle_id).values(back))
    refold(row.player_id)


def refold(player_id: int) -> None:
    """Inside `write_tx()`, with the player locked: recompute the player's ratings from their rated games."""
    connection = db.session.connection()
    games = PLAYED.where(_game.c.player_id == player_id)
    changed = []
    ratings: dict[str, tuple[Rating, int, datetime]] = {}
    for row in connection.execute(games.order_by(_game.c.rated_at, _game.c.attempt_id)).all():
        fold(ratings, row)
        now = ratings[OVERALL][0]
        changed.append({"its_id": row.attempt_id, "rating": now.rating, "deviation": now.deviation})
    connection.execute(sa.delete(_player).where(_player.c.player_id == player_id))
    _keep(connection, player_id, ratings)
    if changed:
        this = sa.update(_game).where(_game.c.attempt_id == sa.bindparam("its_id"))
        connection.execute(
            this.values(rating=sa.bindparam("rating"), deviation=sa.bindparam("deviation")), changed
        )


def fold(ratings: dict[str, tuple[Rating, int, datetime]], game: Any) -> None:
    """Update a player's ratings, by family, with their next rated game, a row of PLAYED."""
    puzzle = Rating(game.puzzle_rating, game.puzzle_deviation)
    for name in _counts_for(game.family, assisted=game.assisted):
        before, played, last = ratings.get(name, (Rating(), 0, None))
        days = _days(last, game.rated_at)
        ratings[name] = scoring.player_after(before, puzzle, game.score, days), played + 1, game.rated_at


def refold_older() -> int:
    """Add the rating ALONE for players whose games predate it. Returns how many."""
    alone = sa.exists().where(_player.c.player_id == _game.c.player_id, _player.c.family == ALONE)
    without = sa.select(_game.c.player_id).where(~_game.c.assisted, ~alone).distinct()
    players = db.session.scalars(without.order_by(_game.c.player_id)).all()
    for player_id in players:
        with write_tx():
            if placing.hold(db.session.connection(), Player.id == player_id):
                refold(player_id)
    return len(players)


def merge(guest_id: int, into: int) -> None:
    """Inside `write_tx()`, with both players locked: move a guest's rated games to an account.

    If both have played a puzzle, the account's game counts.
    """
    connection = db.session.connection()
    own = sa.select(_game.c.puzzle_id).where(_game.c.player_id == into)
    theirs = sa.and_(_game.c.player_id == guest_id, _game.c.puzzle_id.not_in(own))
    moved = connection.execute(sa.update(_game).where(theirs).values(player_id=into))
    if moved.rowcount:
        refold(into)


def set_rated(player_id: int, now: datetime, *, rated: bool) -> None:
    """Turn a player's rating on, for games started from now on, or off: no game counts, and it is hidden."""
    since = now if rated else None
    turned = sa.update(Player).where(
        Player.id == player_id, Player.rated_since.is_(None) if rated else Player.rated_since.is_not(None)
    )
    with write_tx():
        rows_changed(turned.values(rated_since=since))


# Puzzles


def begin_ratings() -> int:
    """Give available puzzles an initial rating, STEP at a time. Returns how many."""
    query = (
        sa.select(Puzzle.id, Puzzle.expected_seconds, Puzzle.explainer, Puzzle.hardest)
        .outerjoin(PuzzleRating, PuzzleRating.puzzle_id == Puzzle.id)
        .where(
            Puzzle.id > sa.bindparam("after"),
            Puzzle.status == Status.APPROVED,
            Puzzle.expected_seconds > 0,
            PuzzleRating.puzzle_id.is_(None),
        )
        .order_by(Puzzle.id)
        .limit(STEP)
    )
    begun = after = 0
    while found := db.session.execute(query, {"after": after}).all():
        rows = [
            _first_row(number, scoring.start(seconds, explainer), hardest)
            for number, seconds, explainer, hardest in found
            if seconds is not None
        ]
        with write_tx():
            db.session.execute(upsert(_puzzle).on_conflict_do_nothing(), rows)
        begun, after = begun + len(rows), found[-1].id
    return begun
