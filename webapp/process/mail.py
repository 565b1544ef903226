"""Send mail: by SMTP if MAIL_URL is set, otherwise to the log, for single-user setups."""

from __future__ import annotations

import logging
import smtplib
import ssl
import threading
from dataclasses import dataclass
from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

from flask import Flask

log = logging.getLogger("ninefold.mail")

TIMEOUT = 20.0  # seconds to wait for each server reply


@dataclass(frozen=True, slots=True)
class Mail:
    """One message to one address."""

    to: str
    subject: str
    text: str
    headers: tuple[tuple[str, str], ...] = ()  # besides those every mail has


def init_app() -> None:
    """Make logged mails visible, whatever the root logger's level."""
    log.setLevel(logging.INFO)


def post(app: Flask, mail: Mail | None) -> threading.Thread:
    """Send it in a separate thread, so that the response time does not reveal whether a mail was sent.

    A mail is lost if the process dies first; the user can request another.
    """
    thread = threading.Thread(target=send, args=(app, mail), name="mail_send", daemon=True)
    thread.start()
    return thread


def send(app: Flask, mail: Mail | None) -> None:
    """Send it now, or, without MAIL_URL, log it; a failure is logged. Needs no app context."""
    url = app.extensions["settings"].mail_url
    if mail is None:
        return
    if url is None:
        log.info("Mail to %s: %s\n%s", mail.to, mail.subject, mail.text, extra={"same": None})
        return
    try:
        deliver(url, mail)
    except (OSError, smtplib.SMTPException) as error:
        # Log neither the text nor the address: the text gives access to an account.
        log.error("could not send a mail: %s", type(error).__name__)


def deliver(url: str, mail: Mail) -> None:
    """Hand the mail to the server of smtp://[user:password@]host[:port]/?from=address, or smtps://.

    smtp:// changes to TLS where the server offers it, and has to before a password is sent.
    """
    parts = urlsplit(url)
    message = EmailMessage()
    message["To"], message["Subject"] = mail.to, mail.subject
    message["From"] = parse_qs(parts.query)["from"][0]
    for name, value in mail.headers:
        message[name] = value
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
