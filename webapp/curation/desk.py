"""The curation desk: every page under /admin/, for curators only. Capabilities declare its pages."""

from __future__ import annotations

from flask import Blueprint, Flask

from webapp.capability import capabilities_of
from webapp.curation import access, puzzles, search, solves
from webapp.game.steps.names import technique_name
from webapp.identity import failures


def init_app(app: Flask) -> None:
    """Register the desk's pages behind its access check."""
    desk = Blueprint("admin", __name__, url_prefix="/admin")
    for place in capabilities_of(app).places.values():
        desk.register_blueprint(place.blueprint)
    app.before_request(access.watch)
    app.jinja_env.globals.update(
        status_words=puzzles.status_words,
        standing_words=solves.standing_words,
        role_words=access.role_words,
        symmetry_words=search.symmetry_words,
        expected_minutes=search.minutes,
        decisions=puzzles.can,
        technique_name=technique_name,
        may_use=access.may_use,
        failed_jobs=failures.counts,
    )
    app.register_blueprint(desk)
