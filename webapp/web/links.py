"""Addresses of our own pages: with extra query parameters, and as public URLs."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import current_app, request, url_for

from webapp.process.config import Settings


def public_url(endpoint: str, **values: Any) -> str:
    """Return the public URL of a page.

    Without PUBLIC_URL it begins like this request's, if that can only mean this machine: a numeric address or
    the machine's own name. Any other name may be forged, and a page must not repeat it.
    """
    settings: Settings = current_app.extensions["settings"]
    here = settings.public_url is None and _is_this_machine(request.host)
    return (request.host_url.rstrip("/") if here else settings.address) + url_for(endpoint, **values)


def address_of(endpoint: str, **values: Any) -> str:
    """Return the URL of a page for a mail: never from a Host header, which the client controls."""
    settings: Settings = current_app.extensions["settings"]
    return settings.address + current_app.url_map.bind("").build(endpoint, values)


def _is_this_machine(host: str) -> bool:
    name = urlsplit(f"//{host}").hostname or ""
    own = socket.gethostname().lower()
    if name in ("localhost", own, f"{own}.local"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def with_query(address: str, query: Iterable[tuple[str, str]]) -> str:
    """Return an address with query parameters whose names are user input.

    Never pass such names to `url_for`, which has parameters of its own (`endpoint`, `_method`, `_anchor`) and
    a route's variables: `?endpoint=x` raised a TypeError.
    """
    encoded = urlencode(list(query))
    return f"{address}?{encoded}" if encoded else address
