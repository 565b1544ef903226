"""Words and sentences side by side in the reader's language: lists by Unicode's CLDR rules, and spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from babel.lists import format_list
from flask import Flask
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from webapp.process.words import current_locale, pgettext
from webapp.web.i18n.choice import locale

# American lists have a comma before "and"; ours don't.
PATTERNS_OF: Final = {"en": "en_001"}
TOGETHER: Final = frozenset(("ja", "zh_Hans", "zh_Hant"))  # their full-width marks include the space
# Readers' own text keeps its lines.
_GAP: Final = re.compile(
    r"(?s)(<(textarea|pre)\b.*?</\2>)|([，。、；：！？](?:</?(?:a|b|bdi|span|strong)\b[^<>]*>)*)\s+"
)


def each(say: Callable[..., str], items: Iterable[Any], *more: Any) -> list[str]:
    """Render every item with the macro `say`; `more` are its further arguments."""
    return [say(item, *more) for item in items]


def listed(items: Sequence[str], alternative: bool = False) -> Markup:
    """Join words or markup to "a, b and c"; with `alternative`, to "a, b or c"."""
    parts, language = [escape(item) for item in items], current_locale()
    text = format_list(parts, "or" if alternative else "standard", PATTERNS_OF.get(language, language))
    if language == "es" and len(parts) > 1:  # "7 u 8", which CLDR leaves to code
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


def closed_up(page: str) -> str:
    """Return HTML without the spaces that templates put between sentences, after full-width marks."""
    return _GAP.sub(r"\1\3", page)


def init_app(app: Flask) -> None:
    """Process the pages in these languages; call after the compression's `init_app`, so that this runs
    first.
    """

    @app.after_request
    def close_up(response: Response) -> Response:
        if response.mimetype == "text/html" and locale() in TOGETHER and not response.direct_passthrough:
            response.set_data(closed_up(response.get_data(as_text=True)))
        return response
