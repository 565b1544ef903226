"""Addresses of our own pages as people outside the site see them."""

from __future__ import annotations

from flask import current_app, request, url_for

from webapp.process.config import Settings


def public_url(endpoint: str, **values: str | int) -> str:
    """The address of a page as others reach it: below PUBLIC_URL, else as this request came."""
    settings: Settings = current_app.extensions["settings"]
    return (settings.public_url or request.host_url.rstrip("/")) + url_for(endpoint, **values)
