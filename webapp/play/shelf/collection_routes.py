"""Routes of collections: all of them, and one with its puzzles."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.bank import collections
from webapp.process.clock import now
from webapp.web.auth import current_player_id

bp = Blueprint("collections", __name__)


@bp.get("/collections")
def index() -> str:
    """Show the collections that are there for this player."""
    return render_template(
        "play/shelf/collections.html", collections=collections.listed(current_player_id(), now())
    )


@bp.get("/collections/<int:collection_id>")
def show(collection_id: int) -> str:
    """Show a collection: its puzzles in order, and how far the player is."""
    player_id = current_player_id()
    progress = collections.of_id(collection_id, player_id, now())
    items = collections.items(collection_id, player_id)
    return render_template(
        "play/shelf/collection.html",
        progress=progress,
        items=items,
        following=next((item for item in items if not item.solved), None),
    )
