"""Practice: what is due, drills by technique, sessions; each is a form that works without JavaScript."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from webapp.learn import marks
from webapp.learn.practice import drills, sessions
from webapp.learn.practice.drills import Reply
from webapp.learn.practice.schedule import Kind
from webapp.learn.practice.views import DrillView, IndexView, SummaryView, TechniqueView
from webapp.models import Drill
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id, remember
from webapp.web.htmx import go_to, wants_fragment

bp = Blueprint("practice", __name__)


@bp.get("/practice")
def index() -> str:
    """Show what is due, the session under way, and every technique practiced so far."""
    return render_template("learn/practice/index.html", practice=IndexView(current_player_id(), now()))


@bp.post("/practice")
def start() -> str | Response:
    """Start a session, or resume the one under way."""
    return _to(sessions.start(current_player_id(), now()))


@bp.post("/practice/sessions/<session_key>/drills")
def go_on(session_key: str) -> str | Response:
    """Give the next drill of a session, or end it if its time is up."""
    drill = sessions.go_on(current_player_id(), session_key, now())
    return _to(drill) if drill is not None else _to_summary(session_key)


@bp.post("/practice/sessions/<session_key>/ending")
def end(session_key: str) -> str | Response:
    """End a session early."""
    sessions.end(current_player_id(), session_key, now())
    return _to_summary(session_key)


@bp.get("/practice/sessions/<session_key>")
def summary(session_key: str) -> str:
    """Show the results of a session."""
    session = sessions.own(current_player_id(), session_key)
    return render_template("learn/practice/summary.html", summary=SummaryView(session, now()))


@bp.get("/practice/<key>")
def find(key: str) -> str | Response:
    """Show the open drill that asks to find a technique, or the ways to practice it."""
    return _technique(key, Kind.FIND)


@bp.get("/practice/<key>/there")
def there(key: str) -> str | Response:
    """Show the open drill that asks whether a technique is there, or the ways to practice it."""
    return _technique(key, Kind.THERE)


def _technique(key: str, kind: Kind) -> str | Response:
    player_id = current_player_id()
    drill = drills.open_one(player_id, _known(key), kind)
    if drill is not None:
        return redirect(url_for(".drill", drill_key=drill.key), 303)
    view = TechniqueView(key, kind, player_id, now())
    return render_template("learn/practice/technique.html", practice=view)


@bp.post("/practice/<key>")
def begin_find(key: str) -> str | Response:
    """Give a drill that asks to find a technique: the open one, or a new one."""
    return _to(drills.begin(current_player_id(), _known(key), Kind.FIND, now()))


@bp.post("/practice/<key>/there")
def begin_there(key: str) -> str | Response:
    """Give a drill that asks whether a technique is there: the open one, or a new one."""
    return _to(drills.begin(current_player_id(), _known(key), Kind.THERE, now()))


@bp.get("/practice/drills/<drill_key>")
def drill(drill_key: str) -> str:
    """Show a drill: its question, or its result once answered."""
    return _page(DrillView(drills.own(current_player_id(), drill_key), now()))


@bp.post("/practice/drills/<drill_key>/answers")
def answers(drill_key: str) -> str | Response | tuple[str, int]:
    """Answer a drill with `marks`, with `there` (1 or 0), or with neither and `show`."""
    player_id, at = current_player_id(), now()
    asked = drills.own(player_id, drill_key)
    typed = request.form.get("marks", "")
    try:
        reply = _reply(asked, typed)
        answered = drills.answer(player_id, drill_key, reply, at)
    except BadInput as error:
        if wants_fragment():
            return render_template("learn/_unread.html", message=str(error)), 422
        return _page(DrillView(asked, at, errors=error.fields, typed=typed)), 422
    if answered.answered_at is None and wants_fragment():
        return render_template("learn/practice/_again.html", drill=DrillView(answered, at))
    return _shown(answered) if wants_fragment() else _to(answered)


def _reply(drill: Drill, typed: str) -> Reply:
    if "show" in request.form:
        return Reply()
    if drill.kind != Kind.THERE:
        return Reply(marks=marks.read(typed, drills.posed(drill).position))
    said = request.form.get("there", "")
    if said not in ("0", "1"):
        raise BadInput(there=_("there: expected 1 or 0, found “%(found)s”", found=said[:20]))
    return Reply(there=said == "1")


def _to(drill: Drill) -> str | Response:
    """Respond with a drill just given or answered: the fragment for htmx, else a redirect to its page."""
    remember(drill.player)
    return _shown(drill) if wants_fragment() else redirect(url_for(".drill", drill_key=drill.key), 303)


def _shown(drill: Drill) -> Response:
    """Return the drill's fragment, and put its address into the browser's history."""
    view = DrillView(drill, now())
    response = make_response(render_template("learn/practice/_drill.html", drill=view, fresh=True))
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#drill", "outerHTML"
    response.headers["HX-Push-Url"] = url_for(".drill", drill_key=drill.key)
    return response


def _to_summary(session_key: str) -> Response:
    return go_to(url_for(".summary", session_key=session_key))


def _page(view: DrillView) -> str:
    return render_template("learn/practice/drill.html", drill=view)


def _known(key: str) -> str:
    if key not in engine.TECHNIQUES:
        raise NotFound(_("We couldn’t find that technique."))
    return key
