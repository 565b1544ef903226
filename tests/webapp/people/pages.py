"""Pages of accounts, recovery and players."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import sqlalchemy as sa
from playwright.sync_api import Page, expect

from tests.browser.board import begin
from tests.browser.desk import in_the_site
from tests.browser.pages import State, at, named
from tests.webapp.visitors import PASSWORD
from webapp.models import Attempt, Player
from webapp.people import recovery
from webapp.process.database import db, write_tx

ADDRESS = "ada@example.org"

NO_PAGE = {"accounts.export"}


def account(page: Page) -> None:
    named(page)
    page.goto("/account")


def mailed(page: Page) -> None:
    name = named(page)
    with in_the_site():
        _address, token = recovery.address_token(_player(name), ADDRESS, PASSWORD, datetime.now(UTC))
    page.goto(f"/account/email/{token}")
    expect(page.get_by_role("button", name="Confirm address")).to_be_visible()


def forgotten(page: Page) -> None:
    name, now = named(page), datetime.now(UTC)
    with in_the_site():
        player = _player(name)
        recovery.keep_address(player, recovery.address_token(player, ADDRESS, PASSWORD, now)[1], now)
        mail = recovery.ask(name, name, now)
    assert mail is not None
    page.goto(f"/recovery/{mail[1]}")
    expect(page.get_by_label("New password")).to_be_visible()


def _player(name: str) -> int:
    return db.session.scalars(sa.select(Player.id).where(Player.name == name)).one()


def guests_account(page: Page) -> None:
    begin(page)
    page.goto("/account")


def own_page(page: Page) -> None:
    """The page of a player with two solves slow enough to count, enough for a chart."""
    for level in (1, 2):
        begin(page, level, left=0)
    name = named(page)
    with in_the_site(), write_tx():
        db.session.execute(sa.update(Attempt).where(Attempt.player_id == _player(name)).values(doubts=None))
    page.goto(f"/players/{name}")
    expect(page.locator(".chart")).to_be_visible()


def refused_at(address: str) -> Callable[[Page], object]:

    def reach(page: Page) -> None:
        page.goto(address)
        page.get_by_label("Name").fill("Nobody at all")
        page.get_by_label("Password").fill("password1234")
        page.locator("main .button--primary").click()
        expect(page.locator("[aria-invalid]")).to_be_focused()

    return reach


STATES = (
    State("sign in, refused", "accounts.sign_in_form", refused_at("/login")),
    State("take a name", "accounts.register_form", at("/register")),
    State("account", "accounts.account", account),
    State("forgotten password", "recovery.form", at("/recovery")),
    State("forgotten password, asked", "recovery.form", at("/recovery?asked=1")),
    State("forgotten password, a new one", "recovery.choose", forgotten),
    State("an address to confirm", "recovery.confirm", mailed),
    State("account of a guest", "accounts.account", guests_account),
    State("player", "players.show", own_page),
)
