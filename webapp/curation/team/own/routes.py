"""A curator's own settings: mail, recovery codes, and the capabilities' panels."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, current_app, redirect, render_template, request, url_for

from webapp.curation.team import curators
from webapp.curation.team.access import curator
from webapp.curation.team.own import notices
from webapp.curation.team.own.notices import Kind
from webapp.identity import players
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer
from webapp.web.i18n import locale
from webapp.web.security_log import note

bp = Blueprint("own", __name__)


@bp.get("/settings")
def show() -> str:
    """Show the curator's choices."""
    return page({})


@bp.post("/settings/mail")
def choose() -> Answer:
    """Repeated `kind`: what to send mail about, in the language of this page."""
    person, kinds = curator(), request.form.getlist("kind")
    try:
        notices.choose(person.id, kinds, now())
    except BadInput as error:
        return page(error.fields), 422
    if kinds:
        players.speak(person.id, locale())
    return redirect(url_for(".show", done="mail"), 303)


@bp.post("/settings/codes")
def renew_codes() -> Answer:
    """Make new recovery codes and show them, once."""
    codes = curators.renew_codes(curator().id, now(), curator())
    note("recovery codes made", account=curator().id)
    return page({}, codes=codes)


def page(errors: dict[str, str], codes: Sequence[str] = (), **known: object) -> str:
    """Return the settings. codes: new recovery codes; known: further values for panels."""
    person = curator()
    return render_template(
        "curation/settings.html",
        mails=current_app.extensions["settings"].mail_url is not None,
        kinds=[(kind, _kind_words(kind)) for kind in notices.kinds_for(person.role)],
        wanted=notices.chosen(person.id),
        known={"player_id": person.id, "errors": errors, **known},
        codes=codes,
        codes_left=curators.codes_left(person.id),
        saved=request.args.get("done") == "mail",
        errors=errors,
    )


def _kind_words(kind: Kind) -> str:
    return {
        Kind.COMMENT: _("Someone comments on a puzzle I judged or commented on"),
        Kind.DRAFT: _("A draft is waiting for me to release it"),
        Kind.GAP: _("One of the next three days has no daily"),
        Kind.SUBMISSION: _("A player submits a puzzle"),
    }[kind]
