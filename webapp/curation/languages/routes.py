"""The page about each translation's completeness, where a curator can look at an incomplete one."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.curation.languages.views import language_views
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web import i18n
from webapp.web.i18n.choice import begun, keep, languages

bp = Blueprint("languages", __name__)


@bp.get("/languages")
def show() -> str:
    """Show every language with its missing messages."""
    return render_template("curation/languages/show.html", languages=language_views(i18n.CATALOGS))


@bp.post("/languages")
def look() -> Response:
    """Show the site to this browser in a language, complete or not."""
    code = request.form.get("code", "")
    if code not in (*languages(), *begun()):
        raise BadInput(code=_("Choose a language from the list."))
    keep(code)
    return redirect(url_for("home.show"), 303)
