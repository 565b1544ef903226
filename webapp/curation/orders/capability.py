"""Orders: puzzles generated to curators' specifications, and the state of the bank."""

from __future__ import annotations

from datetime import datetime

from flask import current_app

from webapp.capability import Capability, Link, Place, Records, Right
from webapp.curation.orders import routes, stock, stock_routes
from webapp.models import Order
from webapp.process.jobs import STOCK, Job
from webapp.process.words import gettext as _


def order_ahead(now: datetime) -> int:
    """Order candidates when stock is low; repeated runs don't order twice."""
    days: int = current_app.extensions["settings"].order_days
    return len(stock.order_ahead(days, now)) if days else 0


CAPABILITY = Capability(
    key="orders",
    places=(
        Place(routes.bp, Right.REVIEW, Right.EDIT),
        Place(stock_routes.bp, Right.REVIEW, Right.EDIT),
    ),
    links=(
        Link("desk", "admin.orders.show", lambda: _("Orders"), position=2),
        Link("desk", "admin.health.show", lambda: _("Bank health"), position=7),
    ),
    jobs=(Job("order_ahead", STOCK, order_ahead),),
    workers=("webapp.curation.orders.worker",),
    records=(Records(Order, "orders", ("recipe", "count", "made", "state", "created_at")),),
)
