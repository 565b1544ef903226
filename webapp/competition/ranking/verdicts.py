"""Verdicts on solves of dailies: by curators, by players about their own, and suspected copies."""

from __future__ import annotations

import json
from datetime import datetime

import sqlalchemy as sa

from webapp.competition.ranking import counts
from webapp.competition.ranking.placing import hold_player_of, settle_player
from webapp.game.fair_play import rules
from webapp.models import Attempt, Standing
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _


def give_verdict(attempt_id: str, standing: Standing, note: str, now: datetime) -> None:
    """Record a curator's verdict, verified or removed, and its reason, inside their transaction. Raises
    NotFound.

    A solve cleared after the freeze is ranked among the frozen solves; the others keep their percentiles.
    """
    hold_player_of(attempt_id)
    attempt = db.session.scalar(
        sa.select(Attempt).where(Attempt.id == attempt_id, Attempt.standing.is_not(None)).with_for_update()
    )
    if attempt is None or attempt.daily is None or attempt.elapsed_ms is None:
        raise NotFound(_("We couldn’t find that solve."))
    db.session.refresh(attempt.daily, with_for_update={"read": True})  # so that it doesn't freeze meanwhile
    attempt.standing, attempt.verdict, attempt.updated_at = standing, note, now
    attempt.appeal = None
    if standing == Standing.REMOVED:
        attempt.percentile = None
    elif attempt.daily.frozen_at is not None and attempt.percentile is None and attempt.ranked:
        attempt.percentile = counts.share_if_added(attempt.daily.id, attempt.elapsed_ms // 1000)
    settle_player(attempt.player_id)


def from_paper(attempt_id: str, now: datetime) -> None:
    """Accept a player's statement that a solve came from paper: it counts, but not as a time. Raises
    NotFound.
    """
    with write_tx():
        hold_player_of(attempt_id)
        attempt = db.session.scalar(sa.select(Attempt).where(Attempt.id == attempt_id).with_for_update())
        if attempt is None or not asked_about_paper(attempt):
            raise NotFound(_("We couldn’t find that solve."))
        attempt.standing, attempt.updated_at = Standing.PAPER, now
        settle_player(attempt.player_id)


def asked_about_paper(attempt: Attempt) -> bool:
    """Whether a solve waits for its rank because it was typed as if from paper."""
    typed = json.loads(attempt.doubts or "[]") == [rules.PAPER]
    return typed and attempt.standing == Standing.VERIFIED and attempt.verdict is None


def doubt_copy(attempt_id: str, original_id: str, now: datetime) -> None:
    """Put a verified solve under review that repeats the order of an earlier game."""
    with write_tx():
        hold_player_of(attempt_id)
        attempt = db.session.scalar(sa.select(Attempt).where(Attempt.id == attempt_id).with_for_update())
        if attempt is None or attempt.standing != Standing.VERIFIED or attempt.verdict is not None:
            return
        attempt.standing, attempt.doubts, attempt.updated_at = Standing.REVIEW, json.dumps([rules.ALIKE]), now
        attempt.original_id = original_id
        settle_player(attempt.player_id)
