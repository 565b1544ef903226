"""The curation desk: every page under /admin/, for curators only. Capabilities declare its pages."""

from __future__ import annotations

from flask import Blueprint, Flask

from webapp.capability import capabilities_of
from webapp.curation import curation
from webapp.curation.orders.methods import method_name
from webapp.curation.orders.orders import tried_in_words
from webapp.curation.queue import drawn
from webapp.curation.queue.views import level_if_rated, segments, standing_words, status_words
from webapp.curation.team import access
from webapp.game.steps.names import technique_name
from webapp.identity import failures


def init_app(app: Flask) -> None:
    """Register the desk's pages behind its access check."""
    desk = Blueprint("admin", __name__, url_prefix="/admin")
    for place in capabilities_of(app).places.values():
        if place.parent == desk.name:
            desk.register_blueprint(place.blueprint)
    app.before_request(access.watch)
    app.jinja_env.globals.update(
        status_words=status_words,
        bar_of=segments,
        puzzle_cells=drawn.cells,
        technique_name=technique_name,
        level_if_rated=level_if_rated,
        standing_words=standing_words,
        method_name=method_name,
        tried_in_words=tried_in_words,
        most_counted=curation.MOST_COUNTED,
        may_use=access.may_use,
        failed_jobs=failures.counts,
    )
    app.register_blueprint(desk)
