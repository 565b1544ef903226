"""Lists in words: "r1c1, r2c2 and r3c3", joined by Unicode's CLDR rules for the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from babel import Locale
from markupsafe import Markup, escape

from webapp.process.words import current_locale, pgettext

# American lists have a comma before "and"; ours don't.
PATTERNS_OF: Final = {"en": "en_001"}


def each(say: Callable[..., str], items: Iterable[Any], *more: Any) -> list[str]:
    """Render every item with the macro `say`; `more` are its further arguments."""
    return [say(item, *more) for item in items]


def listed(items: Sequence[str], alternative: bool = False) -> Markup:
    """Join words or markup to "a, b and c"; with `alternative`, to "a, b or c"."""
    parts = [escape(item) for item in items]
    if len(parts) < 2:
        return Markup().join(parts)
    patterns = _patterns(current_locale(), "or" if alternative else "standard")
    *others, last = parts
    text = others[0]
    for number, item in enumerate(others[1:]):
        text = Markup(patterns["middle" if number else "start"]).format(text, item)
    pattern = _before(last, patterns["end" if len(parts) > 2 else "2"])
    return Markup(pattern).format(text, last)


@cache
def _patterns(locale: str, style: str) -> Mapping[str, str]:
    found: Mapping[str, str] = Locale.parse(PATTERNS_OF.get(locale, locale)).list_patterns[style]
    return found


def _before(last: Markup, pattern: str) -> str:
    """Return the pattern adapted to the last item: Spanish writes "7 u 8", which CLDR leaves to code."""
    if pattern == "{0} o {1}" and last.striptags().startswith(("8", "o", "ho", "O", "Ho")):
        return "{0} u {1}"
    if pattern == "{0} y {1}" and last.striptags().startswith(("i", "hi", "I", "Hi")):
        return "{0} e {1}"
    return pattern


def listed_lists(items: Sequence[str]) -> Markup:
    """Join items that are themselves lists."""
    *others, last = (escape(item) for item in items)
    if not others:
        return last
    text = others[0]
    for item in others[1:]:
        text = Markup(pgettext("list of lists", "%(first)s, %(next)s")) % {"first": text, "next": item}
    return Markup(pgettext("list of lists", "%(first)s, and %(last)s")) % {"first": text, "last": last}
