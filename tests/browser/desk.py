"""A curator in the browser, appointed as by `flask curators add`, and puzzles in the running site's bank."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyotp
from flask import Flask
from playwright.sync_api import Page, expect

import engine
from tests.webapp.desk import appointed
from tests.webapp.processes import wait_until
from tests.webapp.visitors import PASSWORD, SetClock
from webapp.bank import bank
from webapp.identity import passwords
from webapp.process.database import sqlite_module

NAME = "Cora"
FRESH = 1800  # seconds within which an earlier proof counts; the desk allows writing for an hour
MOST_TABS = 150  # to anything on a page
SLOWLY = timedelta(seconds=20)  # until a busy machine checks a code
# The site's curator, one for all tests: an address may take only a few names a day.
_kept: dict[str, Any] = {}


def appoint(instance: Path, app: Flask) -> None:
    """Remember the site, with a second instance of its app; its curator is appointed on demand."""
    _kept.clear()
    _kept.update(instance=instance, app=app, step=0)
    passwords.LEAST_WAIT = 60.0  # where tests ask the app itself: their machine may be busy


@contextmanager
def in_the_site() -> Iterator[None]:
    """Return the context of that app: the running site's database, and the secret that signs links."""
    with _kept["app"].app_context():
        yield


def code() -> str:
    """Return an unused code that stays valid for SLOWLY; the window accepts those of one step around now."""
    totp = pyotp.TOTP(_kept["secret"])
    step = max(_kept["step"] + 1, totp.timecode(datetime.now(UTC) + SLOWLY) - 1)
    wait_until(lambda: step <= totp.timecode(datetime.now(UTC)) + 1)
    _kept["step"] = step
    return totp.generate_otp(step)


def prove(page: Page) -> None:
    """Fill in the form that confirms the curator's identity, by keys."""
    page.locator("[name=desk_password]").focus()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.type(code())
    page.keyboard.press("Enter")
    expect(page.locator(".desk")).to_be_visible()
    _kept.update(cookies=page.context.cookies(), proved=time.monotonic())


def at_the_desk(address: str = "/admin/") -> Callable[[Page], object]:
    """Open this page of the desk as a curator who has just confirmed their identity."""

    def reach(page: Page) -> None:
        if "secret" not in _kept:
            _make(page)
        page.context.add_cookies(_kept["cookies"])
        if time.monotonic() - _kept["proved"] > FRESH:
            page.goto("/admin/sign-in")
            prove(page)
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()

    return reach


def _make(page: Page) -> None:
    page.context.clear_cookies()  # of any earlier visitor
    page.goto("/register")
    page.locator("#name").fill(NAME)
    page.locator("#password").fill(PASSWORD)
    page.locator("main button").click()
    page.wait_for_url("/")
    _kept["secret"] = appointed(_kept["instance"], NAME)
    page.goto("/admin/")
    prove(page)


class Keys:
    """A curator with a keyboard alone. `acts` counts what is pressed, text apart."""

    def __init__(self, page: Page) -> None:
        self.page, self.acts = page, 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.acts += 1

    def reach(self, selector: str) -> None:
        """Press Tab until the focus is on this, or Shift+Tab if it lies behind."""
        behind = "document.querySelector(selector).compareDocumentPosition(document.activeElement) & 4"
        key = "Shift+Tab" if self.page.evaluate(f"selector => {behind}", selector) else "Tab"
        for _ in range(MOST_TABS):
            self.press(key)
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} is not reached by Tab")

    def take(self, selector: str, key: str = "") -> None:
        """Follow a link or press a button: by its key where it has one."""
        expect(self.page.locator(selector).first).to_be_visible()
        if key:
            self.page.wait_for_load_state("networkidle")  # the page's scripts have started
        else:
            self.reach(selector)
        self.press(key or "Enter")

    def write(self, selector: str, text: str) -> None:
        self.reach(selector)
        self.page.keyboard.type(text)


class Fingers(Keys):
    """A curator on a phone. `acts` counts the taps."""

    def press(self, key: str) -> None:
        """Do nothing: there are no keys."""

    def take(self, selector: str, key: str = "") -> None:  # noqa: ARG002
        self.page.locator(selector).first.tap()
        self.acts += 1

    def write(self, selector: str, text: str) -> None:
        self.take(selector)
        self.page.locator(selector).fill(text)


def puzzle(seed: int, level: int) -> str:
    """Return the givens of a puzzle of this level."""
    return str(engine.generate(engine.Recipe(level=level), seed=seed).grid)


def put(file: Path, status: str, count: int, seed: int, level: int = 3) -> list[int]:
    """Add unseen, rated puzzles to the bank of the running site. Returns their ids in order."""
    ids = []
    with closing(sqlite_module()[0].connect(file, timeout=20)) as connection:
        for number in range(count):
            givens = puzzle(seed + number, level)
            grid = engine.parse(givens)
            columns = bank.rating_columns(grid) | {
                "givens": givens,
                "canonical": str(engine.canonical_form(grid)),
                "status": status,
                "engine_version": "test",
                "created_at": f"{SetClock.time:%Y-%m-%d %H:%M:%S.%f}",
                "version": 0,
                "relabelled": False,
            }
            names, marks = ", ".join(columns), ", ".join(f":{name}" for name in columns)
            cursor = connection.execute(f"INSERT INTO puzzle ({names}) VALUES ({marks})", columns)  # noqa: S608
            ids.append(cursor.lastrowid)
        connection.commit()
    return ids
