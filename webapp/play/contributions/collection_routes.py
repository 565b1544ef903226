"""Routes of collections: the list, and one with its puzzles."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.play.contributions import collections
from webapp.process.clock import now
from webapp.web.auth import current_player_id

bp = Blueprint("collections", __name__)


@bp.get("/collections")
def index() -> str:
    """Show the collections visible to this player."""
    return render_template(
        "play/contributions/collections.html", collections=collections.listed(current_player_id(), now())
    )


@bp.get("/collections/<int:collection_id>")
def show(collection_id: int) -> str:
    """Show a collection: its puzzles in order, and the player's progress."""
    player_id = current_player_id()
    progress = collections.of_id(collection_id, player_id, now())
    items = collections.items(collection_id, player_id)
    open_ones = (item for item in items if not item.solved)
    return render_template(
        "play/contributions/collection.html",
        progress=progress,
        items=items,
        following=None if progress.collection.withdrawn else next(open_ones, None),
    )
