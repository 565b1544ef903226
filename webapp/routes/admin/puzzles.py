"""A puzzle's page on the desk."""

from __future__ import annotations

from flask import Blueprint

bp = Blueprint("puzzles", __name__)


@bp.get("/puzzles/<int:puzzle_id>")
def show(puzzle_id: int) -> str:
    """Everything there is to know of a puzzle."""
    return str(puzzle_id)
