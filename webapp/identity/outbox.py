"""Send mail at once, and again later if the server doesn't accept it. Without MAIL_URL, only log it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta

import sqlalchemy as sa
from flask import current_app
from sqlalchemy.exc import SQLAlchemyError

from webapp.identity import keys
from webapp.models import MailState, QueuedMail
from webapp.process import mail as smtp
from webapp.process.children import this_app
from webapp.process.clock import now
from webapp.process.database import Busy, db, rows_changed, write_tx
from webapp.process.mail import Mail, Refused

log = logging.getLogger("ninefold.mail")

FIRST_WAIT = timedelta(minutes=5)  # before the second try; doubled before each later one
CLAIMED = timedelta(minutes=10)  # for which no other worker tries the same mail
KEPT = timedelta(days=7)
DAY = timedelta(days=1)
SEALED = "mail"  # purpose of their encryption: a link in a mail opens an account


def init_app() -> None:
    """Make logged mails visible, whatever the root logger's level."""
    log.setLevel(logging.INFO)


def post(mail: Mail | None) -> threading.Thread:
    """Send a mail in a separate thread, so that the response time doesn't reveal whether one was sent.

    A mail is lost if the process dies first; the user can request another.
    """
    app = this_app()

    def send_apart() -> None:
        with app.app_context():
            send(mail)
            db.session.remove()

    thread = threading.Thread(target=send_apart, name="mail_send", daemon=True)
    thread.start()
    return thread


def send(mail: Mail | None) -> None:
    """Send a mail now, or log it without MAIL_URL. If the server doesn't accept it now, keep it for later."""
    url = current_app.extensions["settings"].mail_url
    if mail is None:
        return
    if url is None:
        log.info("Mail to %s: %s\n%s", mail.to, mail.subject, mail.text, extra={"same": None})
        return
    state = _tried(url, mail)
    row = QueuedMail(state=state, at=now(), tries=1)
    if state == MailState.WAITING:
        facts = (mail.to, mail.subject, mail.text, mail.headers, mail.useful.total_seconds(), mail.key)
        row.due_at, row.content = now() + FIRST_WAIT, keys.seal(json.dumps(facts), SEALED)
    try:
        with write_tx():
            db.session.add(row)
    except (Busy, SQLAlchemyError) as error:
        log.warning("could not record a mail: %s", type(error).__name__)


def is_due(now: datetime) -> bool:
    """Whether a mail waits for another try."""
    return bool(db.session.scalar(sa.select(sa.exists().where(QueuedMail.due_at <= now))))


def retried() -> Iterator[str]:
    """Try the mails that are due, and yield what became of each. A killed worker's mails are due again."""
    url = current_app.extensions["settings"].mail_url
    due = sa.select(QueuedMail.id).where(QueuedMail.due_at <= now()).order_by(QueuedMail.due_at)
    for number in db.session.scalars(due).all():
        at = now()  # a server that doesn't answer takes its time
        claim = sa.update(QueuedMail).where(QueuedMail.id == number, QueuedMail.due_at <= at)
        with write_tx():
            if not rows_changed(claim.values(due_at=at + CLAIMED)):
                continue  # another worker has it
        row = db.session.get_one(QueuedMail, number, populate_existing=True)
        tries, written, mail = row.tries, row.at, None
        if row.content is not None and (text := keys.unseal(row.content, SEALED)) is not None:
            to, subject, body, headers, useful, key = json.loads(text)
            pairs = tuple((name, value) for name, value in headers)
            mail = Mail(to, subject, body, pairs, timedelta(seconds=useful), key)
        state: str = MailState.FAILED
        if mail is not None and at <= written + mail.useful:
            state, tries = _tried(url, mail), tries + 1
        wait = FIRST_WAIT * 2 ** (tries - 1)
        if state == MailState.WAITING and mail is not None and at + wait > written + mail.useful:
            log.error("gave up a mail after %s tries", tries)
            state = MailState.FAILED
        with write_tx():
            row = db.session.get_one(QueuedMail, number)
            row.state, row.tries = state, tries
            row.due_at = at + wait if state == MailState.WAITING else None
            row.content = row.content if state == MailState.WAITING else None
        yield state


def _tried(url: str, mail: Mail) -> MailState:
    """Try to deliver a mail. Log the server's answer, but neither text nor address, which open an account."""
    try:
        answer = smtp.deliver(url, mail)
    except Refused as error:
        log.error("the server did not accept a mail: %s", error)
        return MailState.FAILED if error.final else MailState.WAITING
    log.info("the server accepted a mail: %s", answer, extra={"same": None})
    return MailState.SENT


def counts(now: datetime) -> dict[str, int]:
    """Return how many mails wait, and how many of the last day were sent and given up."""
    lately = sa.or_(QueuedMail.state == MailState.WAITING, QueuedMail.at > now - DAY)
    rows = sa.select(QueuedMail.state, sa.func.count()).where(lately).group_by(QueuedMail.state)
    return {str(state): 0 for state in MailState} | {row.state: row[1] for row in db.session.execute(rows)}


def sweep(now: datetime) -> int:
    """Delete the records of mails written KEPT ago. Returns how many."""
    with write_tx():
        return rows_changed(sa.delete(QueuedMail).where(QueuedMail.at < now - KEPT))
