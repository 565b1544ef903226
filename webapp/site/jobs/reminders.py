"""The job that sends daily reminders, at startup and every five minutes, where mail can be sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.people import reminders
from webapp.people.reminders import Reminder
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.mail import Mail, send
from webapp.process.words import gettext as _
from webapp.site.jobs.schedules import start_now_and_every, work_through

QUEUE = "reminders"
EVERY_FIVE_MINUTES = "*/5 * * * *"


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    stopping = app.extensions["stopping"]

    @DBOS.step(name="send_reminders")
    def send_reminders() -> int:
        """Send what is due; each is claimed before it is sent, so a repeated step sends none twice."""
        with app.app_context():
            return work_through(_sent(app), stopping)

    @DBOS.workflow(name="keep_reminding")
    def keep_reminding(_scheduled_at: datetime, _context: Any) -> int:
        return send_reminders()

    app.extensions["keep_reminding"] = keep_reminding


def _sent(app: Flask) -> Iterator[Reminder]:
    for reminder in reminders.due(now()):
        send(app, mail_of(app, reminder))
        yield reminder


def mail_of(app: Flask, reminder: Reminder) -> Mail:
    """Return the mail, with a link, and headers for mail programs, that end the reminders in one click."""
    settings: Settings = app.extensions["settings"]
    addresses = app.url_map.bind("")
    stop = settings.address + addresses.build("reminders.show", {"token": reminder.token})
    text = _(
        "Hi %(name)s,\n\nToday’s dailies are waiting for you:\n\n%(link)s\n\n"
        "To stop these reminders, open this link:\n\n%(stop)s",
        name=reminder.name,
        link=settings.address + addresses.build("daily.show"),
        stop=stop,
    )
    headers = (("List-Unsubscribe", f"<{stop}>"), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
    return Mail(reminder.to, _("Today’s Sudoku dailies"), text, headers)


def start(app: Flask) -> None:
    """Schedule the job and run it once now, where mail can be sent; call after launch."""
    if app.extensions["settings"].mail_url is not None:
        start_now_and_every(app, "keep_reminding", QUEUE, EVERY_FIVE_MINUTES)
