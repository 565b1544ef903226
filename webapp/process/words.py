"""Typed wrappers for Flask-Babel's translation functions, as the package has no types.

Import `gettext as _`, so that `pybabel extract` finds the messages by its default keywords.
"""

from __future__ import annotations

from datetime import date
from typing import Protocol

import flask_babel
from babel.dates import format_interval


class LazyText(Protocol):
    """A text translated on each `str()`, for tables built at import."""

    def __str__(self) -> str: ...


def gettext(text: str, /, **values: object) -> str:
    """Return `text` in this request's language, with `values` for its %(name)s placeholders."""
    words: str = flask_babel.gettext(text, **values)
    return words


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Return `one` or `many` by the language's plural rules; %(num)s is the number."""
    words: str = flask_babel.ngettext(one, many, number, **values)
    return words


def lazy_gettext(text: str, /, **values: object) -> LazyText:
    """Like `gettext`, but translated when used."""
    words: LazyText = flask_babel.lazy_gettext(text, **values)
    return words


def format_date(day: date, pattern: str) -> str:
    """Format `day` in this request's language by a CLDR pattern."""
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
