"""Language selection: the best match for the browser among the available catalogs."""

from __future__ import annotations

from typing import Any, Final

from flask import Flask, current_app, g, has_request_context, request
from flask_babel import get_translations

from webapp.process.config import ROOT
from webapp.process.words import gettext as _

SOURCE: Final = "en"  # the language the messages themselves are written in
CATALOGS: Final = ROOT / "webapp" / "translations"


def languages() -> list[str]:
    """Return the available languages: that of the messages, then one per folder with a compiled catalog."""
    found = sorted(path.parts[-3] for path in CATALOGS.glob("*/LC_MESSAGES/messages.mo"))
    return [SOURCE, *found]


def locale() -> str:
    """Return the language of this request, or the default."""
    if not has_request_context():
        return SOURCE
    offered: list[str] = current_app.extensions["languages"]
    return request.accept_languages.best_match(offered) or SOURCE


def init_app(app: Flask) -> None:
    """Let templates look up their catalog once per request: per message it takes a sixth of the time."""

    app.extensions["languages"] = languages()

    def catalogue() -> Any:
        if "catalogue" not in g:
            g.catalogue = get_translations()
        return g.catalogue

    words: Any = app.jinja_env  # its i18n extension adds the method at run time
    words.install_gettext_callables(
        gettext=lambda text: catalogue().ugettext(text),
        ngettext=lambda one, many, number: catalogue().ungettext(one, many, number),
        newstyle=True,
        pgettext=lambda context, text: catalogue().upgettext(context, text),
        npgettext=lambda context, one, many, number: catalogue().unpgettext(context, one, many, number),
    )


def level_name(level: int) -> str:
    """Return the name of a level 1..5."""
    return (_("Beginner"), _("Easy"), _("Medium"), _("Hard"), _("Evil"))[level - 1]


def level_words(level: int) -> str:
    """Say what a puzzle of a level 1..5 takes."""
    return (
        _("One box at a time."),
        _("Singles all the way."),
        _("Pairs, triples, pencil marks."),
        _("Fish, wings and coloring."),
        _("Chains, and anything goes."),
    )[level - 1]


LONGEST_EXPECTED: Final = 40  # minutes, above which an expected time is only said to be long
_ROUND: Final = (*range(1, 11), 12, 15, 20, 25, 30, 35, LONGEST_EXPECTED)  # minutes that an estimate can be


def about_text(seconds: float, interval: tuple[float, float] | None = None) -> str:
    """Format an expected time, as roughly as it is known: `about 12 min`, `40 min or more`.

    interval: the seconds between which most players are, added as `about 12 min (8 to 20)`.
    """
    minutes = _rounded(seconds)
    if minutes >= LONGEST_EXPECTED:
        return _("%(minutes)s min or more", minutes=LONGEST_EXPECTED)
    low, high = (_rounded(end) for end in interval or (seconds, seconds))
    if low == high:
        return _("about %(minutes)s min", minutes=minutes)
    if high >= LONGEST_EXPECTED:
        return _(
            "about %(minutes)s min (%(low)s to %(high)s or more)",
            minutes=minutes,
            low=low,
            high=LONGEST_EXPECTED,
        )
    return _("about %(minutes)s min (%(low)s to %(high)s)", minutes=minutes, low=low, high=high)


def _rounded(seconds: float) -> int:
    """Return the round number of minutes that is nearest by ratio."""
    minutes = max(seconds, 1.0) / 60
    nearest: int = min(_ROUND, key=lambda near: max(near / minutes, minutes / near))
    return nearest


def clock_text(ms: int) -> str:
    """Format a time as 7:42 or 1:02:05, like static/js/time.js."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
