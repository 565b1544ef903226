"""Response headers, cookies and the origin of forms. CSRF tokens are Flask-WTF's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, abort, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response

from webapp.process.config import Settings

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


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookie, renewed by every page but not by every move."""

    def should_set_cookie(self, _app: Flask, session: SessionMixin) -> bool:
        """Whether this response sets the cookie."""
        return session.modified or (session.permanent and request.method == "GET")


def cookie_settings(settings: Settings) -> dict[str, Any]:
    """Return Flask's settings for the session cookie: bound to the host, and to https if in use."""
    return {
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


def init_app(app: Flask, settings: Settings) -> None:
    """Register the checks before and the headers after every request."""
    if settings.proxies:
        # Without our own proxy, the client controls the header, so it is ignored.
        proxied = ProxyFix(app.wsgi_app, x_for=settings.proxies, x_proto=0, x_host=0)
        app.wsgi_app = proxied  # type: ignore[method-assign]  # Flask's documented place for it is a method
    trusted = urlsplit(settings.public_url or "").hostname
    if trusted:
        app.config["TRUSTED_HOSTS"] = [trusted, settings.host, "127.0.0.1", "localhost", "[::1]"]

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

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in {**EVERYWHERE, **DOCUMENTS}.items():
            response.headers.setdefault(name, value)
        response.vary.update(VARIES)
        if settings.https:
            response.headers.setdefault("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
        return response
