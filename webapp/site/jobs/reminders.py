"""The job that sends reminders, decisions and the desk’s news, every five minutes, where mail can be sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.curation.team.own import notices
from webapp.curation.team.own.notices import News
from webapp.people import reminders
from webapp.people.reminders import Reminder
from webapp.play.shelf import submissions
from webapp.play.shelf.submissions import Notice
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.mail import Mail, send
from webapp.process.words import format_date, ngettext, speaking
from webapp.process.words import gettext as _
from webapp.site.jobs.schedules import start_now_and_every, work_through
from webapp.web.i18n.lists import listed

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

    @DBOS.step(name="send_decisions")
    def send_decisions() -> int:
        """Tell players what was decided on their submissions; claimed in the same way."""
        with app.app_context():
            return work_through(_told(app), stopping)

    @DBOS.step(name="send_news")
    def send_news() -> int:
        """Tell curators what is new at the desk; claimed in the same way."""
        with app.app_context():
            return work_through(_told_curators(app), stopping)

    @DBOS.workflow(name="keep_reminding")
    def keep_reminding(_scheduled_at: datetime, _context: Any) -> int:
        return send_reminders() + send_decisions() + send_news()

    app.extensions["keep_reminding"] = keep_reminding


def _sent(app: Flask) -> Iterator[Reminder]:
    for reminder in reminders.due(now()):
        with speaking(reminder.language):
            send(app, mail_of(app, reminder))
        yield reminder


def _told(app: Flask) -> Iterator[Notice]:
    for notice in submissions.to_tell(now()):
        send(app, decision_of(app, notice))
        yield notice


def _told_curators(app: Flask) -> Iterator[News]:
    for news in notices.due(now(), two_person=app.extensions["settings"].two_person):
        with speaking(news.language):
            send(app, news_of(app, news))
        yield news


def news_of(app: Flask, news: News) -> Mail:
    """Return the mail that tells a curator what is new."""
    told = []
    if news.commented:
        puzzles = listed([f"#{number}" for number in news.commented])
        told.append(
            ngettext(
                "There are new comments on a puzzle you’ve worked on: %(puzzles)s.",
                "There are new comments on %(num)s puzzles you’ve worked on: %(puzzles)s.",
                len(news.commented),
                puzzles=puzzles,
            )
        )
    if news.drafts:
        told.append(
            ngettext(
                "A draft is waiting for you to release it.",
                "%(num)s drafts are waiting for you to release them.",
                news.drafts,
            )
        )
    if news.gaps:
        days = listed([format_date(day, "long") for day in news.gaps])
        told.append(_("Dailies are missing soon: %(days)s.", days=days))
    if news.submissions:
        told.append(
            ngettext("A player submitted a puzzle.", "Players submitted %(num)s puzzles.", news.submissions)
        )
    settings: Settings = app.extensions["settings"]
    addresses = app.url_map.bind("")
    text = _(
        "Hi %(name)s,\n\n%(news)s\n\nOpen the desk:\n\n%(link)s\n\n"
        "To choose what we send you, open this page:\n\n%(choose)s",
        name=news.name,
        news="\n\n".join(told),
        link=settings.address + addresses.build("admin.queue.show"),
        choose=settings.address + addresses.build("admin.own.show"),
    )
    return Mail(news.to, _("News from the curation desk"), text)


def decision_of(app: Flask, notice: Notice) -> Mail | None:
    """Return the mail that tells a player what was decided; None without an address."""
    if notice.to is None:
        return None
    settings: Settings = app.extensions["settings"]
    link = settings.address + app.url_map.bind("").build("offers.show")
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
