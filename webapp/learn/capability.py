"""Learning: the path through the techniques, a reference of the rest, practice and the analysis board."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from webapp.capability import Capability, Link, Panel, Records
from webapp.learn.analysis import routes as analysis_routes
from webapp.learn.analysis.states import State as Analyzed
from webapp.learn.lessons import progress, views
from webapp.learn.lessons import routes as lesson_routes
from webapp.learn.lessons.progress import State
from webapp.learn.practice import routes as practice_routes
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


def of_export(about: Mapping[str, Any]) -> dict[str, str] | None:
    """Offer to analyze the exported position."""
    return None if about["position"] is None else {"grid": Analyzed(about["position"]).text}


CAPABILITY = Capability(
    key="learn",
    pages=(lesson_routes.bp, practice_routes.bp, analysis_routes.bp),
    tab="lessons.index",
    public=("lessons.index", "lessons.show"),
    links=(
        Link("main", "lessons.index", lambda: _("Learn"), position=3, icon="book"),
        Link("learn", "practice.index", lambda: _("Practice"), position=1),
        Link("about", "analysis.show", lambda: _("Analysis"), position=6),
        Link("learn", "analysis.show", lambda: _("Analysis"), position=2),
        Link("analyze", "analysis.show", lambda: _("See the solution steps")),
    ),
    panels=(
        Panel("home", "learn/lessons/_home.html", on_home),
        Panel("exports", "learn/analysis/_export.html", of_export),
    ),
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
