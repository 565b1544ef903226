"""The desk's part of collections: editing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from webapp.capability import Capability, Link, Panel, Place, Right
from webapp.curation.collections import editing, routes
from webapp.curation.team.access import may_use
from webapp.identity.players import Identity
from webapp.process.errors import BadInput, NotYourRole
from webapp.process.words import gettext as _
from webapp.web.inputs import row_number


def in_queue(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Offer to add approved puzzles to a collection."""
    if about["filters"].status != "approved" or not may_use("admin.collections.add", write=True):
        return None
    found = [collection for collection, _count in editing.everything()]
    return {"collections": found} if found else None


def collect(
    curator: Identity, ids_of: Callable[[int], list[int]], form: Mapping[str, str], now: datetime
) -> tuple[list[int], int]:
    """Add the chosen puzzles to a collection; returns them, and the number of new ones."""
    if not may_use("admin.collections.add", write=True):
        raise NotYourRole(_("Your role doesn’t include this. Ask an administrator if you need it."))
    ids, number = ids_of(editing.MOST), row_number(form.get("collection", ""))
    if number is None:
        raise BadInput(collection=_("Choose a collection."))
    return ids, editing.add(curator, number, ids, now)


CAPABILITY = Capability(
    key="collections",
    optional=True,
    places=(Place(routes.bp, Right.REVIEW, Right.EDIT),),
    panels=(Panel("queue actions", "curation/collections/_add.html", in_queue),),
    hooks={
        "queue actions": lambda: {"collect": collect},
        "editing of collections": lambda: editing,
    },
    links=(Link("desk", "admin.collections.index", lambda: _("Collections"), position=5),),
)
