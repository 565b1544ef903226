"""Tokens for the API, on a curator's settings page."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from webapp.curation.api import tokens
from webapp.curation.api.tokens import Scope
from webapp.curation.team.access import curator
from webapp.curation.team.own.routes import page
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.inputs import row_number
from webapp.web.security_log import note

bp = Blueprint("tokens", __name__)


def part_names() -> dict[str, str]:
    """Return the display names of the parts of the API."""
    return {
        "puzzles": _("Puzzles"),
        "imports": _("Imports"),
        "orders": _("Orders"),
        "export": _("Export"),
        "calendar": _("Calendar"),
        "public": _("Withdrawals and notices"),
        "collections": _("Collections"),
    }


@bp.post("/settings/tokens")
def make() -> str | tuple[str, int]:
    """Create a token with this `name`, and show it once; `read_only`, `part` repeated, `days`."""
    form = request.form
    parts = tuple(part for part in form.getlist("part") if part in part_names())
    days = row_number(form.get("days", str(tokens.DAYS[1])))
    scope = Scope(form.get("read_only") == "1", parts, days if days in tokens.DAYS else None)
    try:
        token = tokens.make(curator(), form.get("name", ""), now(), scope)
    except BadInput as error:
        return page(error.fields), 422
    note("token made")
    return page({}, made=token)


@bp.post("/settings/tokens/<int:token_id>/revocation")
def revoke(token_id: int) -> Response:
    """Revoke a token."""
    tokens.revoke(curator(), token_id, now())
    note("token revoked")
    return redirect(url_for("admin.own.show"), 303)
