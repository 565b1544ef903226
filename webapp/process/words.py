"""Flask-Babel's translations with types: the package carries none, so this is where the rest gets them.

Import `gettext as _`, so that `pybabel extract` finds the texts by its usual keywords.
"""

from __future__ import annotations

from datetime import date
from typing import Protocol

import flask_babel


class LazyText(Protocol):
    """A text translated each time `str()` is taken of it: for tables filled at import."""

    def __str__(self) -> str: ...


def gettext(text: str, /, **values: object) -> str:
    """`text` in this request's language, with `values` in the places of its %(name)s."""
    words: str = flask_babel.gettext(text, **values)
    return words


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """`one` or `many`, as the language counts `number`; %(num)s in either is the number."""
    words: str = flask_babel.ngettext(one, many, number, **values)
    return words


def lazy_gettext(text: str, /, **values: object) -> LazyText:
    """As `gettext`, translated when it is read."""
    words: LazyText = flask_babel.lazy_gettext(text, **values)
    return words


def format_date(day: date, pattern: str) -> str:
    """`day` in this request's language, by a pattern of Unicode's CLDR."""
    words: str = flask_babel.format_date(day, pattern)
    return words


def format_decimal(number: float, pattern: str | None = None) -> str:
    """`number` in this request's language, by a pattern of Unicode's CLDR or as the language has it."""
    words: str = flask_babel.format_decimal(number, pattern)
    return words
