"""Orders for programs: place, follow, cancel."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Blueprint, jsonify, url_for
from werkzeug.wrappers import Response

from webapp.curation.api.replies import body, latest, moment, whole
from webapp.curation.orders import orders
from webapp.curation.orders.orders import Wish
from webapp.curation.team.access import curator
from webapp.models import Order
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

bp = Blueprint("orders", __name__)

FIELDS = ("count", "minutes", "seed", "recipe")
MINUTES = 30  # of work, over all puzzles
LONGEST = int(orders.LONGEST / timedelta(minutes=1))


@bp.get("/orders")
def index() -> Response:
    """List the orders, newest first; `?page=`."""
    return jsonify(latest(Order).json(order_json))


@bp.post("/orders")
def place() -> tuple[Response, int, dict[str, str]]:
    """Order `count` new candidates of a `recipe`, for at most `minutes` of work."""
    fields = body(FIELDS)
    recipe = fields.get("recipe", {})
    if not isinstance(recipe, dict):
        raise BadInput(recipe=_("Send a JSON object."))
    seed = None if fields.get("seed") is None else whole(fields, "seed")
    minutes = whole(fields, "minutes", MINUTES)
    # Clamped, so that a value too long for a timedelta gets the same refusal as any other too long one.
    budget = timedelta(minutes=min(max(minutes, 0), LONGEST + 1))
    wish = Wish(recipe, whole(fields, "count"), budget, seed)
    try:
        order_id = orders.place(wish, curator(), now())
    except BadInput as error:
        wrong = {"minutes" if name == "budget" else name: text for name, text in error.fields.items()}
        raise BadInput(**wrong) from None
    where = {"Location": url_for("api.orders.show", order_id=order_id)}
    return jsonify(order_json(orders.of_id(order_id))), 201, where


@bp.get("/orders/<int:order_id>")
def show(order_id: int) -> Response:
    """Return an order and its progress."""
    return jsonify(order_json(orders.of_id(order_id)))


@bp.post("/orders/<int:order_id>/cancel")
def cancel(order_id: int) -> Response:
    """Cancel an order and keep its puzzles."""
    orders.cancel(order_id, curator(), now())
    return jsonify(order_json(orders.of_id(order_id)))


def order_json(order: Order) -> dict[str, Any]:
    """Return an order as JSON."""
    return {
        "id": order.id,
        "state": order.state,
        "recipe": orders.recipe_of(order.recipe),
        "seed": int(order.seed),
        "count": order.count,
        "made": order.made,
        "minutes": order.budget_seconds / 60,
        "message": order.message or orders.tried_in_words(order) or None,
        "created_at": moment(order.created_at),
        "ended_at": moment(order.ended_at),
    }
