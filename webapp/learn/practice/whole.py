"""Whole puzzles as practice: a solve reviews the card of the hardest technique its puzzle needs.

It applies to players who have begun with that technique: they have a card, have read its lesson, or have
asked for a puzzle that needs it. So practice takes games into account, too.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from fsrs import Rating

from webapp.learn.practice import cards
from webapp.models import Attempt, LessonProgress, PracticeCard, Puzzle
from webapp.process.database import db, write_tx


def review(attempt: Attempt, now: datetime) -> None:
    """Review the card that a solved game is practice for: solved alone, or with help. Raises Busy."""
    technique = db.session.scalar(sa.select(Puzzle.hardest).where(Puzzle.id == attempt.puzzle_id))
    if technique is None or not _begun(attempt.player_id, technique):
        return
    with write_tx():
        cards.review(attempt.player_id, technique, Rating.Hard if attempt.assisted else Rating.Good, now)


def _begun(player_id: int, technique: str) -> bool:
    return any(
        db.session.scalar(sa.select(sa.exists().where(of.player_id == player_id, of.technique == technique)))
        for of in (PracticeCard, LessonProgress)
    )
