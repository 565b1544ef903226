"""The drawing table: puzzles designed by hand."""

from __future__ import annotations

from webapp.capability import Capability, Link, Place, Right
from webapp.curation.table import routes
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="table",
    optional=True,
    places=(Place(routes.bp, Right.EDIT, Right.EDIT),),
    links=(Link("desk", "admin.table.show", lambda: _("Drawing table"), position=3),),
)
