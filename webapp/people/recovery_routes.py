"""Password recovery: request a link, follow it, choose a password; and manage the email address."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.identity import limits
from webapp.identity.outbox import post
from webapp.people import recovery
from webapp.people.account_routes import account_page
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.mail import Mail
from webapp.process.words import gettext as _
from webapp.web import auth
from webapp.web.htmx import Answer
from webapp.web.links import address_of
from webapp.web.security_log import note

bp = Blueprint("recovery", __name__)


@bp.get("/recovery")
def form() -> str:
    """Show the form for a reset link."""
    return render_template("people/recovery/ask.html", asked=request.args.get("asked") == "1")


@bp.post("/recovery")
def ask() -> Response:
    """Send a reset link if the player has an address; the response is the same if not."""
    found = recovery.ask(request.form.get("name", ""), limits.network(request.remote_addr), now())
    mail = None
    if found is not None:
        to, token = found
        text = _(
            "Someone asked to reset your Ninefold password. If it was you, set a new one here:"
            "\n\n%(link)s\n\nThe link works once, within an hour. If it wasn’t you, ignore this email.",
            link=address_of("recovery.choose", token=token),
        )
        mail = Mail(to, _("Reset your Ninefold password"), text, useful=recovery.LIFETIME)
    note("recovery asked")
    post(mail)
    return redirect(url_for(".form", asked=1), 303)


@bp.get("/recovery/<token>")
def choose(token: str) -> str:
    """Show the form for the new password."""
    return render_template(
        "people/recovery/choose.html", player=recovery.whose(token, now()), token=token, errors={}
    )


@bp.post("/recovery/<token>")
def reset(token: str) -> Answer:
    """Set the new password and sign in on this device only."""
    try:
        player = recovery.reset(token, request.form.get("password", ""), now())
    except BadInput as error:
        player = recovery.whose(token, now())
        page = render_template("people/recovery/choose.html", player=player, token=token, errors=error.fields)
        return page, 422
    auth.begin(player)
    note("password recovered", account=player.id)
    return redirect(url_for("accounts.account", done="password"), 303)


@bp.post("/account/email")
def change_address() -> Answer:
    """Send a link to a new address, or remove the old one if the field is empty."""
    player, fields = auth.named_player(), request.form
    try:
        if not fields.get("email", "").strip():
            recovery.forget_address(player.id, fields.get("password", ""), now())
            return redirect(url_for("accounts.account", done="no-email"), 303)
        to, token = recovery.address_token(player.id, fields["email"], fields.get("password", ""), now())
    except BadInput as error:
        return account_page(error, "email"), 422
    text = _(
        "Hi %(name)s,\n\nPlease confirm this address for your Ninefold account:\n\n%(link)s\n\n"
        "The link works for an hour. "
        "We only use your address to reset a forgotten password. "
        "If this isn’t your account, ignore this email.",
        name=player.name,
        link=address_of("recovery.confirm", token=token),
    )
    post(Mail(to, _("Confirm your email for Ninefold"), text, useful=recovery.LIFETIME))
    return redirect(url_for("accounts.account", done="email-sent"), 303)


@bp.get("/account/email/<token>")
def confirm(token: str) -> str:
    """Ask for a click: opening a link must not change anything, since programs open links too."""
    auth.named_player()
    return render_template("people/recovery/confirm.html", token=token)


@bp.post("/account/email/<token>")
def keep_address(token: str) -> Response:
    """Store the address."""
    recovery.keep_address(auth.named_player().id, token, now())
    note("address kept")
    return redirect(url_for("accounts.account", done="email"), 303)
