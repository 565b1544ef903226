"""The HTTP API of the desk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import request

from webapp.capability import Capability, Panel, Place, Records, Right
from webapp.curation.api import (
    api,
    calendar_routes,
    collection_routes,
    export_routes,
    imports_routes,
    orders_routes,
    public_routes,
    puzzle_routes,
    token_routes,
    tokens,
)
from webapp.models import ApiToken
from webapp.process.clock import now


def on_settings(about: Mapping[str, Any]) -> dict[str, Any]:
    """Show a curator's tokens, including the one just made."""
    errors, made = about["errors"], about.get("made")
    return {
        "tokens": tokens.of(about["player_id"]),
        "made": made,
        "errors": errors,
        "form": request.form,
        "parts": token_routes.part_names(),
        "lasting": tokens.DAYS,
        "now": now(),
    }


CAPABILITY = Capability(
    key="api",
    optional=True,
    places=(
        Place(token_routes.bp, Right.SEE, Right.SEE),
        Place(imports_routes.bp, Right.EDIT, Right.EDIT, parent="api"),
        Place(orders_routes.bp, Right.REVIEW, Right.EDIT, parent="api"),
        Place(export_routes.bp, Right.EDIT, Right.EDIT, parent="api"),
        Place(calendar_routes.bp, Right.REVIEW, Right.EDIT, parent="api"),
        Place(public_routes.bp, Right.REVIEW, Right.EDIT, parent="api"),
        Place(puzzle_routes.bp, Right.REVIEW, Right.REVIEW, parent="api"),
        Place(collection_routes.bp, Right.REVIEW, Right.EDIT, parent="api"),
    ),
    panels=(Panel("desk settings", "curation/api/_tokens.html", on_settings),),
    records=(
        Records(
            ApiToken, "api_tokens", ("name", "created_at", "used_at", "read_only", "parts", "expires_at")
        ),
    ),
    set_up=api.init_app,
)
