"""Moderation: solves under review with their replay, and names."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.curation import curation
from webapp.curation.moderation import moderation, pictures
from webapp.curation.team.access import curator
from webapp.curation.team.audit.sentences import history
from webapp.game.moves import Kind
from webapp.play.replays import review as reviews
from webapp.play.replays.review_views import ReviewView
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed
from webapp.process.words import gettext as _
from webapp.process.words import pgettext
from webapp.web.htmx import Answer

bp = Blueprint("flags", __name__)


@bp.get("/flags")
def show() -> str:
    """Show open reviews, times without a rank, recent verdicts and names; `?name=` searches."""
    return _page()


@bp.get("/flags/<attempt_id>")
def solve(attempt_id: str) -> str:
    """Show a solve: its replay after `?move=` moves, the rules that flagged it, and the verdict.

    A curator who opens it can no longer play its puzzle ranked.
    """
    return _solve(attempt_id)


@bp.post("/flags/<attempt_id>/verdict")
def judge(attempt_id: str) -> Answer:
    """Decide on a solve: `standing` verified or removed, `note` for the player, `seen` as on the page."""
    form = request.form
    fields = (form.get("seen", ""), form.get("standing", ""), form.get("note", ""))
    try:
        moderation.record_verdict(curator(), attempt_id, *fields, now())
    except Changed as error:
        return _solve(attempt_id, {"changed": str(error)}), 409
    except BadInput as error:
        return _solve(attempt_id, error.fields), 422
    return redirect(url_for("admin.flags.show", done="verdict"), 303)


@bp.get("/players/<int:player_id>")
def player(player_id: int) -> str:
    """Show a player: the latest solves of dailies, the suspension, curators' actions."""
    return player_page(player_id)


@bp.post("/players/<int:player_id>/suspension")
def suspend(player_id: int) -> Answer:
    """Suspend a player (`action` suspend, `length` good or `days`), or keep or lift it; `seen` as on the
    page.

    `note` is for the player, or for the audit log if the action is lift.
    """
    form = request.form
    seen, note, action, text = (form.get(name, "").strip() for name in ("seen", "note", "action", "days"))
    length = form.get("length")
    try:
        if action == "lift":
            moderation.lift(curator(), player_id, seen, note, now())
        elif action == "keep":
            moderation.keep(curator(), player_id, seen, note, now())
        elif action == "suspend":
            if length not in ("good", "days"):
                raise BadInput(length=_("Choose how long to suspend."))
            days = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
            moderation.suspend(curator(), player_id, seen, days if length == "days" else None, note, now())
        else:
            raise BadInput(action=_("Choose Suspend, Keep suspension or End suspension."))
    except Changed as error:
        return player_page(player_id, {"changed": str(error)}), 409
    except BadInput as error:
        return player_page(player_id, error.fields), 422
    return redirect(url_for(".player", player_id=player_id, done=action), 303)


@bp.post("/names/<int:player_id>")
def name(player_id: int) -> Answer:
    """Rename (to `name`) or hide a player, by `action`; `seen` is the name the curator saw."""
    form = request.form
    seen, note, action = form.get("seen", ""), form.get("note", ""), form.get("action")
    try:
        if action == "rename":
            moderation.rename(curator(), player_id, seen, form.get("name", ""), note, now())
        elif action == "hide":
            moderation.hide(curator(), player_id, seen, note, now())
        else:
            raise BadInput(action=_("Choose Rename or Hide from leaderboards."))
    except Changed as error:
        return _page(player_id, {"name": str(error)}), 409
    except BadInput as error:
        return _page(player_id, error.fields), 422
    return redirect(url_for("admin.flags.show", done=action), 303)


def _page(player_id: int | None = None, errors: dict[str, str] | None = None) -> str:
    search = request.args.get("name", "").strip()[:40]
    return render_template(
        "curation/moderation/flags.html",
        waiting=[(attempt, moderation.doubts(attempt)) for attempt in moderation.waiting()],
        unranked=moderation.unranked(now()),
        firsts=moderation.firsts(now()),
        decided=moderation.decided(),
        players=moderation.named(search),
        appeals=moderation.appeals(),
        appealed=moderation.appealed(),
        search=search,
        about=player_id,
        errors=errors or {},
        changed=request.args.get("done"),
    )


def player_page(player_id: int, errors: dict[str, str] | None = None, about: int | None = None) -> str:
    """Show a player. about: the row of a panel that `errors` are about, else they are about the
    suspension.
    """
    player = moderation.player(player_id)
    return render_template(
        "curation/moderation/player.html",
        player=player,
        seen=moderation.state(player),
        solves=moderation.solves(player_id),
        about=about,
        errors=errors or {},
        action=request.form.get("action"),
        note=request.form.get("note", "")[:1000],
        length=request.form.get("length"),
        days=request.form.get("days", "")[:9],
        history=history("player", player_id),
        changed=request.args.get("done"),
    )


def move_words(kind: str) -> str:
    """Return the display name of a kind of move."""
    return {
        Kind.DIGIT: pgettext("move", "digit"),
        Kind.CORNER: pgettext("move", "corner"),
        Kind.CENTRE: pgettext("move", "center"),
        Kind.COLOUR: pgettext("move", "color"),
        Kind.STRIKE: pgettext("move", "cross out"),
        Kind.FILL: pgettext("move", "auto candidates"),
        Kind.ERASE: pgettext("move", "erase"),
        Kind.UNDO: pgettext("move", "undo"),
        Kind.REDO: pgettext("move", "redo"),
        Kind.PAUSE: pgettext("move", "pause"),
        Kind.RESUME: pgettext("move", "resume"),
        Kind.HINT: pgettext("move", "hint"),
        Kind.CHECK: pgettext("move", "check"),
        Kind.KEEP: pgettext("move", "keep marks"),
    }[Kind(kind)]


def _solve(attempt_id: str, errors: dict[str, str] | None = None) -> str:
    curation.saw(curator().id, [moderation.flag(attempt_id).puzzle_id], now())
    attempt = moderation.flag(attempt_id)  # reloaded: recording the visit ended the transaction
    found = reviews.looked_at(attempt, request.args.get("move", type=int))
    step = request.args.get("step", type=int)
    original = moderation.original(attempt)
    return render_template(
        "curation/moderation/flag.html",
        attempt=attempt,
        review=ReviewView(found, step, "admin.flags.solve"),
        moves=moderation.times(found),
        move_words=move_words,
        seen=moderation.mark(attempt),
        doubts=moderation.doubts(attempt),
        wait=moderation.wait(attempt),
        original=original,
        pictures=pictures.pictures(attempt, original),
        errors=errors or {},
        note=request.form.get("note", "")[:1000],
        history=history("attempt", attempt_id),
    )
