"""The laboratory: the five published systems step by step."""

from __future__ import annotations

from webapp.capability import Capability, Link, Panel
from webapp.play.lab import routes
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="laboratory",
    pages=(routes.bp,),
    links=(
        Link("about", "lab.make", lambda: _("Laboratory"), position=7),
        Link("solve", "lab.show", lambda: _("Laboratory")),
    ),
    panels=(Panel("about", "play/lab/_about.html", lambda _about: {}),),
)
