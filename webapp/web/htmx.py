"""Responses for htmx: a fragment if it requested one, otherwise a plain redirect."""

from __future__ import annotations

from typing import Any

from flask import redirect, render_template, request
from werkzeug.wrappers import Response

Answer = str | tuple[str, int] | Response  # what a route returns: a page, a page with a status, a redirect


def wants_fragment() -> bool:
    """Whether this request comes from htmx or the board's outbox, and not to bring back a whole page."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-History-Restore-Request") != "true"


def fragment_or_redirect(template: str, to: str, **context: Any) -> str | Response:
    """The fragment for htmx; 303 to `to` for a plain form."""
    if wants_fragment():
        return render_template(template, **context)
    return redirect(to, 303)
