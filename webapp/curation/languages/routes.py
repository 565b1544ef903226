"""How complete each language is, as a page."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.curation.languages.views import language_views
from webapp.web import i18n

bp = Blueprint("languages", __name__)


@bp.get("/languages")
def show() -> str:
    """Show every language with what it is lacking."""
    return render_template("curation/languages/show.html", languages=language_views(i18n.CATALOGS))
