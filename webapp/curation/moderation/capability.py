"""Moderation: solves under review, and players."""

from __future__ import annotations

from webapp.capability import Capability, Link, Place, Right
from webapp.curation.moderation import routes
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="moderation",
    places=(Place(routes.bp, Right.MODERATE, Right.MODERATE),),
    links=(Link("desk", "admin.flags.show", lambda: _("Moderation"), position=8),),
)
