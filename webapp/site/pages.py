"""Pages that need no player and no database."""

from __future__ import annotations

import json
from datetime import timedelta

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.process.clock import now
from webapp.process.words import gettext as _
from webapp.web.assets import Assets
from webapp.web.i18n import locale
from webapp.web.i18n.choice import direction, tag_of
from webapp.web.links import public_url

bp = Blueprint("pages", __name__)


@bp.get("/sw.js")
def service_worker() -> Response:
    """Serve the service worker at the root: its scope is limited to its own path."""
    assets: Assets = current_app.extensions["assets"]
    return Response(assets.text("sw.js"), mimetype="text/javascript")


@bp.get("/offline")
def offline() -> str:
    """Show the games that still work without a network, in the place of any page that can't be reached."""
    return render_template("site/offline.html")


@bp.get("/robots.txt")
@bp.get("/favicon.ico")
@bp.get("/.well-known/security.txt")
@bp.get("/.well-known/change-password")
def usual() -> Response:
    """Answer what programs ask every site for."""
    name = request.path.rpartition("/")[2]
    if name == "favicon.ico":
        return redirect(current_app.extensions["assets"].url("icons/mark.svg"))
    if name == "change-password":
        return redirect(url_for("accounts.account"))
    if name == "security.txt":
        expires = (now() + timedelta(days=365)).strftime("%Y-%m-%dT00:00:00Z")
        text = f"Contact: {public_url('guide.about')}\nExpires: {expires}\n"
    else:
        text = "User-agent: *\nDisallow: /attempts/\nDisallow: /admin/\n"
    return Response(text, mimetype="text/plain")


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe the installable app in the reader's language."""
    icon = current_app.extensions["assets"].url
    words = {
        "name": "Ninefold",
        "short_name": "Ninefold",
        "description": _("Sudoku with fair puzzles, hints that explain why, and new dailies every day."),
        "categories": ["games", "puzzle"],
        "lang": tag_of(locale()),
        "dir": direction(locale()),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f7f3ea",
        "theme_color": "#f7f3ea",
        "icons": [
            {"src": icon("icons/mark.svg"), "type": "image/svg+xml", "sizes": "any"},
            *(
                {
                    "src": icon(f"icons/icon-{size}.png"),
                    "type": "image/png",
                    "sizes": f"{size}x{size}",
                    "purpose": "any maskable",
                }
                for size in (192, 512)
            ),
        ],
        "shortcuts": [
            {"name": _("Today’s dailies"), "url": url_for("daily.show")},
            {"name": _("Play"), "url": url_for("play.index")},
            {"name": _("Leaderboard"), "url": url_for("leaderboard.show")},
        ],
    }
    return Response(json.dumps(words, ensure_ascii=False), mimetype="application/manifest+json")
