"""The path at /learn, a lesson for each technique, and the test of a tier."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, session, url_for

import engine
from webapp.learn import marks
from webapp.learn.board import MarkingBoard
from webapp.learn.exercises import judging, store
from webapp.learn.lessons import path, progress, testing
from webapp.learn.lessons.basics import BASICS
from webapp.learn.lessons.views import STAGES, TABS, LessonView, PathView, path_name
from webapp.learn.state import State
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id, remember
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number
from webapp.web.shared import for_everybody

bp = Blueprint("lessons", __name__)

TEST = "tier_test"  # session key: the progress of a tier's test


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
    """Show a lesson: `?tab=` with `?at=` for the stage of its example and `?show=1` for its answers."""
    if key in BASICS:
        return _basic(key)
    if key not in engine.TECHNIQUES:
        spelled = key.lower().replace("-", "_")
        if spelled in engine.TECHNIQUES:
            return redirect(url_for(".show", key=spelled), 301)
        raise NotFound(_("We don’t know that technique. Here’s every one we teach."))
    tab = request.args.get("tab", TABS[0])
    stage = row_number(request.args.get("at", "")) or 1
    return _page(
        key,
        tab if tab in TABS else TABS[0],
        stage=min(stage, STAGES),
        shown=request.args.get("show") == "1",
    )


def _page(
    key: str,
    tab: str,
    *,
    stage: int = 1,
    shown: bool = False,
    board: MarkingBoard | None = None,
    judgment: judging.Judgment | None = None,
    errors: dict[str, str] | None = None,
) -> str:
    player_id = current_player_id()
    states = progress.states(player_id)
    if player_id is not None and key not in states:
        progress.record(player_id, [key], State.SEEN, now())
        states[key] = State.SEEN
    positions = store.lesson(key)
    lesson = LessonView(
        key, tab, positions, states, progress.solves(player_id), at=(stage, shown), board=board
    )
    return render_template(
        "learn/lessons/show.html", lesson=lesson, judgment=judgment, errors=errors or {}, after=lesson.after
    )


def _basic(key: str, choice: str | None = None) -> str:
    basic = BASICS[key]
    return render_template(
        "learn/lessons/_chosen.html" if choice and wants_fragment() else "learn/lessons/basic.html",
        key=key,
        basic=basic,
        choice=choice,
        number=list(BASICS).index(key) + 1,
        count=len(BASICS),
        after=path.after(key),
    )


@bp.post("/learn/<key>/try")
def attempt(key: str) -> Answer:
    """Assess the marks on a lesson's exercise, or the choice in a basic lesson."""
    if key in BASICS:
        choice = request.form.get("choice", "")
        if choice == BASICS[key].right:
            _reached([key], State.PRACTICED)
        return _basic(key, choice)
    if key not in engine.TECHNIQUES:
        raise NotFound(_("We don’t know that technique. Here’s every one we teach."))
    posed = store.lesson(key).exercise
    if posed is None:
        raise NotFound(_("We’re still preparing this exercise. Check back soon."))
    text = request.form.get("marks", "")
    try:
        given = marks.read(text, posed.position)
    except BadInput as error:
        if wants_fragment():
            return render_template("learn/_unread.html", message=error.fields["marks"]), 422
        board = MarkingBoard(posed.position, typed=text[: marks.LONGEST])
        return _page(key, "try", board=board, errors=error.fields), 422
    judgment = judging.judge(posed.position, key, given.placements, given.eliminations, posed.effects)
    if judgment.right:
        _reached([key], State.PRACTICED)
    if wants_fragment():
        return render_template("learn/lessons/_answer.html", judgment=judgment, after=path.after(key))
    return _page(key, "try", board=MarkingBoard(posed.position, given), judgment=judgment)


def _reached(keys: list[str], state: State) -> None:
    created = progress.record(current_player_id(), keys, state, now())
    if created is not None:
        remember(created)


@bp.get("/learn/tiers/<int:tier>")
def test(tier: int) -> str:
    """Show the next position of a tier's test, starting one if none is under way."""
    return _test_page(_test(tier))


@bp.post("/learn/tiers/<int:tier>")
def take_test(tier: int) -> Answer:
    """Assess the marks on that position. Once enough are correct, the whole tier counts as mastered."""
    here = _test(tier)
    if request.form.get("position") != str(here.number):
        raise Changed(_("This test has moved on. Reload the page to see where you are."), tier)
    text = request.form.get("marks", "")
    try:
        given = marks.read(text, here.position)
    except BadInput as error:
        if wants_fragment():
            return render_template("learn/_unread.html", message=error.fields["marks"]), 422
        here.board = MarkingBoard(here.position, typed=text[: marks.LONGEST])
        return _test_page(here, errors=error.fields), 422
    judgment = here.judge(given)
    if judgment.right and here.last:
        _reached(list(path.keys_of(tier)), State.MASTERED)
    if judgment.right or judgment.wrong:
        session[TEST] = here.following(judgment)
    here.board = MarkingBoard(here.position, given)
    if wants_fragment():
        return render_template("learn/lessons/_tested.html", test=here, judgment=judgment)
    return _test_page(here, judgment)


def _test_page(
    test: testing.TierTest, judgment: judging.Judgment | None = None, errors: dict[str, str] | None = None
) -> str:
    return render_template(
        "learn/lessons/test.html",
        test=test,
        path_name=path_name(test.tier),
        judgment=judgment,
        errors=errors or {},
    )


def _test(tier: int) -> testing.TierTest:
    found = testing.at(tier, session.get(TEST))
    session[TEST] = found.stored
    return found
