"""Whether an attempt is its player's first contact with the puzzle: only such solves count."""

from __future__ import annotations

import sqlalchemy as sa

from webapp.models import Attempt, Peek

_attempt = Attempt.__table__
_earlier = _attempt.alias("earlier")
_earlier_one = sa.exists().where(
    _earlier.c.player_id == _attempt.c.player_id,
    _earlier.c.puzzle_id == _attempt.c.puzzle_id,
    _earlier.c.started_at < _attempt.c.started_at,
)

# The player of an attempt saw the puzzle, at the desk or in a replay, before solving it.
PEEKED = sa.exists().where(
    Peek.player_id == _attempt.c.player_id,
    Peek.puzzle_id == _attempt.c.puzzle_id,
    Peek.seen_at < _attempt.c.finished_at,
)
# The player started the puzzle earlier, or saw it.
MET_BEFORE = sa.or_(_earlier_one, PEEKED)
