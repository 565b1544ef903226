"""The requests of passkeys: the site's identity for browsers, and the cookie with the challenge.

A challenge is signed together with its purpose, so that no reply to a sign-in adds a passkey to an account.
It has its own cookie: every page renews the session cookie, and a late response would drop the challenge.
"""

from __future__ import annotations

import ipaddress
from datetime import datetime
from urllib.parse import urlsplit

from flask import current_app, request
from itsdangerous import BadSignature
from werkzeug.wrappers import Response

from webapp.identity.keys import signing
from webapp.people import passkeys
from webapp.people.passkeys import Party, Reply
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

ASKED = "passkey"  # the cookie, which holds: [purpose, challenge in hexadecimal, time in seconds]


def party() -> Party | None:
    """Return the site's identity; None at a bare IP address, where browsers have no passkeys."""
    public = current_app.extensions["settings"].public_url
    parts = urlsplit(public or request.host_url)
    try:
        ipaddress.ip_address(parts.hostname or "0.0.0.0")
    except ValueError:
        # Without PUBLIC_URL we don't know whether a proxy uses HTTPS; the host name is what counts.
        schemes = (parts.scheme,) if public else ("https", "http")
        return Party(parts.hostname or "", tuple(f"{scheme}://{parts.netloc}" for scheme in schemes))
    return None


def here() -> Party:
    """Return the site's identity. Raises BadInput at a bare IP address."""
    known = party()
    if known is None:
        raise BadInput(passkey=_("Passkeys don’t work at an IP address. Open this site by its name."))
    return known


def ask(purpose: str, options: tuple[str, bytes]) -> Response:
    """Send options to the browser, and their challenge in a cookie."""
    text, challenge = options
    answer = Response(text, mimetype="application/json")
    answer.set_cookie(
        _cookie(),
        signing.serializer(ASKED).dumps([purpose, challenge.hex(), int(now().timestamp())]),
        max_age=passkeys.LASTS,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
    return answer


def refuse(error: BadInput) -> Response:
    """Report an error to static/js/passkey.js."""
    return Response(" ".join(error.fields.values()), 422, mimetype="text/plain")


def reply(purpose: str, field: str) -> Reply:
    """Return the reply in this field of the form. Raises BadInput without a matching challenge, or too
    late.
    """
    match _asked():
        case [str(asked), str(challenge), int(at)] if asked == purpose:
            age = now() - datetime.fromtimestamp(at, now().tzinfo)
            if abs(age) < passkeys.LASTS:
                return Reply(request.form.get(field, ""), bytes.fromhex(challenge), here())
    raise BadInput(passkey=_("That took too long. Try again."))


def _cookie() -> str:
    return f"__Host-{ASKED}" if current_app.config["SESSION_COOKIE_SECURE"] else ASKED


def _asked() -> object:
    try:
        return signing.serializer(ASKED).loads(request.cookies.get(_cookie(), ""))
    except BadSignature:
        return None
