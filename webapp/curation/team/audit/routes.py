"""The audit log as a page, with filters and pagination."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from webapp.curation.team.audit.sentences import described
from webapp.curation.team.audit.words import word_of
from webapp.identity import audit

bp = Blueprint("audit", __name__)

FILTERS = ("curator", "subject", "subject_id", "action")


@bp.get("/audit")
def show() -> str:
    """Show the log, newest first; `?curator= ?subject= ?subject_id= ?action= ?page=`."""
    chosen = {name: request.args.get(name, "").strip()[:40] for name in FILTERS}
    number = request.args.get("page", 1, type=int)
    page = audit.page(number, **chosen)
    return render_template(
        "curation/audit.html",
        page=page,
        entries=list(
            zip(page.entries, map(audit.changes, page.entries), described(page.entries), strict=True)
        ),
        filters=chosen,
        kept={name: value for name, value in chosen.items() if value},
        curators={name: name for name in audit.words("curator_name")},
        subjects={key: word_of(key) for key in audit.words("subject")},
        actions={key: word_of(key) for key in audit.words("action")},
    )
