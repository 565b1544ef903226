"""The analysis board: any position, its solution path, and pictures of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.capability import Capability, Link, Panel
from webapp.learn.analysis import routes
from webapp.learn.analysis.states import State
from webapp.process.words import gettext as _


def of_export(about: Mapping[str, Any]) -> dict[str, str] | None:
    """Offer to analyze the exported position."""
    return None if about["position"] is None else {"grid": State(about["position"]).text}


CAPABILITY = Capability(
    key="analysis",
    tab="lessons.index",
    pages=(routes.bp,),
    links=(
        Link("about", "analysis.show", lambda: _("Analysis"), position=6),
        Link("learn", "analysis.show", lambda: _("Analysis"), position=2),
        Link("analyze", "analysis.show", lambda: _("See the solution steps")),
    ),
    panels=(Panel("exports", "learn/analysis/_export.html", of_export),),
)
