"""Pages that need no player and no database."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template
from werkzeug.wrappers import Response

from webapp.assets import Assets

bp = Blueprint("pages", __name__)


@bp.get("/patterns")
def patterns() -> str:
    """Every component of the site on one page, for whoever changes how it looks."""
    return render_template("pages/patterns.html")


@bp.get("/sw.js")
def service_worker() -> Response:
    """The service worker; at the root, since it may only serve what lies below its own address."""
    assets: Assets = current_app.extensions["assets"]
    return Response(assets.text("sw.js"), mimetype="text/javascript")
