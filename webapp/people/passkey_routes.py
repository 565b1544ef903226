"""Routes for passkeys: browser options, signing in, adding, renaming and removing."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for

from webapp.identity import limits
from webapp.people import accounts, ceremonies, passkeys
from webapp.people.account_routes import account_page, note_wrong, sign_in_page
from webapp.people.passkeys import WrongPasskey
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.web import auth
from webapp.web.htmx import Answer
from webapp.web.security_log import note

bp = Blueprint("passkeys", __name__)
bp.add_app_template_global(ceremonies.party, "passkeys_work")

SIGN_IN, ADD = "sign in", "add"  # purposes of a challenge; one to add is bound to one session


@bp.post("/login/passkey/options")
def sign_in_options() -> Answer:
    """Send a challenge to sign in with."""
    try:
        return ceremonies.ask(SIGN_IN, passkeys.to_use(ceremonies.here()))
    except BadInput as error:
        return ceremonies.refuse(error)


@bp.post("/login/passkey")
def sign_in() -> Answer:
    """Sign in with a passkey; this browser's guest games move to the account."""
    guest = auth.current()
    guest_id = guest.id if guest is not None and guest.name is None else None
    address = limits.network(request.remote_addr)
    try:
        reply = ceremonies.reply(SIGN_IN, "credential")
        player = passkeys.sign_in(guest_id, reply, address, now())
    except BadInput as error:
        if isinstance(error, WrongPasskey):
            note("sign-in refused", account=error.player_id, by="passkey")
        return sign_in_page(error), 422
    auth.begin(player)
    note("signed in", account=player.id, by="passkey")
    return redirect(auth.way_back(request.form.get("next")), 303)


@bp.post("/account/passkeys/options")
def options() -> Answer:
    """Send a challenge for creating a passkey, given the password and a name for it."""
    player, form = auth.named_player(), request.form
    try:
        passkeys.label_for(form.get("label", ""))
        site = ceremonies.here()
        accounts.confirm(player.id, form.get("current", ""), now())
        return ceremonies.ask(f"{ADD} {auth.session_key()}", passkeys.to_make(player, site))
    except BadInput as error:
        note_wrong(error)
        return ceremonies.refuse(error)


@bp.post("/account/passkeys")
def add() -> Answer:
    """Store a passkey that the browser has created."""
    player = auth.named_player()
    try:
        reply = ceremonies.reply(f"{ADD} {auth.session_key()}", "credential")
        passkeys.add(player, request.form.get("label", ""), reply, now())
    except BadInput as error:
        return account_page(error, "passkeys"), 422
    note("passkey added")
    return redirect(url_for("accounts.account", done="passkey"), 303)


@bp.post("/account/passkeys/name")
def rename() -> Answer:
    """Rename a passkey, `passkey=<id>`, to `label`."""
    player, known = auth.named_player(), _number()
    try:
        passkeys.rename(player, known, request.form.get("label", ""), now())
    except BadInput as error:
        return account_page(error, f"passkey-name-{known}"), 422
    return redirect(url_for("accounts.account", done="name"), 303)


@bp.post("/account/passkeys/removal")
def remove() -> Answer:
    """Remove a passkey, `passkey=<id>`, given the password; other devices are signed out."""
    player = auth.named_player()
    try:
        row = passkeys.remove(player, _number(), request.form.get("current", ""), now())
    except BadInput as error:
        return account_page(error, "passkey-removal"), 422
    auth.begin(row)
    note("passkey removed")
    return redirect(url_for("accounts.account", done="no-passkey"), 303)


def _number() -> int:
    """Return the passkey number in the form; 0, which none has, for anything else."""
    number = request.form.get("passkey", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
