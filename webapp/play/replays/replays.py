"""Replays: a player shares a listed solve; others watch it once the daily has closed.

A replay shows the solution, so a player who watches it first has seen the puzzle (`Peek`), and no later solve
of theirs is listed. Owns its transactions.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from webapp.competition import standing
from webapp.models import Attempt, Leaderboard, Peek
from webapp.play import play
from webapp.process.database import db, upsert, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

LISTED = (Leaderboard.DAY, Leaderboard.UNRANKED)


def show(player_id: int | None, attempt_id: str, now: datetime, *, shown: bool) -> Attempt:
    """Share one's own solve, or no longer. Raises NotFound for one that is on no leaderboard."""
    attempt_id = play.game(player_id, attempt_id, now).attempt.id
    with write_tx():
        attempt = standing.locked_attempt(attempt_id)
        if attempt is None or attempt.daily is None or (shown and attempt.board not in LISTED):
            raise NotFound(_("We couldn’t find that solve."))
        attempt.replay_shown = shown
        return attempt


def replay(attempt_id: str, now: datetime) -> Attempt:
    """Return a shared solve of a closed daily. Raises NotFound for any other."""
    attempt = db.session.get(Attempt, attempt_id)
    if (
        attempt is None
        or not attempt.replay_shown
        or attempt.board not in LISTED
        or attempt.daily is None
        or now < attempt.daily.closes_at
    ):
        raise NotFound(_("We couldn’t find that replay."))
    return attempt


def knows(player_id: int | None, puzzle_id: int) -> bool:
    """Whether a player has solved or seen a puzzle, or is anonymous, so that nothing of theirs counts."""
    if player_id is None:
        return True
    solved = sa.select(Attempt.id).where(
        Attempt.player_id == player_id, Attempt.puzzle_id == puzzle_id, Attempt.finished_at.is_not(None)
    )
    return (
        db.session.get(Peek, (player_id, puzzle_id)) is not None
        or db.session.scalar(solved.limit(1)) is not None
    )


def see(player_id: int | None, attempt_id: str, now: datetime) -> None:
    """Record that a player wants to see a replay before solving the puzzle. Raises NotFound."""
    puzzle_id = replay(attempt_id, now).puzzle_id
    if player_id is None or knows(player_id, puzzle_id):
        return
    with write_tx():
        seen = {"player_id": player_id, "puzzle_id": puzzle_id, "seen_at": now}
        db.session.execute(upsert(Peek.__table__).on_conflict_do_nothing(), [seen])
