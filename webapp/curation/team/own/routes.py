"""A curator's own settings: recovery codes, and the capabilities' panels."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, render_template

from webapp.curation.team import curators
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.web.htmx import Answer
from webapp.web.security_log import note

bp = Blueprint("own", __name__)


@bp.get("/settings")
def show() -> str:
    """Show the curator's choices."""
    return page({})


@bp.post("/settings/codes")
def renew_codes() -> Answer:
    """Make new recovery codes and show them, once."""
    codes = curators.renew_codes(curator().id, now(), curator())
    note("recovery codes made", account=curator().id)
    return page({}, codes=codes)


def page(errors: dict[str, str], codes: Sequence[str] = (), **known: object) -> str:
    """Return the settings. codes: new recovery codes; known: further values for panels."""
    person = curator()
    return render_template(
        "curation/settings.html",
        known={"player_id": person.id, "errors": errors, **known},
        codes=codes,
        codes_left=curators.codes_left(person.id),
        errors=errors,
    )
