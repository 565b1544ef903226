"""Addresses of our own pages: with extra query parameters, and as public URLs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from flask import current_app, request, url_for

from webapp.process.config import Settings


def public_url(endpoint: str, **values: Any) -> str:
    """Return the public URL of a page: based on PUBLIC_URL, or else on this request."""
    settings: Settings = current_app.extensions["settings"]
    return (settings.public_url or request.host_url.rstrip("/")) + url_for(endpoint, **values)


def with_query(address: str, query: Iterable[tuple[str, str]]) -> str:
    """Return an address with query parameters whose names come from outside.

    Never hand such names to `url_for`: it has parameters of its own (`endpoint`, `_method`, `_anchor`) and a
    route's variables, so that `?endpoint=x` raised a TypeError.
    """
    encoded = urlencode(list(query))
    return f"{address}?{encoded}" if encoded else address
