"""The curation desk: every page under /admin/, for curators alone. One child blueprint a file."""

from __future__ import annotations

from flask import Blueprint, Flask

from webapp.routes.admin import (
    access,
    audit,
    calendar,
    exporting,
    flags,
    health,
    importing,
    orders,
    puzzles,
    queue,
)
from webapp.routes.admin.queue_view import segments, status_words
from webapp.steps.names import technique_name

bp = Blueprint("admin", __name__, url_prefix="/admin")

for child in (
    access.bp,
    queue.bp,
    puzzles.bp,
    calendar.bp,
    orders.bp,
    importing.bp,
    exporting.bp,
    health.bp,
    flags.bp,
    audit.bp,
):
    bp.register_blueprint(child)


def init_app(app: Flask) -> None:
    """Register the desk and whoever watches its door."""
    app.before_request(access.watch)
    app.jinja_env.globals.update(
        places=app.view_functions.keys,
        status_words=status_words,
        bar_of=segments,
        technique_name=technique_name,
    )
    app.register_blueprint(bp)
