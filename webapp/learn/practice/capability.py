"""Practice: drills on positions of the path, each time in another equivalent form."""

from __future__ import annotations

from webapp.capability import Capability, Link
from webapp.learn.practice import routes
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="practice",
    tab="lessons.index",
    pages=(routes.bp,),
    links=(Link("learn", "practice.index", lambda: _("Practice"), position=1),),
)
