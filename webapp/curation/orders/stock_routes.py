"""Routes of the bank's state: stock, consumption, contents, and how well levels match players' times."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.competition import statistics
from webapp.curation import curation
from webapp.curation.orders import stock
from webapp.curation.orders.figures import figures
from webapp.curation.team.access import curator
from webapp.game.steps.names import technique_name
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

bp = Blueprint("health", __name__)


@bp.get("/health")
def show() -> str:
    """Show the page."""
    agreement, counted = statistics.agreement(), figures(now())
    furthest = curation.puzzles([one.puzzle_id for one in agreement.furthest])
    settings = current_app.extensions["settings"]
    return render_template(
        "curation/orders/health.html",
        figures=counted,
        ratings=[(part.key, part.puzzles) for part in counted.ratings] if counted else [],
        techniques=[(technique_name(part.key), part.puzzles) for part in counted.techniques]
        if counted
        else [],
        threshold=settings.order_days,
        agreement=agreement,
        puzzles={puzzle.id: puzzle for puzzle in furthest},
        enough=statistics.FEWEST_FOR_PACE,
        near=statistics.NEAR,
        relabelled=request.args.get("relabelled", type=int),
    )


@bp.post("/puzzles/<int:puzzle_id>/level")
def relabel(puzzle_id: int) -> Response:
    """Override the level of a puzzle."""
    level, seen = (request.form.get(name, type=int) for name in ("level", "version"))
    if level is None:
        raise BadInput(level=_("Choose a level from 1 to 5."))
    if seen is None:
        raise BadInput(version=_("The puzzle’s version is missing. Reload the page and try again."))
    stock.relabel(puzzle_id, level, seen, request.form.get("note", "").strip(), curator(), now())
    return redirect(url_for("admin.health.show", relabelled=puzzle_id), 303)
