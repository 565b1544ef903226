"""The API under /api/v1: who may use it, and how often. One child blueprint per file.

Only the Authorization header identifies a program; a browser's cookies count for nothing, so a page of
another site can do nothing here. Refusals are problem+json (webapp/web/answers.py).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Blueprint, g, jsonify, request
from werkzeug.wrappers import Response

from webapp.curation.api import calendar, export, imports, orders
from webapp.curation.api.document import document
from webapp.curation.team import roles, tokens
from webapp.identity import limits
from webapp.identity.limits import Limit, Taker
from webapp.process.clock import now
from webapp.process.errors import BadToken, NotYourRole
from webapp.process.words import gettext as _
from webapp.web.auth import current
from webapp.web.extensions import csrf

bp = Blueprint("api", __name__, url_prefix="/api/v1")

REQUESTS = Limit("api", 600, timedelta(minutes=10))  # per token
OPEN = "api.openapi"  # to everybody
SAFE = ("GET", "HEAD", "OPTIONS")

for child in (imports.bp, orders.bp, export.bp, calendar.bp):
    bp.register_blueprint(child)
    csrf.exempt(child)


@bp.url_value_preprocessor
def identify(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Have the token say who asks, before anything else does."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    found = tokens.whose(token.strip(), now()) if scheme.lower() == "bearer" else None
    g.token, g.player = (None, None) if found is None else found


@bp.before_request
def let_in() -> None:
    """Ask for a token whose curator's role includes this, not too often."""
    if request.endpoint == OPEN:
        return
    person = current()
    if person is None:
        raise BadToken(_("Send a token of yours as “Authorization: Bearer …”. Make one at the desk."))
    limits.demand([Taker(REQUESTS, str(g.token))], now())
    if not roles.may(person.role, request.endpoint or "", write=request.method not in SAFE):
        raise NotYourRole(_("Your role doesn’t include this. Ask an administrator if you need it."))


@bp.get("/openapi.json")
def openapi() -> Response:
    """Describe the API (OpenAPI 3.1)."""
    return jsonify(document())
