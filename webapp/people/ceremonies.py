"""What requests have to do with passkeys: who the site is to browsers, and the cookie with the challenge.

A challenge is signed together with what it is for, so no reply to a sign-in adds a passkey to an account. Its
cookie is its own: every page renews that of the session, and a late one would take the challenge away.
"""

from __future__ import annotations

import ipaddress
from datetime import datetime
from urllib.parse import urlsplit

from flask import current_app, request
from itsdangerous import BadSignature
from werkzeug.wrappers import Response

from webapp.identity import signing
from webapp.people import passkeys
from webapp.people.passkeys import Party, Reply
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

ASKED = "passkey"  # the cookie, which holds: [what for, the challenge in hexadecimal, when in seconds]


def party() -> Party | None:
    """Return who we are; None at a bare address, where browsers have no passkeys."""
    public = current_app.extensions["settings"].public_url
    parts = urlsplit(public or request.host_url)
    try:
        ipaddress.ip_address(parts.hostname or "0.0.0.0")
    except ValueError:
        # Without PUBLIC_URL we don't know whether a proxy speaks https; the name is what counts.
        schemes = (parts.scheme,) if public else ("https", "http")
        return Party(parts.hostname or "", tuple(f"{scheme}://{parts.netloc}" for scheme in schemes))
    return None


def work() -> bool:
    """Whether passkeys can be had at this address."""
    return party() is not None


def here() -> Party:
    """Return who we are. Raises BadInput at a bare address."""
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
    """Say to static/js/passkey.js what is wrong."""
    return Response(" ".join(error.fields.values()), 422, mimetype="text/plain")


def reply(purpose: str, field: str) -> Reply:
    """Return the reply in this field of the form. Raises BadInput if it was not asked for, or too late."""
    match _asked():
        case [str(asked), str(challenge), int(at)] if asked == purpose:
            age = now() - datetime.fromtimestamp(at, now().tzinfo)
            if age < passkeys.LASTS:
                return Reply(request.form.get(field, ""), bytes.fromhex(challenge), here())
    raise BadInput(passkey=_("That took too long. Try again."))


def _cookie() -> str:
    return f"__Host-{ASKED}" if current_app.config["SESSION_COOKIE_SECURE"] else ASKED


def _asked() -> object:
    try:
        return signing.serializer(ASKED).loads(request.cookies.get(_cookie(), ""))
    except BadSignature:
        return None
