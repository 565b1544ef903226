"""Pages to read: keys and gestures, the rules of ranked play, privacy, about.

Numbers come from the code that applies them, so that the pages can't be wrong.
"""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, current_app, render_template

from webapp.competition import points
from webapp.competition.fair_play import traces
from webapp.identity import limits, players, sessions
from webapp.models.daily import WINDOW
from webapp.people import recovery
from webapp.web import security
from webapp.web.shared import for_everybody

bp = Blueprint("guide", __name__)


@bp.get("/help")
@for_everybody
def keys() -> str:
    """List every key and gesture, by device."""
    return render_template("site/guide/help.html")


@bp.get("/about")
@for_everybody
def about() -> str:
    """Describe the site, with links to read on."""
    return render_template("site/guide/about.html")


@bp.get("/rules")
@for_everybody
def rules() -> str:
    """Explain ranked play in plain words."""
    return render_template(
        "site/guide/rules.html",
        hours=WINDOW // timedelta(hours=1),
        most_scored=points.MOST_SCORED,
        fewest_scored=points.FEWEST_SCORED,
        moderated=players.any_moderators(),
    )


@bp.get("/privacy")
@for_everybody
def privacy() -> str:
    """List what is stored, and for how long."""
    day = timedelta(days=1)
    return render_template(
        "site/guide/privacy.html",
        guest_days=players.UNUSED // day,
        signed_in_days=sessions.IDLE // day,
        longest_days=sessions.LONGEST // day,
        cookie_days=security.SESSION_LIFETIME // day,
        trace_hours=traces.KEPT // timedelta(hours=1),
        limit_hours=limits.LONGEST // timedelta(hours=1),
        link_minutes=recovery.LIFETIME // timedelta(minutes=1),
        mails=current_app.extensions["settings"].mail_url is not None,
    )
