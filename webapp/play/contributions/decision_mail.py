"""The mail about the decision on a submission."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from webapp.identity import failures
from webapp.identity.mail.outbox import send
from webapp.play.contributions import submissions
from webapp.play.contributions.submissions import Notice
from webapp.process.mail import Mail
from webapp.process.words import gettext as _
from webapp.web.links import address_of


def sent(now: datetime) -> Iterator[Notice]:
    """Send due mails; each is claimed before it is sent."""
    for notice in submissions.to_tell(now):
        with failures.counted("mail", "decision"):
            send(decision_of(notice))
        yield notice


def decision_of(notice: Notice) -> Mail | None:
    """Return the mail about a decision; None without an address."""
    if notice.to is None:
        return None
    link = address_of("offers.show")
    values = {"name": notice.name, "title": notice.title, "link": link, "reason": notice.reason or ""}
    if notice.accepted:
        subject = _("Your puzzle is published")
        text = _(
            "Hi %(name)s,\n\nWe’ve taken your puzzle “%(title)s”. Thank you!\n\n"
            "See all your submissions:\n\n%(link)s",
            **values,
        )
    else:
        subject = _("About the puzzle you submitted")
        text = _(
            "Hi %(name)s,\n\nThank you for “%(title)s”. We haven’t taken it this time: %(reason)s\n\n"
            "See all your submissions:\n\n%(link)s",
            **values,
        )
    return Mail(notice.to, subject, text)
