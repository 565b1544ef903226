"""Pages that everybody sees the same, made once a second at most.

Everybody is whoever has no game, no account and no preferences yet: most who open a page of a site for the
first time. What a page says to them hangs on its address, its language, the time and what is stored. So it is
kept until the clock shows another second or this process writes something; what another process writes is
seen within a second. A token against forged forms is cut out before a page is kept, and every visitor gets
their own in its place.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec

from flask import Flask, current_app, g, request, session
from flask_wtf.csrf import generate_csrf

from webapp.process.clock import now
from webapp.process.database import writes
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.i18n.choice import ENVIRON, chosen_language, kept_language, locale

TOKEN = "csrf_token"  # in a session, and where Flask-WTF keeps that of a request
MOST = 64  # pages kept by a process

P = ParamSpec("P")


class Pages:
    """The pages kept, each as the text between its tokens."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, list[str]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> list[str] | None:
        """Return the parts of a page; None if it is not kept."""
        with self._lock:
            return self._kept.get(key)

    def keep(self, key: Hashable, parts: list[str]) -> None:
        """Keep a page in the place of the oldest."""
        with self._lock:
            self._kept[key] = parts
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)


def for_everybody(view: Callable[P, Answer]) -> Callable[P, Answer]:
    """Have a route's page made once for all who see the same."""

    @wraps(view)
    def answer(*arguments: P.args, **named: P.kwargs) -> Answer:
        if not _is_anybody():
            return view(*arguments, **named)
        pages: Pages = current_app.extensions["shared_pages"]
        key = (
            request.base_url,
            request.environ.get(ENVIRON),
            locale(),
            kept_language(),
            chosen_language(),
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
            pages.keep(key, parts)
            return page
        return parts[0] if len(parts) == 1 else generate_csrf().join(parts)

    return answer


def _is_anybody() -> bool:
    """Whether nothing tells this visitor from others, and they ask for the page as it begins."""
    return (
        not request.query_string
        and not wants_fragment()
        and session.keys() <= {TOKEN}
        and "ui" not in request.cookies
    )


def init_app(app: Flask) -> None:
    """Keep the pages of this app."""
    app.extensions["shared_pages"] = Pages()
