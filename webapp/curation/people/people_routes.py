"""People: players, curators and the log of the desk. Settings: a curator's own, and notices to players."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, redirect, render_template, request, url_for
from markupsafe import Markup

from webapp.curation import curators, log
from webapp.curation.access import curator, duties, may_use, renew_proof
from webapp.curation.people import notices, players
from webapp.curation.words import role_words
from webapp.identity import audit
from webapp.models import Role
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer
from webapp.web.inputs import read_day, row_number
from webapp.web.security_log import note

bp = Blueprint("people", __name__)
settings_bp = Blueprint("settings", __name__)


@bp.get("/people")
def show() -> str:
    """Show players by `?name=`, one of them (`?player=`) with the acts, curators and the log."""
    return _people()


def _people(errors: dict[str, str] | None = None, key: str | None = None) -> str:
    args = request.args
    search = args.get("name", "").strip()[:40]
    opened = row_number(args.get("player", "") or request.form.get("player", ""))
    found = list(players.named(search)) if may_use("admin.people.change", write=True) else []
    if opened is not None and may_use("admin.people.change", write=True):
        chosen = players.player(opened)
        found = [chosen, *(each for each in found if each.id != opened)]
    ids = [each.id for each in found]
    who, what, subject = (args.get(name, "").strip()[:40] for name in ("who", "what", "about"))
    page = audit.page(args.get("page", 1, type=int), curator=who, action=what, subject_id=subject)
    return render_template(
        "curation/people.html",
        search=search,
        found=found,
        opened=opened,
        seen={each.id: players.state(each) for each in found},
        solves=players.solves(ids),
        last=players.last_seen(ids),
        latest=players.latest_dailies(opened) if opened in ids else [],
        curators=curators.everyone(),
        roles=[(str(role), role_words(role)) for role in Role],
        duties=[(role_words(role), duties(role)) for role in Role],
        page=page,
        rows=log.rows(page.entries),
        by=who,
        what=what,
        names=audit.words("curator_name"),
        actions=[(action, log.action_words(action)) for action in audit.words("action")],
        errors=errors or {},
        form=request.form,
        key=key,
        picture=None if key is None else Markup(curators.picture(key)),
    )


@bp.post("/people/players")
def change() -> Answer:
    """Change a `player` whose row was as `seen`: `act` is rename, hide, show, suspend, keep or lift.

    `note` is for the player, `name` the new one, `days` how long a suspension lasts, empty for good.
    """
    form, person, at = request.form, curator(), now()
    number, seen, act = row_number(form.get("player", "")), form.get("seen", ""), form.get("act", "")
    words = form.get("note", "").strip()
    if number is None:
        raise NotFound(_("We couldn’t find that player."))
    try:
        match act:
            case "rename":
                players.rename(person, number, seen, form.get("name", ""), at)
            case "hide" | "show":
                players.hide(person, number, seen, at, off=act == "show")
            case "suspend":
                text = form.get("days", "").strip()
                days = None if not text else row_number(text) or 0
                players.suspend(person, number, seen, days, words, at)
            case "keep":
                players.keep(person, number, seen, words, at)
            case "lift":
                players.lift(person, number, seen, at)
            case _other:
                raise BadInput(act=_("Choose one of the options."))
    except Changed as error:
        return _people({"player": str(error)}), 409
    except BadInput as error:
        return _people({"player": str(error)}), 422
    return redirect(url_for(".show", player=number, _anchor="players"), 303)


@bp.post("/people/curators")
def add() -> Answer:
    """Make the player with this `name` a curator of a `role`, and show their second factor, once."""
    form = request.form
    try:
        key = curators.add(form.get("name", ""), now(), form.get("role", ""), curator())
    except (BadInput, NotFound) as error:
        return _people({"name": str(error)}), 422
    return _people(key=key)


@bp.post("/people/curators/<int:player_id>")
def appoint(player_id: int) -> Answer:
    """Change a curator's `role`, which was `seen`; an empty one ends their access."""
    role = request.form.get("role", "")
    try:
        curators.set_role(player_id, role, request.form.get("seen", ""), now(), curator())
    except BadInput as error:
        return _people({f"role-{player_id}": str(error)}), 422
    except Changed as error:
        return _people({f"role-{player_id}": str(error)}), 409
    return redirect(url_for(".show", _anchor="curators"), 303)


# Settings


@settings_bp.get("/settings", endpoint="show")
def show_settings() -> str:
    """Show the curator's second factor, and the notices that players see."""
    return _settings()


@settings_bp.post("/settings/codes")
def renew_codes() -> Answer:
    """Make new recovery codes and show them, once."""
    codes = curators.renew_codes(curator().id, now(), curator())
    note("recovery codes made", account=curator().id)
    return _settings(codes=codes)


@settings_bp.post("/settings/factor")
def renew_factor() -> Answer:
    """Make a new second factor and show it, once; the old one ends."""
    key = curators.new_factor(curator().id, now(), curator())
    renew_proof(curator())
    note("second factor made", account=curator().id)
    return _settings(key=key)


@settings_bp.post("/settings/notices")
def publish() -> Answer:
    """Show `text` to all players until the end of the day `until`; or `end` a notice."""
    form = request.form
    try:
        if "end" in form:
            notices.end(curator(), row_number(form["end"]) or 0, now())
        else:
            notices.publish(curator(), form.get("text", ""), read_day(form.get("until", "")), now())
    except BadInput as error:
        return _settings(errors=error.fields), 422
    return redirect(url_for("admin.settings.show", _anchor="notices"), 303)


def _settings(codes: Sequence[str] = (), key: str | None = None, errors: dict[str, str] | None = None) -> str:
    return render_template(
        "curation/settings.html",
        codes=codes,
        key=key,
        errors=errors or {},
        codes_left=curators.codes_left(curator().id),
        picture=None if key is None else Markup(curators.picture(key)),
        notices=notices.shown(now()),
        today=now().date(),
        form=request.form,
    )
