"""Deliver a mail to the SMTP server of MAIL_URL."""

from __future__ import annotations

import secrets
import smtplib
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TIMEOUT = 20.0  # seconds to wait for each server reply


@dataclass(frozen=True, slots=True)
class Mail:
    """One message to one address."""

    to: str
    subject: str
    text: str
    headers: tuple[tuple[str, str], ...] = ()  # in addition to those of every mail
    useful: timedelta = timedelta(days=1)  # how long it is worth another try
    # Part of the Message-ID: the same at every try, so that a mail received twice is shown once
    key: str = field(default_factory=lambda: secrets.token_hex(16), compare=False)


class Refused(Exception):
    """A mail wasn't accepted. The message is the server's answer, without the address of the receiver."""

    def __init__(self, answer: str, *, final: bool) -> None:
        self.final = final  # another try would fail in the same way
        super().__init__(answer)


class _Answering:
    """Keeps what the server said when it accepted the text, such as the number in its queue."""

    answer = ""

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send the text, as smtplib does."""
        code, answer = super().data(msg)  # type: ignore[misc]  # of the class it is mixed into
        self.answer = f"{code} {answer.decode(errors='replace')}"
        return code, answer


class _Plain(_Answering, smtplib.SMTP):
    pass


class _Tls(_Answering, smtplib.SMTP_SSL):
    pass


def deliver(url: str, mail: Mail) -> str:
    """Deliver a mail to the server of smtp://[user:password@]host[:port]/?from=address, or smtps://.

    smtp:// upgrades to TLS if the server offers it, and requires it before sending a password. Returns the
    server's answer. Raises Refused.
    """
    try:
        with _connected(url) as server:
            server.send_message(message_of(url, mail))
            return _without_address(server.answer, mail)
    except (OSError, smtplib.SMTPException) as error:
        raise _refusal(error, mail) from error


def check(url: str) -> None:
    """Connect to the server and sign in, without a mail. Raises Refused."""
    try:
        with _connected(url) as server:
            server.noop()
    except (OSError, smtplib.SMTPException) as error:
        raise _refusal(error, None) from error


def message_of(url: str, mail: Mail) -> EmailMessage:
    """Return the message with all headers."""
    sender = parse_qs(urlsplit(url).query)["from"][0]
    message = EmailMessage()
    message["To"], message["Subject"], message["From"] = mail.to, mail.subject, sender
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = f"<{mail.key}@{parseaddr(sender)[1].rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"  # so that nobody's holiday answers it
    for name, value in mail.headers:
        message[name] = value
    message.set_content(mail.text)
    return message


def _connected(url: str) -> _Plain | _Tls:
    parts, context = urlsplit(url), ssl.create_default_context()
    host = parts.hostname or "localhost"
    server: _Plain | _Tls
    if parts.scheme == "smtps":
        server = _Tls(host, parts.port or 465, timeout=TIMEOUT, context=context)
    else:
        server = _Plain(host, parts.port or 25, timeout=TIMEOUT)
    try:
        if parts.scheme == "smtp":
            server.ehlo()
            if server.has_extn("starttls") or parts.username:
                server.starttls(context=context)
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
    except BaseException:
        server.close()
        raise
    return server


def _refusal(error: Exception, mail: Mail | None) -> Refused:
    """Return what the server said. 5xx is final, except to a sign-in, which an operator can mend."""
    code, answer = None, b""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, answer = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code = error.smtp_code
        answer = error.smtp_error if isinstance(error.smtp_error, bytes) else error.smtp_error.encode()
    said = f"{code} {answer.decode(errors='replace')}" if code else str(error) or type(error).__name__
    final = code is not None and code >= 500 and not isinstance(error, smtplib.SMTPAuthenticationError)
    return Refused(_without_address(said, mail), final=final)


def _without_address(said: str, mail: Mail | None) -> str:
    said = " ".join(said.split())
    return said if mail is None else said.replace(mail.to, "…")
