"""Response headers, cookies and the same-origin check of forms. CSRF tokens are Flask-WTF's."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from datetime import timedelta
from time import time
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, abort, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import SignatureExpired, TimestampSigner, URLSafeTimedSerializer
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response

from webapp.identity import keys
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
EVERYWHERE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
# A file opened by itself, such as an SVG, runs and loads nothing. Every file carries this header, so it is
# short.
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


# Probes may use any Host header; these responses contain no links.
BY_ANY_HOST = frozenset(("/healthz", "/readyz", "/metrics"))


class Signer(TimestampSigner):
    """Accepts a signature of a later time, too: the clock was wrong then, or is now.

    A cookie that is refused is replaced, and a guest's is the only key to their games.
    """

    def unsign(self, signed_value: Any, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        """Return the value, and if asked when it was signed. Raises BadSignature."""
        value, at = super().unsign(signed_value, return_timestamp=True)
        if max_age is not None and time() - at.timestamp() > max_age:
            raise SignatureExpired("too old", payload=value, date_signed=at)
        return (value, at) if return_timestamp else value


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookie, renewed by every page, but not by moves or a page's own requests."""

    _serializer: URLSafeTimedSerializer | None = None

    def should_set_cookie(self, _app: Flask, session: SessionMixin) -> bool:
        """Whether this response sets the cookie."""
        return session.modified or (session.permanent and request.method == "GET" and not wants_fragment())

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return the serializer that signs and reads the cookie, cached: Flask would make one for every
        request.
        """
        if self._serializer is None:
            self._serializer = super().get_signing_serializer(app)
            if self._serializer is not None:
                self._serializer.signer = Signer
        return self._serializer


def cookie_settings(settings: Settings) -> dict[str, Any]:
    """Return Flask's settings for the session cookie: bound to the host, and to HTTPS if in use."""
    return {
        "SECRET_KEY": settings.secret_key,
        "SECRET_KEY_FALLBACKS": list(settings.secret_key_fallbacks),
        # Flask-WTF has no fallback keys, but passes a list through
        "WTF_CSRF_SECRET_KEY": keys.signing_keys(settings),
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
    """Return the headers of every response that doesn't set them itself."""
    return {**EVERYWHERE, **DOCUMENTS, **_transport(settings)}


def file_headers(settings: Settings) -> dict[str, str]:
    """Return the headers of static files."""
    return {**FILES, **_transport(settings)}


def _transport(settings: Settings) -> dict[str, str]:
    return {"Strict-Transport-Security": "max-age=31536000"} if settings.https else {}


def proxy_warnings(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each sign that PROXIES is too low: all players would seem to have one address."""
    if settings.host not in LOOPBACK and not settings.proxies:
        yield (
            "HOST lets others reach this server without a proxy, so whoever sends slowly keeps it busy. "
            "Put nginx or Caddy in front, as in docs/deployment, and set PROXIES=1."
        )
    public = urlsplit(settings.public_url or "").hostname
    behind = settings.https or settings.host in LOOPBACK
    if public is not None and public not in LOOPBACK and behind and not settings.proxies:
        yield (
            "PUBLIC_URL is set, but PROXIES is not: all players seem to come from one address and share its "
            "rate limits. Behind one proxy, set PROXIES=1."
        )


def warn_of_missing_proxy(settings: Settings) -> None:
    """Log the warnings about the proxy."""
    for sentence in proxy_warnings(settings):
        log.warning(sentence)


def _answering_probes(inner: Any) -> Any:
    """Return the WSGI app with BY_ANY_HOST answered for any Host header."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        if environ.get("PATH_INFO") in BY_ANY_HOST:
            environ["HTTP_HOST"] = "localhost"
        return inner(environ, start_response)

    return answer


def init_app(app: Flask, settings: Settings) -> None:
    """Register the checks before every request and the headers after it."""
    if "SERVER_SOFTWARE" in os.environ:  # under gunicorn, not in a command
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
        """Reject forms that the browser reports as cross-site, whatever token they have."""
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
        # `setdefault` scans all headers each time, which took a twentieth of the time of a batch of moves.
        there = {name.lower() for name, _value in response.headers}
        for name, value in always.items():
            if name.lower() not in there:
                response.headers.add(name, value)
        response.vary.update(VARIES)
        return response
