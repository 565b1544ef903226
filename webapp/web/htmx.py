"""Whether a request comes from htmx, which gets a fragment instead of a page or a redirect."""

from __future__ import annotations

from flask import redirect, request
from werkzeug.wrappers import Response

Answer = str | tuple[str, int] | Response  # a route's result: a page, a page with a status, a redirect


def wants_fragment() -> bool:
    """Whether this request comes from htmx or the board's outbox, and doesn't restore a whole page."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-History-Restore-Request") != "true"


def go_to(address: str) -> Response:
    """Redirect to a page. htmx would follow a redirect and put the whole page into its target."""
    if wants_fragment():
        return Response(headers={"HX-Redirect": address})
    return redirect(address, 303)
