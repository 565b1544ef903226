"""Sending a mail: by SMTP where MAIL_URL names a server, else into the log, for who runs the site alone."""

from __future__ import annotations

import logging
import smtplib
import ssl
import threading
from dataclasses import dataclass
from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

from flask import Flask

from webapp.process.proxies import ERRORS

log = logging.getLogger("ninefold.mail")

TIMEOUT = 20.0  # seconds for each answer of the server


@dataclass(frozen=True, slots=True)
class Mail:
    """One message to one address."""

    to: str
    subject: str
    text: str


def init_app() -> None:
    """Let the mails that are only logged be seen."""
    log.setLevel(logging.INFO)
    if not log.handlers:
        log.addHandler(logging.StreamHandler(ERRORS))


def post(app: Flask, mail: Mail | None) -> threading.Thread:
    """Send it in a thread of its own, so that the answer takes as long whether there is a mail or not.

    A mail is lost where the process dies meanwhile; whoever waits for it asks again.
    """
    url = app.extensions["settings"].mail_url
    thread = threading.Thread(target=_send, args=(url, mail), daemon=True)
    thread.start()
    return thread


def _send(url: str | None, mail: Mail | None) -> None:
    if mail is None:
        return
    if url is None:
        log.info("Mail to %s: %s\n%s", mail.to, mail.subject, mail.text)
        return
    try:
        deliver(url, mail)
    except (OSError, smtplib.SMTPException) as error:
        # Neither text nor address: the text opens an account.
        log.error("a mail could not be sent: %s", type(error).__name__)


def deliver(url: str, mail: Mail) -> None:
    """Hand the mail to the server of smtp://[user:password@]host[:port]/?from=address, or smtps://.

    smtp:// changes to TLS where the server offers it, and has to before a password is sent.
    """
    parts = urlsplit(url)
    message = EmailMessage()
    message["To"], message["Subject"] = mail.to, mail.subject
    message["From"] = parse_qs(parts.query)["from"][0]
    message.set_content(mail.text)
    context = ssl.create_default_context()
    host = parts.hostname or "localhost"
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, parts.port or 465, timeout=TIMEOUT, context=context)
    else:
        server = smtplib.SMTP(host, parts.port or 25, timeout=TIMEOUT)
    with server:
        if parts.scheme == "smtp":
            server.ehlo()
            if server.has_extn("starttls") or parts.username:
                server.starttls(context=context)
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        server.send_message(message)
