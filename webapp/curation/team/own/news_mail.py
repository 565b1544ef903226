"""The mail with news of the desk for curators."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from flask import current_app

from webapp.curation.team.own import notices
from webapp.curation.team.own.notices import News
from webapp.identity import failures
from webapp.identity.mail.outbox import send
from webapp.process.mail import Mail
from webapp.process.words import format_date, ngettext, speaking
from webapp.process.words import gettext as _
from webapp.web.i18n.lists import listed
from webapp.web.links import address_of


def sent(now: datetime) -> Iterator[News]:
    """Send news to the curators who asked for it; each is claimed before it is sent."""
    for news in notices.due(now, two_person=current_app.extensions["settings"].two_person):
        with failures.counted("mail", "news"), speaking(news.language):
            send(news_of(news))
        yield news


def news_of(news: News) -> Mail:
    """Return the mail with a curator's news."""
    paragraphs = []
    if news.commented:
        puzzles = listed([f"#{number}" for number in news.commented])
        paragraphs.append(
            ngettext(
                "There are new comments on a puzzle you’ve worked on: %(puzzles)s.",
                "There are new comments on %(num)s puzzles you’ve worked on: %(puzzles)s.",
                len(news.commented),
                puzzles=puzzles,
            )
        )
    if news.drafts:
        paragraphs.append(
            ngettext(
                "A draft is waiting for you to release it.",
                "%(num)s drafts are waiting for you to release them.",
                news.drafts,
            )
        )
    if news.gaps:
        days = listed([format_date(day, "long") for day in news.gaps])
        paragraphs.append(_("Dailies are missing soon: %(days)s.", days=days))
    if news.submissions:
        paragraphs.append(
            ngettext("A player submitted a puzzle.", "Players submitted %(num)s puzzles.", news.submissions)
        )
    text = _(
        "Hi %(name)s,\n\n%(news)s\n\nOpen the desk:\n\n%(link)s\n\n"
        "To choose what we send you, open this page:\n\n%(choose)s",
        name=news.name,
        news="\n\n".join(paragraphs),
        link=address_of("admin.queue.show"),
        choose=address_of("admin.own.show"),
    )
    return Mail(news.to, _("News from the curation desk"), text)
