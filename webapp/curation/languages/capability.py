"""The desk's page on how complete each translation is."""

from __future__ import annotations

from webapp.capability import Capability, Link, Place, Right
from webapp.curation.languages import routes
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="languages",
    places=(Place(routes.bp, Right.SEE, Right.SEE),),
    links=(Link("desk", "admin.languages.show", lambda: _("Languages"), position=11),),
)
