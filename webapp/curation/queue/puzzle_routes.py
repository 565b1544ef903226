"""A puzzle's page on the desk: all its details, and the decision."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from engine.formats import Entry
from webapp.bank import breakdown, traits
from webapp.competition import statistics
from webapp.curation import curation
from webapp.curation.queue import comments, tagging, varying
from webapp.curation.queue.puzzle_views import openings_chart, scores_of
from webapp.curation.queue.routes import toast_before
from webapp.curation.queue.views import views_of
from webapp.curation.team.access import curator
from webapp.curation.team.audit.sentences import history
from webapp.game import exports
from webapp.learn.path import PathView, path_of
from webapp.process.clock import now
from webapp.process.errors import BadInput

bp = Blueprint("puzzles", __name__)


@bp.get("/puzzles/<int:puzzle_id>")
def show(puzzle_id: int) -> str:
    """Show the puzzle at `?step=` of its solution path. The curator can then no longer play it ranked."""
    return _page(puzzle_id)


def _page(puzzle_id: int, errors: Mapping[str, str] = MappingProxyType({})) -> str:
    puzzle = curation.puzzle(puzzle_id)
    curation.saw(curator().id, [puzzle_id], now())
    whole = breakdown.whole_of(puzzle)
    puzzle = curation.puzzle(puzzle_id)  # reloaded: the engine works outside a transaction
    grid = engine.parse(puzzle.givens)
    (view,) = views_of([puzzle])
    return render_template(
        "curation/queue/puzzle.html",
        puzzle=view,
        review=PathView(
            engine.Position.from_grid(grid),
            path_of(grid),
            request.args.get("step", type=int),
            partial(url_for, ".show", puzzle_id=puzzle_id),
        ),
        whole=whole,
        scores=scores_of(whole),
        chart=openings_chart(whole.openings) if whole is not None else None,
        times=statistics.of_puzzle(puzzle_id),
        learned=statistics.learned(puzzle_id, None),
        started=curation.starts(puzzle_id),
        tags=traits.all_tags(),
        comments=comments.of(puzzle_id),
        errors=errors,
        form=request.form,
        history=history("puzzle", puzzle_id),
        formats=exports.every_format(Entry(grid)),
        following=curation.following(puzzle_id),
        here=url_for(".show", puzzle_id=puzzle_id),
        done=toast_before(url_for(".show", puzzle_id=puzzle_id)),
    )


@bp.post("/puzzles/<int:puzzle_id>/vary")
def vary(puzzle_id: int) -> Response:
    """Store an equivalent candidate, and redirect to its page."""
    made = varying.vary(puzzle_id, curator(), now())
    return redirect(url_for(".show", puzzle_id=made), 303)


@bp.post("/puzzles/<int:puzzle_id>/tags")
def tag(puzzle_id: int) -> Response | tuple[str, int]:
    """Add a `tag`, or remove it with `off=1`."""
    off = request.form.get("off") == "1"
    try:
        tagging.tag(curator(), [puzzle_id], request.form.get("tag", ""), now(), off=off)
    except BadInput as error:
        return _page(puzzle_id, error.fields), 422
    return redirect(url_for(".show", puzzle_id=puzzle_id, _anchor="tags"), 303)


@bp.post("/puzzles/<int:puzzle_id>/comments")
def comment(puzzle_id: int) -> Response | tuple[str, int]:
    """Store a comment (`text`) for the other curators."""
    try:
        comments.add(curator(), puzzle_id, request.form.get("text", ""), now())
    except BadInput as error:
        return _page(puzzle_id, error.fields), 422
    return redirect(url_for(".show", puzzle_id=puzzle_id, _anchor="comments"), 303)


@bp.post("/puzzles/<int:puzzle_id>/comments/<int:comment_id>/removal")
def uncomment(puzzle_id: int, comment_id: int) -> Response:
    """Remove one's own comment."""
    comments.remove(curator(), puzzle_id, comment_id, now())
    return redirect(url_for(".show", puzzle_id=puzzle_id, _anchor="comments"), 303)
