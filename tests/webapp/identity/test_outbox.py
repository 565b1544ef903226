"""Mail: its headers, the server's answer, and another try if the server doesn't accept it."""

from __future__ import annotations

import email
import logging
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from email.utils import parsedate_to_datetime

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.visitors import SetClock
from webapp.identity import outbox
from webapp.models import QueuedMail
from webapp.process import mail
from webapp.process.clock import utcnow
from webapp.process.database import db
from webapp.process.mail import Mail, Refused

ADDRESS = "ada@example.org"
LINK = Mail(ADDRESS, "A new password", "the secret link", useful=timedelta(hours=1))
TAKEN = b"250 2.0.0 Ok: queued as 4711"


class Server(socketserver.TCPServer):
    """The part of SMTP that a mail needs; it accepts mails for this list of answers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.received: list[bytes] = []
        self.answers: list[bytes] = []  # to RCPT, one each; 250 when there are no more

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}/?from=Ninefold%20<site@ninefold.example>"

    def message(self) -> Message:
        """The last message."""
        return email.message_from_bytes(self.received[-1])


class Handler(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        text: list[bytes] | None = None
        for line in self.rfile:
            if text is not None:
                if line == b".\r\n":
                    self.server.received.append(b"".join(text))
                    self.wfile.write(TAKEN + b"\r\n")
                    text = None
                else:
                    text.append(line)
                continue
            answer = {b"DATA": b"354 go", b"QUIT": b"221 bye"}.get(line[:4].upper(), b"250 ok")
            if line[:4].upper() == b"DATA":
                text = []
            if line[:4].upper() == b"RCPT" and self.server.answers:
                answer = self.server.answers.pop(0)
            self.wfile.write(answer + b"\r\n")
            if answer.startswith(b"221"):
                return


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as tcp:
        thread = threading.Thread(target=tcp.serve_forever)
        thread.start()
        yield tcp
        tcp.shutdown()
        thread.join()


@contextmanager
def mailing(app: Flask, url: str | None) -> Iterator[None]:
    """The site with this MAIL_URL."""
    before = app.extensions["settings"]
    app.extensions["settings"] = replace(before, mail_url=url)
    try:
        with app.app_context():
            yield
    finally:
        app.extensions["settings"] = before


def test_a_mail_has_what_other_servers_look_for(server: Server) -> None:
    answer = mail.deliver(server.url, Mail(ADDRESS, "Grüße", "A link", (("List-Unsubscribe", "<x>"),)))
    message = server.message()
    assert answer == TAKEN.decode()
    assert (message["To"], message["From"]) == (ADDRESS, "Ninefold <site@ninefold.example>")
    assert abs(parsedate_to_datetime(message["Date"]) - utcnow()) < timedelta(minutes=10)
    assert re.fullmatch(r"<[0-9a-f]{32}@ninefold\.example>", message["Message-ID"])
    assert message["List-Unsubscribe"] == "<x>"
    assert "A link" in str(message.get_payload())


@pytest.mark.both_databases
def test_a_mail_that_is_not_accepted_is_tried_again(
    app: Flask, server: Server, clock: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "ninefold.mail")
    server.answers = [b"451 4.3.0 try <ada@example.org> later", b"451 later"]
    with mailing(app, server.url):
        outbox.send(LINK)
        assert outbox.counts(clock()) == {"sent": 0, "waiting": 1, "failed": 0}
        stored = db.session.scalars(sa.select(QueuedMail.content)).one()
        assert stored and "secret" not in stored
        assert list(outbox.retried()) == []
        clock.advance(minutes=5)
        assert list(outbox.retried()) == ["waiting"]
        clock.advance(minutes=9)
        assert list(outbox.retried()) == []
        clock.advance(minutes=1)
        assert list(outbox.retried()) == ["sent"]
        assert outbox.counts(clock()) == {"sent": 1, "waiting": 0, "failed": 0}
        assert db.session.scalars(sa.select(QueuedMail.content)).all() == [None]
    assert "451 4.3.0 try <…> later" in caplog.text
    assert TAKEN.decode() in caplog.text
    assert ADDRESS not in caplog.text and "secret link" not in caplog.text
    assert "the secret link" in str(server.message().get_payload())


@pytest.mark.both_databases
def test_a_mail_is_given_up_once_it_is_useless(app: Flask, clock: SetClock) -> None:
    with mailing(app, "smtp://127.0.0.1:1/?from=site@ninefold.example"):
        outbox.send(LINK)
        found = []
        for _ in range(12):
            clock.advance(minutes=10)
            found += outbox.retried()
        assert found[-1] == "failed" and set(found[:-1]) == {"waiting"}
        assert outbox.counts(clock()) == {"sent": 0, "waiting": 0, "failed": 1}
        clock.advance(days=8)
        assert outbox.sweep(clock()) == 1


def test_a_useless_mail_is_not_tried(app: Flask, server: Server, clock: SetClock) -> None:
    """The worker may not have run for hours."""
    server.answers = [b"451 later"]
    with mailing(app, server.url):
        outbox.send(LINK)
        clock.advance(hours=2)
        assert list(outbox.retried()) == ["failed"]
    assert not server.received


def test_an_address_that_does_not_exist_is_tried_once(app: Flask, server: Server, clock: SetClock) -> None:
    server.answers = [b"550 5.1.1 no such user"]
    with mailing(app, server.url):
        outbox.send(LINK)
        assert outbox.counts(clock())["failed"] == 1
        clock.advance(hours=1)
        assert list(outbox.retried()) == []


def test_a_server_that_is_not_there_is_logged_without_the_mail(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    with mailing(app, "smtp://127.0.0.1:1/?from=site@ninefold.example"):
        outbox.post(LINK).join(30)
    assert "did not accept a mail: [Errno 111] Connection refused" in caplog.text
    assert "secret link" not in caplog.text and ADDRESS not in caplog.text


def test_the_command_prints_the_answer(app: Flask, server: Server) -> None:
    run = app.test_cli_runner().invoke
    with mailing(app, None):
        assert "MAIL_URL isn’t set" in run(args=["mail", "test", ADDRESS]).output
    with mailing(app, server.url):
        assert TAKEN.decode() in run(args=["mail", "test", ADDRESS]).output
        server.answers = [b"554 5.7.1 your address is on a list"]
        refused = run(args=["mail", "test", ADDRESS])
    assert (refused.exit_code, "554 5.7.1 your address is on a list" in refused.output) == (1, True)


def test_a_sign_in_that_fails_says_so(server: Server) -> None:
    with pytest.raises(Refused, match="STARTTLS"):
        mail.check(server.url.replace("smtp://", "smtp://me:word@"))
