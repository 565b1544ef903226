"""Response headers, cookies and the origin of forms. CSRF tokens are Flask-WTF's."""

from __future__ import annotations

import logging
import os
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, abort, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import URLSafeTimedSerializer
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response

from webapp.identity import signing
from webapp.process.config import LOOPBACK, Settings
from webapp.web.htmx import wants_fragment

log = logging.getLogger(__name__)

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        *(
            f"{kind}-src 'self'"
            for kind in ("script", "style", "img", "font", "connect", "manifest", "worker")
        ),
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
    ]
)
HSTS = {"Strict-Transport-Security": "max-age=63072000; includeSubDomains"}
EVERYWHERE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
# A file opened by itself, such as an SVG, runs and loads nothing. Every file brings it, so it is short.
FILES = EVERYWHERE | {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}
DOCUMENTS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    # Never no-referrer: the CSRF check needs a Referer on https.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
VARIES = ("HX-Request", "Cookie", "Accept-Language")
# The cookie is a guest's only key to their games, so it lasts as long as browsers allow.
SESSION_LIFETIME = timedelta(days=400)
LARGEST_FORM = 64 * 1024


# Asked by probes that know a process by its number alone; their answers hold no address.
BY_ANY_HOST = frozenset(("/healthz", "/readyz", "/metrics"))


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookie, renewed by every page, but not by moves or by what a page asks for itself."""

    _serializer: URLSafeTimedSerializer | None = None

    def should_set_cookie(self, _app: Flask, session: SessionMixin) -> bool:
        """Whether this response sets the cookie."""
        return session.modified or (session.permanent and request.method == "GET" and not wants_fragment())

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs and reads the cookie, which Flask would make for every request."""
        if self._serializer is None:
            self._serializer = super().get_signing_serializer(app)
        return self._serializer


def cookie_settings(settings: Settings) -> dict[str, Any]:
    """Return Flask's settings for the session cookie: bound to the host, and to https if in use."""
    return {
        "SECRET_KEY": settings.secret_key,
        "SECRET_KEY_FALLBACKS": list(settings.secret_key_fallbacks),
        "WTF_CSRF_SECRET_KEY": signing.keys(settings),  # Flask-WTF knows no fallbacks, but hands on a list
        "SESSION_COOKIE_NAME": "__Host-s" if settings.https else "s",
        "SESSION_COOKIE_SECURE": settings.https,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_PATH": "/",
        "PERMANENT_SESSION_LIFETIME": SESSION_LIFETIME,
        "WTF_CSRF_TIME_LIMIT": None,  # a puzzle may stay open for days
        "WTF_CSRF_SSL_STRICT": settings.https,
        "MAX_CONTENT_LENGTH": LARGEST_FORM,
        "MAX_FORM_MEMORY_SIZE": LARGEST_FORM,
    }


def headers(settings: Settings) -> dict[str, str]:
    """Return what every response carries unless it says otherwise itself."""
    return {**EVERYWHERE, **DOCUMENTS, **(HSTS if settings.https else {})}


def _proxy_is_missing(settings: Settings) -> bool:
    """Whether there must be a proxy in front of us that PROXIES does not count."""
    host = urlsplit(settings.public_url or "").hostname
    if host is None or settings.proxies or host in LOOPBACK:
        return False
    return settings.https or settings.host in LOOPBACK


def warn_of_missing_proxy(settings: Settings) -> None:
    """Log it if all players seem to come from the proxy in front of us."""
    if _proxy_is_missing(settings):
        log.warning(
            "PUBLIC_URL is set, but PROXIES is not: all players seem to come from one address and share its "
            "rate limits. Behind one proxy, set PROXIES=1."
        )


def _answering_probes(inner: Any) -> Any:
    """Return the WSGI app with BY_ANY_HOST answered whatever host is asked for."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        if environ.get("PATH_INFO") in BY_ANY_HOST:
            environ["HTTP_HOST"] = "localhost"
        return inner(environ, start_response)

    return answer


def init_app(app: Flask, settings: Settings) -> None:
    """Register the checks before and the headers after every request."""
    if "SERVER_SOFTWARE" in os.environ:  # in gunicorn of its own, not in a command
        warn_of_missing_proxy(settings)
    answer: Any = app.wsgi_app
    if settings.proxies:
        # Without our own proxy, the client controls the header, so it is ignored.
        answer = ProxyFix(answer, x_for=settings.proxies, x_proto=0, x_host=0)
    trusted = urlsplit(settings.public_url or "").hostname
    if trusted:
        app.config["TRUSTED_HOSTS"] = [trusted, settings.host, "127.0.0.1", "localhost", "[::1]"]
        answer = _answering_probes(answer)
    app.wsgi_app = answer  # type: ignore[method-assign]  # Flask's documented place for it is a method

    app.session_interface = Sessions()

    @app.before_request
    def refuse_other_sites() -> None:
        """Reject forms that the browser says come from another site, whatever token they have."""
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        site = request.headers.get("Sec-Fetch-Site")
        origin = request.headers.get("Origin")
        if site is not None and site != "same-origin":
            abort(403)
        if site is None and origin is not None and urlsplit(origin).netloc != request.host:
            abort(403)

    always = headers(settings)

    @app.after_request
    def add_headers(response: Response) -> Response:
        # `setdefault` looks through all headers for each, which took a twentieth of a batch of moves.
        there = {name.lower() for name, _value in response.headers}
        for name, value in always.items():
            if name.lower() not in there:
                response.headers.add(name, value)
        response.vary.update(VARIES)
        return response
