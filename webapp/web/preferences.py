"""Preferences for appearance and help, and the player's choices.

The cookie `ui`, which static/js/settings.js writes, holds the choices as words such as `theme-dark`. Every
page repeats them in `<html data-ui>`, where style sheets and modules read them. A new preference is one row
of PREFERENCES; the settings sheet is generated from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import request

from webapp.process.words import LazyText
from webapp.process.words import lazy_gettext as _

LONGEST: Final = 200  # characters of the cookie that are read


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference: `name` and values are lowercase words; the default's value is empty."""

    name: str
    title: LazyText
    options: tuple[tuple[str, LazyText], ...]  # value and label, in the order shown


PREFERENCES: Final = [
    Preference(
        "theme",
        _("Theme"),
        (
            ("", _("Automatic")),
            ("light", _("Light")),
            ("dark", _("Dark")),
            ("contrast", _("High contrast")),
        ),
    ),
    Preference(
        "timer",
        _("Timer"),
        (("", _("Shown")), ("hidden", _("Hidden until the end")), ("off", _("Off, except in ranked games"))),
    ),
    Preference(
        "away", _("When I leave the page"), (("", _("Pause the clock")), ("on", _("Keep it running")))
    ),
    Preference(
        "feedback",
        _("Mark mistakes"),
        (
            ("never", _("Never")),
            ("", _("Conflicting digits")),
            ("solution", _("Wrong digits (counts as help)")),
        ),
    ),
    Preference(
        "done", _("Mark completed rows, columns, boxes and digits"), (("", _("On")), ("off", _("Off")))
    ),
    Preference(
        "marks",
        _("When I place a digit"),
        (("", _("Remove its marks from row, column and box")), ("keep", _("Leave my marks alone"))),
    ),
    Preference("lines", _("Highlight row, column and box"), (("", _("On")), ("off", _("Off")))),
    Preference("same", _("Highlight same digit"), (("", _("On")), ("off", _("Off")))),
    Preference(
        "first",
        _("Input order"),
        (("", _("Cell first, then digit")), ("digit", _("Digit first, then cells"))),
    ),
    Preference("letters", _("Letter shortcuts"), (("", _("On")), ("off", _("Off")))),
]


def chosen() -> list[str]:
    """Return this request's choices as words such as `theme-dark`."""
    return request.cookies.get("ui", "")[:LONGEST].split(".")


def choice(name: str) -> str:
    """Return the value chosen for a preference; empty for its default."""
    return next((word.removeprefix(f"{name}-") for word in chosen() if word.startswith(f"{name}-")), "")
