"""Routes of the team: the curators and their roles."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.curation.team import curators, roles
from webapp.curation.team.access import curator
from webapp.models import Role
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.web.htmx import Answer

bp = Blueprint("team", __name__)


@bp.get("/team")
def show() -> str:
    """Show all curators with their roles."""
    return _page({})


@bp.post("/team")
def add() -> Answer:
    """Make the player with this `name` a curator of a `role`, and show the key of their authenticator,
    once.
    """
    try:
        key = curators.add(request.form.get("name", ""), now(), request.form.get("role", ""), curator())
    except BadInput as error:
        return _page(error.fields), 422
    except NotFound as error:
        return _page({"name": str(error)}), 422
    return _page({}, key)


@bp.post("/team/<int:player_id>")
def appoint(player_id: int) -> Answer:
    """Change a curator's `role`; `seen` is the previous one."""
    form = request.form
    try:
        curators.set_role(player_id, form.get("role", ""), form.get("seen", ""), now(), curator())
    except BadInput as error:
        return _page({f"role-{player_id}": str(error)}), 422
    except Changed as error:
        return _page({f"role-{player_id}": str(error)}), 409
    return redirect(url_for("admin.team.show"), 303)


@bp.post("/team/<int:player_id>/removal")
def dismiss(player_id: int) -> Answer:
    """End a curator's access to the desk."""
    try:
        curators.dismiss(player_id, now(), curator())
    except BadInput as error:
        return _page({f"role-{player_id}": str(error)}), 422
    return redirect(url_for("admin.team.show"), 303)


def _page(errors: dict[str, str], key: str | None = None) -> str:
    return render_template(
        "curation/team.html",
        curators=curators.everyone(),
        roles=[(str(role), roles.role_words(role), roles.duties(role)) for role in Role],
        errors=errors,
        key=key,
        form=request.form,
    )
