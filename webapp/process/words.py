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

from engine import PuzzleFormatError, RecipeError
from engine.geometry import cell_name


class LazyText(Protocol):
    """A text translated on each `str()`, for tables built at import."""

    def __str__(self) -> str: ...


def catalog() -> Any:
    """Return the translations of this request's language, as `gettext` uses them.

    They are looked up once a request: a lookup for each message took a fifth of the time of a desk page.
    """
    try:
        return g.catalog
    except AttributeError:
        g.catalog = flask_babel.get_translations()
        return g.catalog
    except RuntimeError:  # outside a request
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
    """Like `gettext`, for a text whose meaning depends on `context`."""
    words: str = catalog().upgettext(context, text)
    return words % values if values else words


def lazy_gettext(text: str, /, **values: object) -> LazyText:
    """Like `gettext`, but translated when used."""
    words: LazyText = flask_babel.lazy_gettext(text, **values)
    return words


def reason_of(error: PuzzleFormatError | RecipeError) -> str:
    """Return the translated message of an engine error, after its place in the text if it has one."""
    reason = gettext(error.pattern, **error.values) if error.values else gettext(error.pattern)
    if isinstance(error, RecipeError):
        return reason
    cell = "" if error.cell is None else cell_name(error.cell)
    if error.line is None:
        return gettext("%(cell)s: %(reason)s", cell=cell, reason=reason) if cell else reason
    if cell:
        return gettext("line %(line)s, %(cell)s: %(reason)s", line=error.line, cell=cell, reason=reason)
    return gettext("line %(line)s: %(reason)s", line=error.line, reason=reason)


def unread(error: PuzzleFormatError) -> str:
    """Say to a player why a text is no puzzle, in a sentence without terms of the formats."""
    found, at = error.values.get("found"), error.cell
    if error.pattern in (
        "expected 81 cells, found %(found)s",
        "expected 81 groups of candidates, found %(found)s",
    ):
        if isinstance(found, int) and found < 81:
            return gettext("We found %(found)s of the 81 cells.", found=found)
        return gettext("We found %(found)s cells. A puzzle has 81.", found=found)
    if at is not None and error.character is not None:
        return gettext(
            "We couldn’t read “%(found)s” in row %(row)s, column %(column)s.",
            found=error.character,
            row=at // 9 + 1,
            column=at % 9 + 1,
        )
    if error.pattern.startswith(("expected UTF-8", "expected lines of text")):
        return gettext("This file isn’t text. Choose one with a puzzle in it.")
    if "link" in error.pattern or "address" in error.pattern:
        return gettext("This link doesn’t contain a puzzle. Paste its 81 digits instead.")
    return gettext("There’s no puzzle in this text. Paste 81 digits, with 0 or a period for an empty cell.")


# Skeletons of Unicode's CLDR; docs/languages/README.md says how to translate them.
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
    """Format a range of days in this request's language, writing a shared month or year once."""
    words: str = format_interval(first, last, skeleton="yMMMd", locale=flask_babel.get_locale())
    return words


def format_decimal(number: float, pattern: str | None = None) -> str:
    """Format `number` in this request's language, by a CLDR pattern or the language's default."""
    words: str = flask_babel.format_decimal(number, pattern)
    return words


def format_percent(share: float) -> str:
    """Format a share from 0 to 1 as a whole percentage in this request's language: `57%`, in German `57
    %`.
    """
    words: str = flask_babel.format_percent(share)
    return words


def comma() -> str:
    """Return the separator between two facts in this request's language, such as ", " or "、"."""
    return pgettext("two facts side by side", "%(first)s, %(next)s", first="", next="")


def colon() -> str:
    """Return the separator between a name and its value, such as ": " or "："."""
    return pgettext("a name and what it is", "%(name)s: %(value)s", name="", value="")


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Use a language inside this block; None for the source language."""
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
    """Return this request's language as Babel's locale, such as `en` or `zh_Hans`."""
    return str(flask_babel.get_locale() or "en")
