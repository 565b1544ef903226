"""Lists in words: "r1c1, r2c2 and r3c3", joined by Unicode's CLDR rules for the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from babel.lists import format_list
from markupsafe import Markup, escape

from webapp.process.words import current_locale, pgettext

# American lists have a comma before "and"; ours don't.
PATTERNS_OF: Final = {"en": "en_001"}


def each(say: Callable[..., str], items: Iterable[Any], *more: Any) -> list[str]:
    """Render every item with the macro `say`; `more` are its further arguments."""
    return [say(item, *more) for item in items]


def listed(items: Sequence[str], alternative: bool = False) -> Markup:
    """Join words or markup to "a, b and c"; with `alternative`, to "a, b or c"."""
    parts, locale = [escape(item) for item in items], current_locale()
    text = format_list(parts, "or" if alternative else "standard", PATTERNS_OF.get(locale, locale))
    if locale == "es" and len(parts) > 1:  # "7 u 8", which CLDR leaves to code
        last = parts[-1]
        for sign, other, sounds in (("o", "u", ("8", "o", "ho")), ("y", "e", ("i", "hi"))):
            if text.endswith(f" {sign} {last}") and last.striptags().lower().startswith(sounds):
                text = f"{text.removesuffix(f'{sign} {last}')}{other} {last}"
    return Markup(text)


def listed_lists(items: Sequence[str]) -> Markup:
    """Join items that are themselves lists."""
    *others, last = (escape(item) for item in items)
    if not others:
        return last
    text = others[0]
    for item in others[1:]:
        text = Markup(pgettext("list of lists", "%(first)s, %(next)s")) % {"first": text, "next": item}
    return Markup(pgettext("list of lists", "%(first)s, and %(last)s")) % {"first": text, "last": last}
