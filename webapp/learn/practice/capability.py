"""Practice: drills, sessions, and the repetition of techniques."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.capability import Capability, Link, Panel, Records
from webapp.learn.lessons import progress
from webapp.learn.lessons.views import todays
from webapp.learn.practice import cards, routes, whole
from webapp.learn.practice.views import TodayView
from webapp.models import Drill, PracticeCard, PracticeSession
from webapp.process.words import gettext as _

CARD = ("technique", "phase", "step", "stability", "difficulty", "due_at", "reviewed_at")
DRILL = ("technique", "kind", "drawn_at", "answered_at", "outcome", "answer")


def on_home(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show what is due today, or else the day's lesson."""
    player_id = about["player_id"]
    if player_id is None:
        return None
    practice = TodayView(player_id, about["now"])
    free = not practice.session and not practice.due
    return {"practice": practice, "lesson": todays(progress.states(player_id)) if free else None}


CAPABILITY = Capability(
    key="practice",
    tab="lessons.index",
    pages=(routes.bp,),
    records=(
        Records(PracticeCard, "practice_cards", CARD, move=False),
        Records(PracticeSession, "practice_sessions", ("started_at", "ended_at"), move=False),
        Records(Drill, "drills", DRILL, move=False),
    ),
    merge=cards.merge,
    links=(
        Link("learn", "practice.index", lambda: _("Practice"), position=1),
        Link("lesson", "practice.find", lambda: _("Practice")),
    ),
    panels=(
        Panel("home", "learn/practice/_home.html", on_home),
        Panel("privacy: games", "learn/practice/_privacy.html", lambda _about: {}),
    ),
    hooks={"techniques due": cards.due, "states of techniques": cards.states},
    solved=whole.review,
)
