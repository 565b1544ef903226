"""Which language a request is answered in: that of its address, else the one chosen, else the browser's.

The choice is kept in a cookie, and in the account of a player who has one, from where a sign-in brings it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from babel.core import get_global
from flask import current_app, g, has_request_context, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response

from webapp.web.i18n.catalogs import SOURCE

COOKIE: Final = "language"
ENVIRON: Final = "ninefold.language"  # of the request, where its address names one
KEPT_FOR: Final = 400 * 24 * 3600  # seconds, as long as browsers allow


def languages() -> list[str]:
    """Return the languages on offer: that of the messages, then those whose catalog is complete."""
    offered: list[str] = current_app.extensions["languages"]
    return offered


def chosen_language() -> str:
    """Return the language that this browser has chosen; empty for none."""
    code = request.cookies.get(COOKIE, "")
    return code if code in languages() else ""


def locale() -> str:
    """Return the language of this request; outside of any, that of the messages."""
    if not has_request_context():
        return SOURCE
    if "language" not in g:
        g.language = request.environ.get(ENVIRON) or kept_language()
    code: str = g.language
    return code


def kept_language() -> str:
    """Return the language a browser keeps boards in: where an address names one, still the reader's own."""
    return chosen_language() or _of_browser()


def _of_browser() -> str:
    """Return the language on offer that the browser likes best, if any: `zh-CN` and `zh` are zh_Hans."""
    return _best(request.headers.get("Accept-Language", ""), tuple(languages()))


@lru_cache(1000)
def _best(wishes: str, codes: tuple[str, ...]) -> str:
    """wishes: an Accept-Language header. Kept, as every move asks, and browsers of a kind ask alike."""
    offered = {_likely(code): code for code in reversed(codes)}
    for wanted, quality in parse_accept_header(wishes, LanguageAccept):
        code = offered.get(_likely(wanted.replace("-", "_")))
        if code is not None and quality > 0:
            return code
    return SOURCE


@cache
def _likely_subtags() -> Mapping[str, str]:
    return get_global("likely_subtags")


def _likely(code: str) -> str:
    """Return language and script of a code: `zh_Hans` for zh, zh_CN and zh_Hans_SG, `zh_Hant` for zh_TW."""
    parts = code.split("_")
    language = parts[0].lower()
    script = next((part.title() for part in parts[1:] if len(part) == 4), "")
    region = next((part.upper() for part in parts[1:] if len(part) in (2, 3)), "")
    if not script:
        likely = _likely_subtags()
        full = likely.get(f"{language}_{region}" if region else language) or likely.get(language, "")
        script = next((part for part in full.split("_")[1:] if len(part) == 4), "")
    return f"{language}_{script}"


def keep(code: str | None) -> None:
    """Have this response, and those to come, in a language; empty: as the browser likes, None: as before."""
    if code is not None:
        g.keep_language = code


def remember(response: Response) -> Response:
    """Put the choice of `keep` into the response's cookie."""
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
