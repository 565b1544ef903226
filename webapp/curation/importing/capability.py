"""Import and export of puzzles at the desk."""

from __future__ import annotations

from datetime import timedelta

from webapp.capability import Capability, Link, Place, Records, Right
from webapp.curation.importing import exporting_routes, routes, uploads
from webapp.curation.importing.commands import desk_commands
from webapp.models import Import
from webapp.process.jobs import Retention
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="importing",
    places=(
        Place(routes.bp, Right.EDIT, Right.EDIT),
        Place(exporting_routes.bp, Right.EDIT, Right.EDIT),
    ),
    links=(Link("desk", "admin.importing.show", lambda: _("Import and export"), position=6),),
    workers=("webapp.curation.importing.worker",),
    retention=(
        Retention(
            "imports that wait for their columns",
            f"{uploads.WAITS // timedelta(hours=1)} hours after the upload",
            uploads.forget_waiting,
        ),
    ),
    commands=(desk_commands,),
    records=(Records(Import, "imports", ("name", "created_at", "state", "taken")),),
)
