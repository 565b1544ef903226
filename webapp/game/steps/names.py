"""What each technique is called: the name on its entry, in the reader's language."""

from __future__ import annotations

from flask_babel import gettext

import engine


def technique_name(key: str) -> str:
    """The name of a technique in the reader's language; KeyError for an unknown key."""
    return gettext(engine.TECHNIQUES[key].name)
