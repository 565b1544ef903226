"""The curation desk: every page under /admin/, for curators only. One child blueprint per file."""

from __future__ import annotations

from flask import Blueprint, Flask

from webapp.curation import access
from webapp.curation.audit import routes as audit
from webapp.curation.calendar import routes as calendar
from webapp.curation.importing import exporting_routes as exporting
from webapp.curation.importing import routes as importing
from webapp.curation.moderation import routes as flags
from webapp.curation.orders import routes as orders
from webapp.curation.orders import stock_routes as health
from webapp.curation.orders.methods import method_name
from webapp.curation.orders.orders import tried_in_words
from webapp.curation.planning import routes as planning
from webapp.curation.queue import puzzle_routes as puzzles
from webapp.curation.queue import routes as queue
from webapp.curation.queue.views import level_if_rated, segments, standing_words, status_words
from webapp.game.steps.names import technique_name

bp = Blueprint("admin", __name__, url_prefix="/admin")

for child in (
    access.bp,
    queue.bp,
    puzzles.bp,
    calendar.bp,
    planning.bp,
    orders.bp,
    importing.bp,
    exporting.bp,
    health.bp,
    flags.bp,
    audit.bp,
):
    bp.register_blueprint(child)


def init_app(app: Flask) -> None:
    """Register the desk and its access check."""
    app.before_request(access.watch)
    app.jinja_env.globals.update(
        status_words=status_words,
        bar_of=segments,
        technique_name=technique_name,
        level_if_rated=level_if_rated,
        standing_words=standing_words,
        method_name=method_name,
        tried_in_words=tried_in_words,
    )
    app.register_blueprint(bp)
