"""A curator's own settings: which mail to get, and tokens for the API."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.curation.team import tokens
from webapp.curation.team.access import curator
from webapp.curation.team.own import notices
from webapp.curation.team.own.notices import Kind
from webapp.identity import players
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.i18n import locale
from webapp.web.security_log import note

bp = Blueprint("own", __name__)

Answer = str | Response | tuple[str, int]


@bp.get("/settings")
def show() -> str:
    """Show the curator's choices and tokens."""
    return _page({})


@bp.post("/settings/mail")
def choose() -> Answer:
    """Repeated `kind`: what to send mail about, in the language of this page."""
    person, kinds = curator(), request.form.getlist("kind")
    try:
        notices.choose(person.id, kinds, now())
    except BadInput as error:
        return _page(error.fields), 422
    if kinds:
        players.speak(person.id, locale())
    return redirect(url_for(".show", done="mail"), 303)


@bp.post("/settings/tokens")
def make() -> Answer:
    """`name`: make a token, and show it, once."""
    try:
        token = tokens.make(curator(), request.form.get("name", ""), now())
    except BadInput as error:
        return _page(error.fields), 422
    note("token made")
    return _page({}, token)


@bp.post("/settings/tokens/<int:token_id>/revocation")
def revoke(token_id: int) -> Response:
    """Revoke a token."""
    tokens.revoke(curator(), token_id, now())
    note("token revoked")
    return redirect(url_for(".show"), 303)


def _page(errors: dict[str, str], token: str | None = None) -> str:
    person = curator()
    return render_template(
        "curation/settings.html",
        mails=current_app.extensions["settings"].mail_url is not None,
        kinds=[(kind, _kind_words(kind)) for kind in notices.kinds_for(person.role)],
        wanted=notices.chosen(person.id),
        tokens=tokens.of(person.id),
        made=token,
        saved=request.args.get("done") == "mail",
        errors=errors,
        form=request.form,
    )


def _kind_words(kind: Kind) -> str:
    return {
        Kind.COMMENT: _("Someone comments on a puzzle I judged or commented on"),
        Kind.DRAFT: _("A draft is waiting for me to release it"),
        Kind.GAP: _("One of the next three days has no daily"),
        Kind.SUBMISSION: _("A player submits a puzzle"),
    }[kind]
