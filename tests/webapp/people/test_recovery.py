"""A forgotten password: confirmed addresses, links that are used once, nothing said to anybody else."""

from __future__ import annotations

import logging
import re
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from tests.webapp.people.test_accounts import players
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.process import mail
from webapp.process.mail import Mail

NEW = "five boats on the shore"
ADDRESS = "ada@example.org"


class Post:
    """What the log has of mails: the newest link in it."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.caplog = caplog

    @property
    def mails(self) -> list[str]:
        for thread in threading.enumerate():
            if thread.daemon and "mail_send" in thread.name:
                thread.join(5)
        return [record.getMessage() for record in self.caplog.records if record.name == "ninefold.mail"]

    def link(self) -> str:
        found = re.search(r"http://[^/\s]+(/\S+)", self.mails[-1])
        assert found is not None
        return found[1]


@pytest.fixture
def post(caplog: pytest.LogCaptureFixture) -> Post:
    caplog.set_level(logging.INFO, "ninefold.mail")
    return Post(caplog)


@pytest.fixture
def reachable(ada: Visitor, post: Post) -> Visitor:
    """Ada, who has left an address and confirmed it."""
    ada.post("/account/email", {"email": ADDRESS, "password": PASSWORD})
    assert ada.post(post.link()).location == "/account?done=email"
    return ada


def test_it_works(app: Flask, reachable: Visitor, other: Visitor, post: Post) -> None:
    assert other.get("/recovery").status_code == 200
    assert other.post("/recovery", {"name": "Ada"}).location == "/recovery?asked=1"
    assert post.mails[-1].startswith(f"Mail to {ADDRESS}")
    link = post.link()
    assert "Ada" in other.get(link).text
    assert other.post(link, {"password": NEW}).location == "/account?done=password"
    other.token = ""
    assert other.get("/account").status_code == 200
    assert reachable.get("/account").status_code == 303  # every session before is over
    assert Visitor(app).sign_in("Ada", PASSWORD).status_code == 422
    assert Visitor(app).sign_in("Ada", NEW).status_code == 303


def test_a_link_is_good_for_one_use(reachable: Visitor, other: Visitor, post: Post) -> None:
    reachable.post("/recovery", {"name": "Ada"})
    link = post.link()
    other.post(link, {"password": NEW})
    other.token = ""
    assert other.get(link).status_code == 404
    assert other.post(link, {"password": "six gulls over the pier"}).status_code == 404


@pytest.mark.parametrize("address", ["", "ada@elsewhere.example"])
def test_a_link_ends_with_the_address_it_was_sent_to(
    reachable: Visitor, other: Visitor, post: Post, address: str
) -> None:
    other.post("/recovery", {"name": "Ada"})
    link = post.link()
    reachable.post("/account/email", {"email": address, "password": PASSWORD})
    if address:
        reachable.post(post.link())
    assert other.get(link).status_code == 404
    assert other.post(link, {"password": NEW}).status_code == 404


def test_a_link_that_confirms_an_address_ends_with_the_one_before(reachable: Visitor, post: Post) -> None:
    """Whoever had asked for it while the account was theirs for a moment cannot bring it back."""
    reachable.post("/account/email", {"email": "mallory@elsewhere.example", "password": PASSWORD})
    older = post.link()
    reachable.post("/account/email", {"email": "", "password": PASSWORD})
    assert reachable.post(older).status_code == 404


@pytest.mark.usefixtures("reachable")
def test_a_link_is_good_for_an_hour(other: Visitor, post: Post, clock: SetClock) -> None:
    other.post("/recovery", {"name": "Ada"})
    clock.advance(minutes=59)
    assert other.get(post.link()).status_code == 200
    clock.advance(minutes=2)
    assert other.get(post.link()).status_code == 404


@pytest.mark.parametrize("token", ["x", "WyJhIl0.AAAA", "a" * 3000, "null", "[1,2,3].x"])
def test_a_forged_link_is_not_found(ada: Visitor, token: str) -> None:
    assert ada.get(f"/recovery/{token}").status_code == 404
    assert ada.post(f"/recovery/{token}", {"password": NEW}).status_code == 404
    assert ada.post(f"/account/email/{token}").status_code == 404


def test_a_link_for_an_address_opens_no_account(ada: Visitor, post: Post) -> None:
    ada.post("/account/email", {"email": ADDRESS, "password": PASSWORD})
    token = post.link().rpartition("/")[2]
    assert ada.get(f"/recovery/{token}").status_code == 404


@pytest.mark.usefixtures("reachable")
def test_a_password_that_is_no_good_costs_nothing(other: Visitor, post: Post) -> None:
    other.post("/recovery", {"name": "Ada"})
    assert other.post(post.link(), {"password": "password1234"}).status_code == 422
    assert other.post(post.link(), {"password": NEW}).status_code == 303


@pytest.mark.parametrize("name", ["Ada", "Nobody", "", "<b>", "x" * 5000])
def test_nobody_learns_who_has_an_address(ada: Visitor, other: Visitor, post: Post, name: str) -> None:
    """Ada has none; the answer is the same as for one who has."""
    assert ada.get("/account").status_code == 200
    assert other.post("/recovery", {"name": name}).location == "/recovery?asked=1"
    assert post.mails == []


@pytest.mark.usefixtures("reachable")
def test_nobody_is_flooded_with_mails(app: Flask, post: Post) -> None:
    before = len(post.mails)
    for number in range(8):
        Visitor(app, address=f"198.51.100.{number}").post("/recovery", {"name": "Ada"})
    assert len(post.mails) == before + 5


def test_an_address_counts_once_its_link_is_followed(app: Flask, ada: Visitor, post: Post) -> None:
    assert ada.post("/account/email", {"email": ADDRESS, "password": PASSWORD}).status_code == 303
    assert players(app)["Ada"].email is None
    assert ada.get(post.link()).status_code == 200  # programs that look at links change nothing
    assert players(app)["Ada"].email is None
    ada.post(post.link())
    assert players(app)["Ada"].email == ADDRESS


def test_another_player_cannot_confirm_it(app: Flask, ada: Visitor, other: Visitor, post: Post) -> None:
    other.register("Bob")
    ada.post("/account/email", {"email": ADDRESS, "password": PASSWORD})
    assert other.post(post.link()).status_code == 404
    assert {player.email for player in players(app).values()} == {None}


@pytest.mark.both_databases
def test_an_empty_address_is_forgotten(app: Flask, reachable: Visitor) -> None:
    assert reachable.post("/account/email", {"email": "", "password": "not this one"}).status_code == 422
    assert players(app)["Ada"].email == ADDRESS
    assert reachable.post("/account/email", {"email": "", "password": PASSWORD}).status_code == 303
    assert players(app)["Ada"].email is None


@pytest.mark.parametrize(
    "address",
    [
        "ada",
        "@example.org",
        "ada@",
        "ada@example",
        "a b@example.org",
        "a@b.org\nBcc: c@d.org",
        "<a@b.org>",
        "a@b.org,c@d.org",
        "x" * 250 + "@b.org",
    ],
)
def test_what_is_no_address_is_said(ada: Visitor, post: Post, address: str) -> None:
    assert ada.post("/account/email", {"email": address, "password": PASSWORD}).status_code == 422
    assert ada.page.find("input", attrs={"name": "email", "aria-invalid": "true"}) is not None
    assert post.mails == []


class Server(socketserver.StreamRequestHandler):
    """As much of SMTP as a mail needs."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        reading = False
        for line in self.rfile:
            if reading:
                reading = line != b".\r\n"
                self.server.received.append(line)
                if not reading:
                    self.wfile.write(b"250 taken\r\n")
                continue
            word = line[:4].upper()
            reading = word == b"DATA"
            self.wfile.write({b"DATA": b"354 go\r\n", b"QUIT": b"221 bye\r\n"}.get(word, b"250 ok\r\n"))
            if word == b"QUIT":
                return


@pytest.fixture
def server() -> Iterator[socketserver.TCPServer]:
    with socketserver.TCPServer(("127.0.0.1", 0), Server) as tcp:
        tcp.received = []
        thread = threading.Thread(target=tcp.serve_forever)
        thread.start()
        yield tcp
        tcp.shutdown()
        thread.join()


def test_a_mail_goes_out_by_smtp(server: socketserver.TCPServer) -> None:
    url = f"smtp://127.0.0.1:{server.server_address[1]}/?from=site@example.org"
    mail.deliver(url, Mail(ADDRESS, "Grüße", "A link"))
    text = b"".join(server.received).decode()
    assert f"To: {ADDRESS}" in text
    assert "From: site@example.org" in text
    assert "A link" in text


def test_a_server_that_is_not_there_is_logged_without_the_mail(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    before = app.extensions["settings"]
    app.extensions["settings"] = replace(before, mail_url="smtp://127.0.0.1:1/?from=site@example.org")
    try:
        mail.post(app, Mail(ADDRESS, "A new password", "the secret link")).join(10)
    finally:
        app.extensions["settings"] = before
    assert "could not send a mail" in caplog.text
    assert "secret link" not in caplog.text
    assert ADDRESS not in caplog.text
