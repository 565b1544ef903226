"""Technique names, from their entries, in the reader's language."""

from __future__ import annotations

import engine
from webapp.process.words import gettext


def technique_name(key: str) -> str:
    """Return the name of a technique in the reader's language. Raises KeyError for an unknown key."""
    return gettext(engine.TECHNIQUES[key].name)
