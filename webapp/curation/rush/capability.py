"""The desk's part of puzzle rush: results on a player's page. Off together with the game."""

from __future__ import annotations

from webapp.capability import Capability, Panel, Place, Right
from webapp.curation.rush import routes

CAPABILITY = Capability(
    key="rush",
    optional=True,
    places=(Place(routes.bp, Right.MODERATE, Right.MODERATE),),
    panels=(Panel("desk player", "curation/rush/_runs.html", routes.on_player),),
)
