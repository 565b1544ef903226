"""Lessons: the path through the techniques, and tests of tiers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from webapp.capability import Capability, Link, Records
from webapp.learn.lessons import progress, routes
from webapp.learn.state import State
from webapp.models import Attempt, LessonProgress
from webapp.process.words import gettext as _


def started(attempt: Attempt, now: datetime, about: Mapping[str, Any]) -> None:
    """Record a requested technique as seen when its puzzle starts."""
    if about.get("technique"):
        progress.mark(attempt.player_id, [about["technique"]], State.SEEN, now)


CAPABILITY = Capability(
    key="lessons",
    pages=(routes.bp,),
    public=("lessons.index", "lessons.show"),
    links=(
        Link(
            "main",
            "lessons.index",
            lambda: _("Learn"),
            position=3,
            icon="book",
        ),
    ),
    records=(
        Records(
            LessonProgress,
            "lessons",
            ("technique", "seen_at", "practiced_at", "mastered_at"),
            move=False,
        ),
    ),
    merge=progress.merge,
    started=started,
)
