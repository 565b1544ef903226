"""What each technique is called: the name on its entry, in the reader's language."""

from __future__ import annotations

import engine
from webapp.process.words import gettext


def technique_name(key: str) -> str:
    """The name of a technique in the reader's language; KeyError for an unknown key."""
    return gettext(engine.TECHNIQUES[key].name)
