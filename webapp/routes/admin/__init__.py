"""The curation desk: every page under /admin/, for curators alone. One child blueprint a file."""

from __future__ import annotations

from flask import Blueprint, Flask

from webapp.routes.admin import access, audit, queue

bp = Blueprint("admin", __name__, url_prefix="/admin")

for child in (access.bp, queue.bp, audit.bp):
    bp.register_blueprint(child)


def init_app(app: Flask) -> None:
    """Register the desk and whoever watches its door."""
    app.before_request(access.watch)
    app.jinja_env.globals["places"] = lambda: app.view_functions.keys()
    app.register_blueprint(bp)
