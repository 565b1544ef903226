"""Whether an attempt can count: it is its player's first contact with the puzzle, and not void."""

from __future__ import annotations

import sqlalchemy as sa

from webapp.models import Attempt, Daily, Peek

_attempt = Attempt.__table__
_earlier = _attempt.alias("earlier")
_earlier_one = sa.exists().where(
    _earlier.c.player_id == _attempt.c.player_id,
    _earlier.c.puzzle_id == _attempt.c.puzzle_id,
    _earlier.c.started_at < _attempt.c.started_at,
)

# The attempt's player saw the puzzle, at the desk or in a replay, before solving it.
PEEKED = sa.exists().where(
    Peek.player_id == _attempt.c.player_id,
    Peek.puzzle_id == _attempt.c.puzzle_id,
    Peek.seen_at < _attempt.c.finished_at,
)
_its_daily = Daily.__table__.alias("its_daily")
# The same as `Attempt.void`: its daily's puzzle was withdrawn.
VOID = sa.exists().where(
    _its_daily.c.id == _attempt.c.daily_id,
    sa.or_(
        _its_daily.c.puzzle_id != _attempt.c.puzzle_id,
        sa.and_(_its_daily.c.withdrawn_at.is_not(None), _its_daily.c.former_id == _its_daily.c.puzzle_id),
    ),
)
# The player started the puzzle earlier, or saw it, or the attempt is void.
BARRED = sa.or_(_earlier_one, PEEKED, VOID)
# Outside dailies, only races have transformed puzzles; all their clocks start with the race.
RACED = sa.and_(Attempt.turn.is_not(None), Attempt.daily_id.is_(None))
