"""Typed wrappers for Flask-Babel's translation functions, as the package has no types.

Import `gettext as _`, so that `pybabel extract` finds the messages by its default keywords.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, Protocol

import flask_babel
from babel.dates import format_interval
from flask import g

from engine.errors import PuzzleFormatError, RecipeError
from engine.geometry import cell_name


class LazyText(Protocol):
    """A text translated on each `str()`, for tables built at import."""

    def __str__(self) -> str: ...


def catalog() -> Any:
    """Return the translations of this request's language, as `gettext` has them.

    They are looked up once a request: once a message took a fifth of the time of a page of the desk.
    """
    try:
        return g.catalog
    except AttributeError:
        g.catalog = flask_babel.get_translations()
        return g.catalog
    except RuntimeError:  # outside of the site
        return flask_babel.get_translations()


def gettext(text: str, /, **values: object) -> str:
    """Return `text` in this request's language, with `values` for its %(name)s placeholders."""
    words: str = catalog().ugettext(text)
    return words % values if values else words


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Return `one` or `many` by the language's plural rules; %(num)s is the number as it writes it."""
    words: str = catalog().ungettext(one, many, number)
    return words % {"num": format_decimal(number), **values}


def N_p(_context: str, text: str, /) -> str:
    """Mark `text` for translation in a context; it is looked up where it is shown."""
    return text


def pgettext(context: str, text: str, /, **values: object) -> str:
    """Like `gettext`, for a text that says something else elsewhere."""
    words: str = catalog().upgettext(context, text)
    return words % values if values else words


def lazy_gettext(text: str, /, **values: object) -> LazyText:
    """Like `gettext`, but translated when used."""
    words: LazyText = flask_babel.lazy_gettext(text, **values)
    return words


def reason_of(error: PuzzleFormatError | RecipeError) -> str:
    """Say why the engine refused something; the place in the text first where it has one."""
    reason = gettext(error.pattern, **error.values) if error.values else gettext(error.pattern)
    if isinstance(error, RecipeError):
        return reason
    cell = "" if error.cell is None else cell_name(error.cell)
    if error.line is None:
        return gettext("%(cell)s: %(reason)s", cell=cell, reason=reason) if cell else reason
    if cell:
        return gettext("line %(line)s, %(cell)s: %(reason)s", line=error.line, cell=cell, reason=reason)
    return gettext("line %(line)s: %(reason)s", line=error.line, reason=reason)


# In the letters of Unicode's CLDR; docs/languages/README.md says how they are translated.
DATES: Final = frozenset(
    (
        N_p("date pattern", "EEEE, MMMM d"),
        N_p("date pattern", "EEE, MMMM d"),
        N_p("date pattern", "EEE, MMM d, y"),
        N_p("date pattern", "EEE, MMM d"),
        N_p("date pattern", "EEE d"),
        N_p("date pattern", "MMMM yyyy"),
        N_p("date pattern", "MMMM d"),
        N_p("date pattern", "MMM d"),
    )
)


def format_date(day: date, pattern: str) -> str:
    """Format `day` in this request's language: by one of DATES, a name such as `long`, or a single field."""
    if pattern in DATES:
        pattern = pgettext("date pattern", pattern)
    words: str = flask_babel.format_date(day, pattern)
    return words


def format_days(first: date, last: date) -> str:
    """Format a range of days in this request's language, with a month or year that both share named once."""
    words: str = format_interval(first, last, skeleton="yMMMd", locale=flask_babel.get_locale())
    return words


def format_decimal(number: float, pattern: str | None = None) -> str:
    """`number` in this request's language, by a pattern of Unicode's CLDR or as the language has it."""
    words: str = flask_babel.format_decimal(number, pattern)
    return words


def format_percent(share: float) -> str:
    """Format a share, 1 being all, as whole percent in this request's language: `57%`, in German `57 %`."""
    words: str = flask_babel.format_percent(share)
    return words


def comma() -> str:
    """Return what stands between two facts in this request's language, such as ", " or "、"."""
    return pgettext("two facts side by side", "%(first)s, %(next)s", first="", next="")


def colon() -> str:
    """Return what stands between a name and what it is, such as ": " or "："."""
    return pgettext("a name and what it is", "%(name)s: %(value)s", name="", value="")


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Say everything in a language inside of this block; None for that of the messages."""
    with flask_babel.force_locale(language or "en"):
        before = g.pop("catalog", None) if g else None
        try:
            yield
        finally:
            if g:
                g.pop("catalog", None)
                if before is not None:
                    g.catalog = before


def current_locale() -> str:
    """The language of this request as Babel knows it, such as `en` or `zh_Hans`."""
    return str(flask_babel.get_locale() or "en")
