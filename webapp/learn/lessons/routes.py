"""The path at /learn, a lesson for each technique on it, and a reference of the others."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for

import engine
from webapp.bank import bank
from webapp.learn import judging, marks, positions
from webapp.learn.lessons import path, progress
from webapp.learn.lessons.basics import BASICS
from webapp.learn.lessons.progress import State
from webapp.learn.lessons.reference import HOMES, REFERENCE
from webapp.learn.lessons.texts import LESSONS
from webapp.learn.lessons.views import STAGES, TABS, LessonView, PathView, ReferenceView
from webapp.learn.marks import MarkingBoard
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id, remember
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number
from webapp.web.shared import for_everybody

bp = Blueprint("lessons", __name__)


@bp.get("/learn")
@for_everybody
def index() -> str:
    """Show the path, with `?tier=` that of another tier; `?q=` lists the techniques of a name, or all."""
    player_id = current_player_id()
    tier = row_number(request.args.get("tier", ""))
    used = progress.used(progress.solves(player_id))
    view = PathView(progress.states(player_id), used, tier if tier in path.PATH else None)
    if "q" not in request.args:
        return render_template("learn/lessons/index.html", view=view)
    name = request.args["q"].strip()
    return render_template("learn/lessons/all.html", found=view.found(name), name=name)


@bp.get("/learn/<key>")
def show(key: str) -> Answer:
    """Show a lesson or a page of the reference.

    Of a lesson `?tab=`, `?at=` for the stage of its example or its exercise, and `?show=1` for the answer.
    """
    if key in BASICS:
        return _basic(key)
    if key in REFERENCE:
        return render_template("learn/lessons/reference.html", entry=ReferenceView(key))
    if key not in LESSONS:
        spelled = key.lower().replace("-", "_")
        if spelled in engine.TECHNIQUES:
            return redirect(url_for(".show", key=HOMES.get(spelled, spelled)), 301)
        raise NotFound(_("We don’t know that technique. Here’s every one we teach."))
    tab = request.args.get("tab", TABS[0])
    return _page(key, tab if tab in TABS else TABS[0], at=_at(), shown=request.args.get("show") == "1")


def _at() -> int:
    """Return the stage of the example, or the number of the exercise."""
    return min(max(row_number(request.values.get("at", "")) or 1, 1), STAGES, positions.EXERCISES)


def _page(
    key: str,
    tab: str,
    *,
    at: int = 1,
    shown: bool = False,
    board: MarkingBoard | None = None,
    judgment: judging.Judgment | None = None,
    errors: dict[str, str] | None = None,
) -> str:
    player_id = current_player_id()
    states = progress.states(player_id)
    if player_id is not None and key not in states:
        progress.record(player_id, key, State.SEEN, now())
        states[key] = State.SEEN
    lesson = LessonView(key, tab, states, progress.solves(player_id), at=at, shown=shown, board=board)
    return render_template(
        "learn/lessons/show.html", **_answered(lesson), judgment=judgment, errors=errors or {}
    )


def _answered(lesson: LessonView) -> dict[str, object]:
    return {"lesson": lesson, "whole": lesson.key in bank.ASKED_FOR}


def _basic(key: str, choice: str | None = None) -> str:
    return render_template(
        "learn/lessons/_chosen.html" if choice and wants_fragment() else "learn/lessons/basic.html",
        key=key,
        basic=BASICS[key],
        choice=choice,
        number=list(BASICS).index(key) + 1,
        count=len(BASICS),
        after=path.after(key),
    )


@bp.post("/learn/<key>/try")
def attempt(key: str) -> Answer:
    """Assess the marks on exercise `at` of a lesson, or the choice in a basic lesson."""
    if key in BASICS:
        choice = request.form.get("choice", "")
        if choice in BASICS[key].right:
            _practiced(key)
        return _basic(key, choice)
    if key not in LESSONS:
        raise NotFound(_("We don’t know that technique. Here’s every one we teach."))
    at = _at()
    posed = positions.of(key).exercises[at - 1]
    text = request.form.get("marks", "")
    try:
        given = marks.read(text, posed.position)
    except BadInput as error:
        if wants_fragment():
            return render_template("learn/_unread.html", message=error.fields["marks"]), 422
        board = MarkingBoard(posed.position, typed=text[: marks.LONGEST])
        return _page(key, "try", at=at, board=board, errors=error.fields), 422
    judgment = judging.judge(posed.position, key, given, posed.steps)
    if judgment.right:
        _practiced(key)
    if wants_fragment():
        lesson = LessonView(key, "try", progress.states(current_player_id()), (), at=at)
        answer = {"judgment": judgment, "oob": True}
        return render_template("learn/lessons/_answer.html", **answer, **_answered(lesson))
    return _page(key, "try", at=at, board=MarkingBoard(posed.position, given), judgment=judgment)


def _practiced(key: str) -> None:
    created = progress.record(current_player_id(), key, State.PRACTICED, now())
    if created is not None:
        remember(created)
