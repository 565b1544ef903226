"""Puzzles for programs: list and read them, approve and reject them, tag them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify, request
from werkzeug.wrappers import Response

from webapp.bank import traits
from webapp.curation import curation
from webapp.curation.api.replies import Page, body, moment, page_asked, parameters, text, whole
from webapp.curation.curation import VersionSeen
from webapp.curation.queue import filters, tagging
from webapp.curation.team.access import curator
from webapp.models import Puzzle
from webapp.process.clock import now

bp = Blueprint("puzzles", __name__)


@bp.get("/puzzles")
def index() -> Response:
    """List the puzzles that match the filters of the queue, by number; `?page=`. They count as seen."""
    parameters("page", *filters.NAMES, *filters.FLAGS, many="puzzle")
    number = page_asked()
    found = curation.queue(filters.valid(), "number", number)
    ids = [puzzle.id for puzzle in found.puzzles] if number <= found.pages else []
    puzzles, tags = _seen(ids), traits.tags(ids)
    page = Page(puzzles, number, found.pages)
    return jsonify(page.json(lambda puzzle: _json(puzzle, tags.get(puzzle.id, []))))


@bp.get("/puzzles/<int:puzzle_id>")
def show(puzzle_id: int) -> Response:
    """Return a puzzle. The curator has seen it then."""
    curation.puzzle(puzzle_id)
    return _shown(puzzle_id)


def _shown(puzzle_id: int) -> Response:
    (puzzle,) = _seen([puzzle_id])
    return jsonify(_json(puzzle, traits.tags([puzzle_id]).get(puzzle_id, [])))


def _seen(ids: list[int]) -> list[Puzzle]:
    """Return these puzzles, after recording that the token's curator has seen them."""
    curation.saw(curator().id, ids, now())
    return curation.puzzles(ids)


@bp.post("/puzzles/<int:puzzle_id>/decision")
def decide(puzzle_id: int) -> Response:
    """Approve or reject a puzzle as it was seen: `action`, its `version`, and a `reason` to reject it."""
    fields = body(("action", "version", "reason"))
    seen = VersionSeen(puzzle_id, whole(fields, "version"))
    reason = text(fields, "reason") if fields.get("reason") is not None else ""
    curation.decide(curator(), text(fields, "action"), [seen], reason, now())
    return _shown(puzzle_id)


@bp.put("/puzzles/<int:puzzle_id>/tags/<tag>")
def tag(puzzle_id: int, tag: str) -> Response:
    """Tag a puzzle."""
    tagging.tag(curator(), [puzzle_id], tag, now())
    return _shown(puzzle_id)


@bp.delete("/puzzles/<int:puzzle_id>/tags/<tag>")
def untag(puzzle_id: int, tag: str) -> Response:
    """Remove a tag from a puzzle."""
    tagging.tag(curator(), [puzzle_id], tag, now(), off=True)
    return _shown(puzzle_id)


def _json(puzzle: Puzzle, tags: list[str]) -> dict[str, Any]:
    return {
        "id": puzzle.id,
        "version": puzzle.version,
        "puzzle": puzzle.givens,
        "status": str(puzzle.status),
        "reason": puzzle.reason,
        "level": puzzle.level if puzzle.rated else None,
        "er": puzzle.explainer,
        "hardest": puzzle.hardest,
        "minutes": None if puzzle.expected_seconds is None else puzzle.expected_seconds / 60,
        "title": puzzle.title,
        "author": puzzle.author,
        "source": puzzle.source,
        "tags": tags,
        "created_at": moment(puzzle.created_at),
    }


def seen_version() -> int:
    """Return `?version=`. Raises BadInput."""
    return whole({"version": request.args.get("version", type=int)}, "version")
