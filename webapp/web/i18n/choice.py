"""The language of a request: that of its address, else the chosen one, else the browser's preference.

The choice is kept in a cookie and in the player's account; a sign-in restores it from there.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from typing import Final

from babel.core import Locale, UnknownLocaleError, get_global
from flask import current_app, g, has_request_context, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response

from webapp.web.i18n.catalogs import SOURCE

COOKIE: Final = "language"
ENVIRON: Final = "ninefold.language"  # WSGI key for the language in the address
KEPT_FOR: Final = 400 * 24 * 3600  # seconds, the longest that browsers allow


def languages() -> list[str]:
    """Return the languages on offer: English, then those with a complete catalog."""
    offered: list[str] = current_app.extensions["languages"]
    return offered


def chosen_language() -> str:
    """Return this browser's chosen language; empty for none."""
    code = request.cookies.get(COOKIE, "")
    return code if code in languages() else ""


def locale() -> str:
    """Return the language of this request; the source language outside a request."""
    if not has_request_context():
        return SOURCE
    if "language" not in g:
        g.language = request.environ.get(ENVIRON) or kept_language()
    code: str = g.language
    return code


def kept_language() -> str:
    """Return the language for boards kept in the browser: the reader's own, whatever the address says."""
    return chosen_language() or _best(request.headers.get("Accept-Language", ""), tuple(languages()))


@lru_cache(1000)
def _best(wishes: str, codes: tuple[str, ...]) -> str:
    """Return the best match for an Accept-Language header: `zh-CN` and `zh` match zh_Hans.

    Cached: every move needs it, and few headers differ.
    """
    offered = {_likely(code): code for code in reversed(codes)}
    for wanted, quality in parse_accept_header(wishes, LanguageAccept):
        code = offered.get(_likely(wanted.replace("-", "_")))
        if code is not None and quality > 0:
            return code
    return SOURCE


def _likely(code: str) -> str:
    """Return language and script of a code: `zh_Hans` for zh, zh_CN and zh_Hans_SG, `zh_Hant` for zh_TW."""
    parts = code.split("_")
    language = parts[0].lower()
    script = next((part.title() for part in parts[1:] if len(part) == 4), "")
    region = next((part.upper() for part in parts[1:] if len(part) in (2, 3)), "")
    if not script:
        likely = get_global("likely_subtags")
        full = likely.get(f"{language}_{region}" if region else language) or likely.get(language, "")
        script = next((part for part in full.split("_")[1:] if len(part) == 4), "")
    return f"{language}_{script}"


def first_weekday() -> int:
    """Return the day that weeks begin with where the reader lives, 0 for Monday: by the browser's first
    choice of a language, else by the language of this request.
    """
    return _first_weekday(request.headers.get("Accept-Language", ""), locale())


@lru_cache(1000)
def _first_weekday(wishes: str, code: str) -> int:
    wanted = [tag.replace("-", "_") for tag, _quality in parse_accept_header(wishes, LanguageAccept)]
    for tag in (*wanted[:1], code):
        with suppress(ValueError, UnknownLocaleError):
            return Locale.parse(get_global("likely_subtags").get(tag, tag)).first_week_day
    return 0


def keep(code: str | None) -> None:
    """Use a language from this response on; empty: the browser's preference; None: no change."""
    if code is not None:
        g.keep_language = code


def remember(response: Response) -> Response:
    """Write `keep`'s choice to the response's cookie."""
    code = g.get("keep_language")
    if code:
        response.set_cookie(
            COOKIE,
            code,
            max_age=KEPT_FOR,
            secure=current_app.config["SESSION_COOKIE_SECURE"],
            httponly=True,
            samesite="Lax",
        )
    elif code is not None:
        response.delete_cookie(
            COOKIE, secure=current_app.config["SESSION_COOKIE_SECURE"], httponly=True, samesite="Lax"
        )
    return response


# What a language is called


@cache
def own_name(code: str) -> str:
    """Return a language's native name: `Deutsch`, `简体中文`."""
    locale = Locale.parse(code)
    name = locale.languages.get(code) or locale.get_display_name() or code
    return name[:1].upper() + name[1:]


@cache
def tag_of(code: str) -> str:
    """Return a language's tag for `lang`: `zh-Hans` for zh_Hans."""
    return code.replace("_", "-")


@cache
def direction(code: str) -> str:
    """Return `ltr`, or `rtl` for languages written from right to left."""
    return Locale.parse(code).text_direction
