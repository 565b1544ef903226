"""Addresses with a language prefix, for search engines: `/zh-hans/learn` beside `/learn`.

Only pages that are the same for all readers have them. Any address without a prefix is answered in the
reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Request, Response

from webapp.capability import capabilities
from webapp.web.i18n.catalogs import SOURCE
from webapp.web.i18n.choice import ENVIRON, languages, tag_of
from webapp.web.links import public_url

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


def prefix_of(code: str) -> str:
    """Return a language's address prefix: `/zh-hans` for zh_Hans, empty for English."""
    return "" if code == SOURCE else f"/{tag_of(code).lower()}"


def _named(application: WSGIApplication, codes: Iterable[str]) -> WSGIApplication:
    """Move an address's language prefix into the WSGI environment.

    A prefix with capitals redirects to the lowercase one.
    """
    by_name = {prefix_of(code): code for code in codes if prefix_of(code)}

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        name, _slash, rest = environ.get("PATH_INFO", "")[1:].partition("/")
        small = name.lower()
        code = by_name.get(f"/{small}")
        if code is not None and name != small:
            address = Request(environ).full_path.rstrip("?").replace(name, small, 1)
            return redirect(environ.get("SCRIPT_NAME", "") + address, 301)(environ, start)
        if code is not None:
            environ[ENVIRON] = code
            environ["PATH_INFO"] = f"/{rest}"
        return application(environ, start)

    return answer


def alternates() -> list[tuple[str, str]]:
    """Return language tag and public address of this page in every language; nothing for other pages.

    `x-default` is the address without a language, which is also the English one.
    """
    if request.endpoint not in capabilities().public:
        return []
    address = public_url(request.endpoint, **(request.view_args or {}))
    home = public_url("home.show").rstrip("/")
    path = address.removeprefix(home)
    found = [(tag_of(code), home + prefix_of(code) + path) for code in languages()]
    return [*found, ("x-default", address)]


def canonical_address() -> str:
    """Return the public address of this page, with this request's language prefix."""
    code = request.environ.get(ENVIRON, SOURCE)
    return next((address for tag, address in alternates() if tag == tag_of(code)), "")


def init_app(app: Flask, codes: Iterable[str]) -> None:
    """Answer addresses with a language prefix, and keep the prefix in links."""
    named: Any = _named(app.wsgi_app, codes)
    app.wsgi_app = named  # type: ignore[method-assign]  # Flask's documented place for it is a method

    @app.before_request
    def to_plain_one() -> Response | None:
        """Redirect a prefixed address without public page to the plain one."""
        if ENVIRON not in request.environ or request.endpoint in capabilities().public:
            return None
        if request.method not in ("GET", "HEAD") or request.endpoint is None:
            raise NotFound
        return redirect(request.full_path.rstrip("?"), 302)

    build: Callable[..., str] = app.url_for

    def url_for(endpoint: str, **values: Any) -> str:
        address = build(endpoint, **values)
        if ENVIRON not in request.environ or endpoint not in capabilities().public or values.get("_external"):
            return address
        return prefix_of(request.environ[ENVIRON]) + address

    app.jinja_env.globals.update(url_for=url_for, alternates=alternates, canonical_address=canonical_address)
