"""Daily reminders: choose an hour, and end them by the link in each mail, with or without a session."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.identity import players
from webapp.people import reminders
from webapp.people.account_routes import account_page
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.web import auth
from webapp.web.extensions import csrf
from webapp.web.htmx import Answer
from webapp.web.i18n import locale

bp = Blueprint("reminders", __name__)


@bp.post("/account/reminder")
def choose() -> Answer:
    """Remind at `hour` of the time zone `zone`; never, if the hour is empty."""
    player, fields = auth.named_player(), request.form
    text = fields.get("hour", "")
    hour = int(text) if text in map(str, reminders.HOURS) else None if text == "" else -1
    try:
        reminders.set_reminder(player.id, hour, fields.get("zone", ""), now())
    except BadInput as error:
        return account_page(error, "reminder"), 422
    if hour is not None:
        players.speak(player.id, locale())  # mails use the language of this page
    return redirect(url_for("accounts.account", done="reminder" if hour is not None else "no-reminder"), 303)


@bp.get("/reminders/<token>")
def show(token: str) -> str:
    """Ask for a click: opening a link must not change anything, since programs open links too."""
    player = reminders.whose(token)
    return render_template(
        "people/recovery/reminders.html", token=token, stopped=player.reminder_hour is None
    )


@bp.post("/reminders/<token>")
def stop(token: str) -> Response:
    """End the reminders. Mail programs must not be redirected (RFC 8058)."""
    reminders.stop(token)
    if "List-Unsubscribe" in request.form:
        return Response(status=204)
    return redirect(url_for(".show", token=token), 303)


# RFC 8058: mail programs post there without a session; the token identifies the player.
csrf.exempt(stop)
