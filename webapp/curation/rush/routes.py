"""Results of puzzle rush on a player's page at the desk, and the verdict on one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, redirect, request, url_for

from webapp.curation.moderation.routes import player_page
from webapp.curation.rush import rushes
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed
from webapp.web.htmx import Answer
from webapp.web.inputs import row_number

bp = Blueprint("rushes", __name__)


def on_player(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show a player's runs, if there are any."""
    runs = rushes.runs(about["player"].id, now())
    return {**about, "runs": runs, "standing_of": rushes.standing} if runs else None


@bp.post("/players/<int:player_id>/rush")
def judge(player_id: int) -> Answer:
    """Decide on a `run`: `standing` verified or removed, `note` for the player, `seen` as on the page."""
    form = request.form
    run_id = row_number(form.get("run", ""))
    fields = (form.get("seen", ""), form.get("standing", ""), form.get("note", ""))
    try:
        rushes.record_verdict(curator(), player_id, run_id, *fields, now())
    except Changed as error:
        return player_page(player_id, {"changed": str(error)}, run_id), 409
    except BadInput as error:
        return player_page(player_id, error.fields, run_id), 422
    return redirect(url_for("admin.flags.player", player_id=player_id, done="run"), 303)
