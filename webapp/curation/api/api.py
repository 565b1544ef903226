"""The API under /api/v1: authorization and rate limits. One child blueprint per file.

Only the Authorization header identifies a program; cookies are ignored, so a page of another site can do
nothing here. Refusals are problem+json (webapp/web/answers.py).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Blueprint, Flask, g, jsonify, request
from werkzeug.wrappers import Response

from webapp.capability import capabilities_of
from webapp.curation.api import tokens
from webapp.curation.api.openapi.document import document
from webapp.curation.team import roles
from webapp.identity import limits
from webapp.identity.limits import Limit, Taker
from webapp.process.clock import now
from webapp.process.errors import BadToken, NotYourRole
from webapp.process.words import gettext as _
from webapp.web.auth import current
from webapp.web.extensions import csrf

REQUESTS = Limit("api", 600, timedelta(minutes=10))  # per token
OPEN = "api.openapi"  # needs no token
SAFE = ("GET", "HEAD", "OPTIONS")


def init_app(app: Flask) -> None:
    """Register the API with the capabilities' endpoints."""
    api = Blueprint("api", __name__, url_prefix="/api/v1")
    api.url_value_preprocessor(identify)
    api.before_request(let_in)
    api.get("/openapi.json")(openapi)
    for place in capabilities_of(app).places.values():
        if place.parent == api.name:
            api.register_blueprint(place.blueprint)
            csrf.exempt(place.blueprint)
    app.register_blueprint(api)


def identify(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Identify the token's curator before anything else runs."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    found = tokens.whose(token.strip(), now()) if scheme.lower() == "bearer" else None
    g.token, g.player, g.scope = (
        (None, None, None) if found is None else (found.number, found.curator, found.scope)
    )


def let_in() -> None:
    """Require a token whose curator's role includes this, within the rate limit."""
    if request.endpoint == OPEN:
        return
    person = current()
    if person is None:
        raise BadToken(_("Send a token of yours as “Authorization: Bearer …”. Make one at the desk."))
    limits.demand([Taker(REQUESTS, str(g.token))], now())
    if not roles.may(person.role, request.endpoint or "", write=request.method not in SAFE):
        raise NotYourRole(_("Your role doesn’t include this. Ask an administrator if you need it."))
    part = (request.blueprint or "").rpartition(".")[2]
    if not g.scope.covers(part, write=request.method not in SAFE):
        raise NotYourRole(_("This token doesn’t include that. Make another at the desk."))


def openapi() -> Response:
    """Describe the API (OpenAPI 3.1)."""
    return jsonify(document())
