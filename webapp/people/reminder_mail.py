"""The reminder mail about the dailies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from webapp.identity import failures
from webapp.identity.mail.outbox import send
from webapp.people import reminders
from webapp.people.reminders import Reminder
from webapp.process.mail import Mail
from webapp.process.words import gettext as _
from webapp.process.words import speaking
from webapp.web.links import address_of

USEFUL: Final = timedelta(hours=6)  # a reminder that comes later is about a day that is nearly over


def sent(now: datetime) -> Iterator[Reminder]:
    """Send due reminders; each is claimed before it is sent, so a repeated job sends none twice."""
    for reminder in reminders.due(now):
        with failures.counted("mail", "reminder"), speaking(reminder.language):
            send(mail_of(reminder))
        yield reminder


def mail_of(reminder: Reminder) -> Mail:
    """Return the mail, with a link and headers for unsubscribing in one click."""
    stop = address_of("reminders.show", token=reminder.token)
    text = _(
        "Hi %(name)s,\n\nToday’s dailies are waiting for you:\n\n%(link)s\n\n"
        "To stop these reminders, open this link:\n\n%(stop)s",
        name=reminder.name,
        link=address_of("daily.show"),
        stop=stop,
    )
    headers = (("List-Unsubscribe", f"<{stop}>"), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
    return Mail(reminder.to, _("Today’s Sudoku dailies"), text, headers, USEFUL)
