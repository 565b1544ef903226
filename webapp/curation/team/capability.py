"""The team: curators, their roles, the audit log, and each curator's own settings."""

from __future__ import annotations

from webapp.capability import Capability, Link, Place, Records, Right
from webapp.curation.team import access, routes
from webapp.curation.team.audit import routes as audit_routes
from webapp.curation.team.own import routes as own_routes
from webapp.identity import audit
from webapp.models import AuditEntry
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="team",
    places=(
        Place(access.bp, Right.SEE, Right.SEE),
        Place(routes.bp, Right.APPOINT, Right.APPOINT),
        Place(audit_routes.bp, Right.SEE, Right.SEE),
        Place(own_routes.bp, Right.SEE, Right.SEE),
    ),
    links=(
        Link("desk", "admin.team.show", lambda: _("Team"), position=9),
        Link("desk", "admin.audit.show", lambda: _("Audit log"), position=10),
        Link("desk", "admin.own.show", lambda: _("Settings"), position=12),
    ),
    records=(Records(AuditEntry, "desk_actions", ("at", "action", "subject", "subject_id")),),
    forget=audit.forget,
)
