"""Replays and reviews of finished games."""

from __future__ import annotations

from webapp.capability import Capability
from webapp.play.replays import routes

CAPABILITY = Capability(key="replays", pages=(routes.bp,))
