"""Addresses that people mistype or programs ask for, and facts of a page for other sites."""

from __future__ import annotations

import pytest

from tests.webapp.visitors import Visitor
from webapp.identity import passwords
from webapp.process.database import Busy


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("/daily/", "/daily"),
        ("/Leaderboard", "/leaderboard"),
        ("/index.html", "/"),
        ("/Learn/X_Wing/", "/learn/x_wing"),
        ("/archive/?month=2026-03", "/archive?month=2026-03"),
    ],
)
def test_a_mistyped_address_leads_to_the_page(guest: Visitor, wrong: str, right: str) -> None:
    answer = guest.get(wrong)
    assert (answer.status_code, answer.location) == (301, right)


def test_an_address_without_a_page_stays_one(guest: Visitor) -> None:
    for address in ("/nothing-here/", "/Nothing", "/players/NOBODY/x/"):
        assert guest.get(address).status_code == 404


@pytest.mark.parametrize(
    ("address", "status", "holds"),
    [
        ("/robots.txt", 200, "Disallow: /attempts/"),
        ("/.well-known/security.txt", 200, "Expires: 20"),
        ("/favicon.ico", 302, ".svg"),
        ("/.well-known/change-password", 302, "/account"),
    ],
)
def test_programs_get_a_short_answer(guest: Visitor, address: str, status: int, holds: str) -> None:
    answer = guest.get(address)
    assert answer.status_code == status
    assert holds in answer.text + (answer.location or "")
    assert len(answer.data) < 300


@pytest.mark.parametrize(
    ("address", "indexed"),
    [("/archive", True), ("/archive?month=2026-03", False), ("/analysis", True), ("/print", False)],
)
def test_endless_addresses_are_kept_out_of_search_engines(
    guest: Visitor, address: str, indexed: bool
) -> None:
    guest.get(address)
    assert (guest.page.find("meta", attrs={"name": "robots"}) is None) == indexed


@pytest.mark.parametrize("address", ["/", "/leaderboard", "/learn", "/learn/x_wing", "/help", "/daily"])
def test_a_link_to_a_public_page_has_a_picture(guest: Visitor, address: str) -> None:
    guest.get(address)
    (picture,) = guest.page.find_all("meta", property="og:image")
    answer = guest.get(str(picture["content"]).partition("localhost")[2])
    assert (answer.status_code, answer.mimetype) == (200, "image/png")


def test_a_form_turned_away_by_a_busy_server_keeps_its_fields(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_password: str) -> str:
        raise Busy("passwords are being checked one at a time")

    monkeypatch.setattr(passwords, "hashed", busy)
    sent = {"name": "Ada", "password": "nine random words and more", "next": "/daily"}
    answer = guest.post("/register", sent)
    assert answer.status_code == 503
    assert "nothing was done" in answer.text
    form = guest.page.select_one('main form[data-behaviour="page.again"]')
    assert form["action"] == "/register"
    kept = {str(field["name"]): field["value"] for field in form.select("input")}
    assert {name: kept[name] for name in sent} == sent
    guest.post("/register", sent | {"again": "1"})
    assert guest.page.select_one('[data-behaviour="page.again"]') is None, "it is sent once more, not forever"


def test_a_page_without_its_styles_claims_nothing_that_is_not_so(guest: Visitor) -> None:
    for address in ("/", guest.start(level=1)):
        guest.get(address)
        for part in (".site__kept", ".cover", ".tour__wrong"):
            for element in guest.page.select(part):
                assert element.has_attr("hidden"), part
