"""A curator in the browser, made as an operator does it: with `flask curators add` on the running site."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyotp
from playwright.sync_api import Page, expect

from tests.webapp.processes import ROOT
from tests.webapp.site import PASSWORD

NAME = "Cora"
# What the site's curator is known by, one for all tests: names are limited to a few a day and address.
_kept: dict[str, Any] = {}


def appoint(instance: Path) -> None:
    """Remember which site this is; its curator is made when one is needed."""
    _kept.clear()
    _kept.update(instance=instance, step=0)


def code() -> str:
    """A code that was not used before; the window lets one of the next step pass."""
    totp = pyotp.TOTP(_kept["secret"])
    step = max(_kept["step"] + 1, totp.timecode(datetime.now(UTC)) - 1)
    _kept["step"] = step
    return totp.generate_otp(step)


def prove(page: Page) -> None:
    """Fill in the form that asks whether it is really the curator."""
    page.locator("[name=desk_password]").fill(PASSWORD)
    page.locator("[name=desk_code]").fill(code())
    page.get_by_role("button", name="Go on").click()


def at_the_desk(address: str = "/admin/") -> Callable[[Page], object]:
    """This page of the desk, for a curator."""

    def reach(page: Page) -> None:
        if "cookies" not in _kept:
            _make(page)
        page.context.add_cookies(_kept["cookies"])
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()

    return reach


def _make(page: Page) -> None:
    page.goto("/register")
    page.locator("#name").fill(NAME)
    page.locator("#password").fill(PASSWORD)
    page.locator("main button").click()
    page.wait_for_url("/")
    command = [sys.executable, "-m", "flask", "--app", "wsgi", "curators", "add", NAME]
    environment = os.environ | {"INSTANCE_PATH": str(_kept["instance"])}
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    _kept["secret"] = parse_qs(urlsplit(made.stdout.split()[-1]).query)["secret"][0]
    page.goto("/admin/")
    prove(page)
    expect(page.locator(".desk")).to_be_visible()
    _kept["cookies"] = page.context.cookies()
