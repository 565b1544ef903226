"""Lessons: the path through the techniques, and a reference of the rest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from webapp.capability import Capability, Link, Panel, Records
from webapp.learn.lessons import progress, routes, views
from webapp.learn.lessons.progress import State
from webapp.models import Attempt, LessonProgress
from webapp.process.words import gettext as _


def started(attempt: Attempt, now: datetime, about: Mapping[str, Any]) -> None:
    """Record a requested technique as seen when its puzzle starts."""
    if about.get("technique"):
        progress.mark(attempt.player_id, about["technique"], State.SEEN, now)


def on_home(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show a player the next lesson."""
    player_id = about["player_id"]
    return None if player_id is None else {"lesson": views.todays(progress.states(player_id))}


CAPABILITY = Capability(
    key="lessons",
    pages=(routes.bp,),
    public=("lessons.index", "lessons.show"),
    links=(Link("main", "lessons.index", lambda: _("Learn"), position=3, icon="book"),),
    panels=(Panel("home", "learn/lessons/_home.html", on_home),),
    records=(
        Records(
            LessonProgress,
            "lessons",
            ("technique", "seen_at", "practiced_at", "drills", "right"),
            move=False,
        ),
    ),
    merge=progress.merge,
    started=started,
)
