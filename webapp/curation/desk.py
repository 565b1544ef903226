"""The curation desk: every page under /admin/, for curators only. One child blueprint per file."""

from __future__ import annotations

from flask import Blueprint, Flask

from webapp.curation import curation
from webapp.curation.api import api
from webapp.curation.calendar import routes as calendar
from webapp.curation.calendar.planning import routes as planning
from webapp.curation.collections import routes as collections
from webapp.curation.importing import exporting_routes as exporting
from webapp.curation.importing import routes as importing
from webapp.curation.languages import routes as languages
from webapp.curation.moderation import routes as flags
from webapp.curation.orders import routes as orders
from webapp.curation.orders import stock_routes as health
from webapp.curation.orders.methods import method_name
from webapp.curation.orders.orders import tried_in_words
from webapp.curation.queue import drawn
from webapp.curation.queue import puzzle_routes as puzzles
from webapp.curation.queue import routes as queue
from webapp.curation.queue.views import level_if_rated, segments, standing_words, status_words
from webapp.curation.table import routes as table
from webapp.curation.team import access, roles
from webapp.curation.team import routes as team
from webapp.curation.team.audit import routes as audit
from webapp.curation.team.own import routes as own
from webapp.game.steps.names import technique_name

bp = Blueprint("admin", __name__, url_prefix="/admin")

for child in (
    access.bp,
    queue.bp,
    puzzles.bp,
    calendar.bp,
    planning.bp,
    collections.bp,
    orders.bp,
    table.bp,
    importing.bp,
    exporting.bp,
    health.bp,
    flags.bp,
    team.bp,
    audit.bp,
    languages.bp,
    own.bp,
):
    bp.register_blueprint(child)


def init_app(app: Flask) -> None:
    """Register the desk with its access check, and its API."""
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
        role_words=roles.role_words,
        may_use=access.may_use,
    )
    app.register_blueprint(bp)
    app.register_blueprint(api.bp)
