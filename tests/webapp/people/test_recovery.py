"""A forgotten password: confirmed addresses, single-use links, no disclosure to others."""

from __future__ import annotations

import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from tests.webapp.people.test_accounts import players
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.identity import passwords

NEW = "five boats on the shore"
ADDRESS = "ada@example.org"


class Post:
    """Read logged mails: the newest link."""

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
    """Ada, with a confirmed address."""
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
    """An attacker who requested it while briefly in the account cannot restore it."""
    reachable.post("/account/email", {"email": "mallory@elsewhere.example", "password": PASSWORD})
    older = post.link()
    reachable.post("/account/email", {"email": "", "password": PASSWORD})
    assert reachable.post(older).status_code == 404


@pytest.mark.usefixtures("reachable")
def test_a_link_is_good_for_an_hour(other: Visitor, post: Post, clock: SetClock) -> None:
    other.post("/recovery", {"name": "Ada"})
    clock.advance(hours=1)
    assert other.get(post.link()).status_code == 200
    clock.advance(seconds=1)
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


@pytest.mark.both_databases
@pytest.mark.usefixtures("reachable")
def test_a_link_signed_while_the_clock_was_wrong_opens_nothing(
    other: Visitor, post: Post, clock: SetClock
) -> None:
    clock.advance(days=40)
    other.post("/recovery", {"name": "Ada"})
    clock.advance(days=-40)
    assert other.get(post.link()).status_code == 404


@pytest.mark.usefixtures("reachable")
def test_a_password_that_is_no_good_costs_nothing(other: Visitor, post: Post) -> None:
    other.post("/recovery", {"name": "Ada"})
    assert other.post(post.link(), {"password": "password1234"}).status_code == 422
    assert other.post(post.link(), {"password": NEW}).status_code == 303


@pytest.mark.parametrize("name", ["Ada", "Nobody", "", "<b>", "x" * 5000])
def test_nobody_learns_who_has_an_address(ada: Visitor, other: Visitor, post: Post, name: str) -> None:
    """Ada has none; the response is the same as for a player with one."""
    assert ada.get("/account").status_code == 200
    assert other.post("/recovery", {"name": name}).location == "/recovery?asked=1"
    assert post.mails == []


@pytest.mark.usefixtures("reachable")
def test_nobody_is_flooded_with_mails(app: Flask, post: Post) -> None:
    before = len(post.mails)
    for number in range(8):
        Visitor(app, address=f"198.51.100.{number}").post("/recovery", {"name": "Ada"})
    assert len(post.mails) == before + 5


@pytest.mark.both_databases
@pytest.mark.usefixtures("reachable")
def test_who_asks_in_a_name_uses_up_no_mails_of_another_range(app: Flask, post: Post) -> None:
    for number in range(8):
        Visitor(app, address=f"198.51.100.{number}").post("/recovery", {"name": "Ada"})
    before = len(post.mails)
    Visitor(app, address="203.0.113.5").post("/recovery", {"name": "Ada"})
    assert len(post.mails) == before + 1


@pytest.mark.both_databases
@pytest.mark.usefixtures("reachable")
def test_of_two_uses_at_once_one_sets_the_password(
    app: Flask, other: Visitor, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    other.post("/recovery", {"name": "Ada"})
    link, together = post.link(), threading.Barrier(2)
    real = passwords.hashed

    def hashed(password: str) -> str:
        together.wait(60)
        return real(password)

    monkeypatch.setattr(passwords, "hashed", hashed)

    def use(number: int) -> int:
        visitor = Visitor(app, address=f"198.51.100.{number}")
        return visitor.post(link, {"password": f"{NEW} {number}"}).status_code

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(use, range(2))) == [303, 404]


def test_an_address_counts_once_its_link_is_followed(app: Flask, ada: Visitor, post: Post) -> None:
    assert ada.post("/account/email", {"email": ADDRESS, "password": PASSWORD}).status_code == 303
    assert players(app)["Ada"].email is None
    assert ada.get(post.link()).status_code == 200  # link scanners change nothing
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
        "ada@example",
        "a@b.org\nBcc: c@d.org",
        "a@b.org,c@d.org",
        "x" * 250 + "@b.org",
    ],
)
def test_what_is_no_address_is_said(ada: Visitor, post: Post, address: str) -> None:
    assert ada.post("/account/email", {"email": address, "password": PASSWORD}).status_code == 422
    assert ada.page.find("input", attrs={"name": "email", "aria-invalid": "true"}) is not None
    assert post.mails == []
