"""The language of a request: the browser's preferred one among the complete catalogs.

The catalogs are in `catalogs`, lists in words and spaces between sentences in `lists`; `messages` collects
the messages of the source.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from babel import Locale
from flask import Flask
from flask_babel import Babel

from webapp.process.words import catalog, colon, comma, format_date, format_decimal, format_percent, pgettext
from webapp.process.words import gettext as _
from webapp.web.i18n import addresses, catalogs, lists
from webapp.web.i18n.catalogs import CATALOGS, SOURCE
from webapp.web.i18n.choice import (
    chosen_language,
    direction,
    kept_language,
    languages,
    locale,
    own_name,
    remember,
    tag_of,
)
from webapp.web.i18n.lists import each, listed, listed_lists

__all__ = [
    "CATALOGS",
    "about_text",
    "clock_text",
    "languages",
    "level_name",
    "level_words",
    "locale",
    "ordinal",
]


@cache
def known(code: str) -> Locale:
    """Return Babel's locale for a language; cached, since Babel parses it anew each time."""
    return Locale.parse(code)


def language_menu() -> list[tuple[str, str, str]]:
    """Return code, tag and native name of every language on offer."""
    return [(code, tag_of(code), own_name(code)) for code in languages()]


def init_app(app: Flask, folder: Path) -> None:
    """Compile the catalogs in `folder`, and use them for both templates and Python."""
    compiled = catalogs.compiled(CATALOGS, folder)
    app.extensions["languages"] = [SOURCE, *catalogs.offered(compiled)]
    Babel(  # one for each app: its cache of catalogs knows only their languages
        app,
        locale_selector=lambda: known(locale()),
        default_translation_directories=str(compiled),
    )

    words: Any = app.jinja_env  # its i18n extension adds the method at run time
    words.install_gettext_callables(
        gettext=lambda text: catalog().ugettext(text),
        ngettext=lambda one, many, number: catalog().ungettext(one, many, number),
        newstyle=True,
        pgettext=lambda context, text: catalog().upgettext(context, text),
        npgettext=lambda context, one, many, number: catalog().unpgettext(context, one, many, number),
    )
    app.jinja_env.globals["_"] = app.jinja_env.globals["gettext"]  # Jinja's own `_` looks it up at each call
    app.jinja_env.globals.update(
        colon=colon,
        comma=comma,
        each=each,
        listed=listed,
        listed_lists=listed_lists,
        language=locale,
        kept_language=kept_language,
        language_menu=language_menu,
        chosen_language=chosen_language,
        tag_of=tag_of,
        direction=direction,
    )
    app.jinja_env.filters.update(
        dateformat=format_date, numberformat=format_decimal, percentformat=format_percent, keyname=key_name
    )
    app.after_request(remember)
    lists.init_app(app)
    addresses.init_app(app, app.extensions["languages"])


def level_name(level: int) -> str:
    """Return the name of a level 1..5."""
    return (_("Beginner"), _("Easy"), _("Medium"), _("Hard"), _("Evil"))[level - 1]


def ordinal(number: int) -> str:
    """Return a place in a ranking: `1st`, `12th`."""
    if number % 100 in (11, 12, 13) or number % 10 not in (1, 2, 3):
        return pgettext("a place in a ranking", "%(num)sth", num=number)
    return (
        pgettext("a place in a ranking", "%(num)sst", num=number),
        pgettext("a place in a ranking", "%(num)snd", num=number),
        pgettext("a place in a ranking", "%(num)srd", num=number),
    )[number % 10 - 1]


def level_words(level: int) -> str:
    """Return a description of a level 1..5."""
    return (
        _("One box at a time."),
        _("Singles all the way."),
        _("Pairs, triples, pencil marks."),
        _("Fish, wings and coloring."),
        _("Chains, and anything goes."),
    )[level - 1]


def key_name(keys: str) -> str:
    """Return a shortcut such as `Ctrl Z` with the names of the reader's keyboard."""
    names = {
        "Ctrl": pgettext("key", "Ctrl"),
        "Shift": pgettext("key", "Shift"),
        "Alt": pgettext("key", "Alt"),
        "Home": pgettext("key", "Home"),
        "End": pgettext("key", "End"),
        "Space": pgettext("key", "Space"),
        "Enter": pgettext("key", "Enter"),
        "Delete": pgettext("key", "Delete"),
        "Esc": pgettext("key", "Esc"),
    }
    return " ".join(names.get(key, key) for key in keys.split(" "))


LONGEST_EXPECTED: Final = 40  # minutes; longer expected times are shown only as "or more"
# Minutes that an estimate is rounded to
_ROUND: Final = (*range(1, 11), 12, 15, 20, 25, 30, 35, LONGEST_EXPECTED)


def about_text(seconds: float, interval: tuple[float, float] | None = None) -> str:
    """Format an expected time to its known precision: `about 12 min`, `40 min or more`.

    interval: the seconds between which most players are, added as `about 12 min (8 to 20)`.
    """
    minutes = rounded_minutes(seconds)
    if minutes >= LONGEST_EXPECTED:
        return _("%(minutes)s min or more", minutes=LONGEST_EXPECTED)
    low, high = (rounded_minutes(end) for end in interval or (seconds, seconds))
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


def rounded_minutes(seconds: float) -> int:
    """Return the round number of minutes that is nearest by ratio."""
    minutes = max(seconds, 1.0) / 60
    nearest: int = min(_ROUND, key=lambda near: max(near / minutes, minutes / near))
    return nearest


def clock_text(ms: int | None) -> str:
    """Format a time as 7:42 or 1:02:05, like static/js/time.js; None as 0:00."""
    minutes, seconds = divmod((ms or 0) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
