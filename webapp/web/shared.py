"""Pages that all anonymous visitors share, rendered at most once a second.

An anonymous visitor has no game, no account and no preferences: most first visits. The page depends on its
address, its language, the time and the database. It is cached until the next second or the next write of
this process; writes of other processes show within a second. CSRF tokens are cut out before a page is
cached, and each visitor gets their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec

from flask import Flask, current_app, g, request, session
from flask_wtf.csrf import generate_csrf

from webapp.process.clock import now
from webapp.process.database import writes
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.i18n.choice import ENVIRON, chosen_language, first_weekday, kept_language, locale

TOKEN = "csrf_token"  # name in the session, and in `g` for Flask-WTF
MOST = 64  # pages cached by a process

P = ParamSpec("P")


def for_everybody(view: Callable[P, Answer]) -> Callable[P, Answer]:
    """Cache a route's page for all anonymous visitors."""

    @wraps(view)
    def answer(*arguments: P.args, **named: P.kwargs) -> Answer:
        anonymous = session.keys() <= {TOKEN} and "ui" not in request.cookies
        if not anonymous or request.query_string or wants_fragment():
            return view(*arguments, **named)
        pages: dict[Hashable, list[str]] = current_app.extensions["shared_pages"]
        key = (
            request.base_url,
            request.environ.get(ENVIRON),
            locale(),
            kept_language(),
            chosen_language(),
            first_weekday(),
            int(now().timestamp()),
            writes(),
        )
        parts = pages.get(key)
        if parts is None:
            page = view(*arguments, **named)
            if not isinstance(page, str):
                return page
            token = g.get(TOKEN)
            parts = page.split(token) if token else [page]
            if len(pages) >= MOST:
                pages.clear()
            pages[key] = parts
            return page
        return parts[0] if len(parts) == 1 else generate_csrf().join(parts)

    return answer


def init_app(app: Flask) -> None:
    """Create this app's cache."""
    app.extensions["shared_pages"] = {}
