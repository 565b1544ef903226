"""The curation desk: every page under /admin/, for curators only. Capabilities declare its pages."""

from __future__ import annotations

from flask import Blueprint, Flask

from webapp.capability import capabilities_of
from webapp.curation import access, words
from webapp.curation.puzzles import puzzles, search
from webapp.game.steps.names import technique_name
from webapp.identity import failures


def init_app(app: Flask) -> None:
    """Register the desk's pages behind its access check."""
    desk = Blueprint("admin", __name__, url_prefix="/admin")
    for place in capabilities_of(app).places.values():
        desk.register_blueprint(place.blueprint)
    app.before_request(access.watch)
    app.jinja_env.globals.update(
        status_words=words.status_words,
        standing_words=words.standing_words,
        role_words=words.role_words,
        symmetry_words=words.symmetry_words,
        expected_minutes=search.minutes,
        decisions=puzzles.can,
        technique_name=technique_name,
        may_use=access.may_use,
        failed_jobs=failures.counts,
    )
    app.register_blueprint(desk)
