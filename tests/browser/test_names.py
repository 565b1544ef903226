"""Names and passwords in a real browser: typed text is never executed, and all of it works by keyboard."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import CDPSession, Page, Route, expect

from tests.browser.conftest import NewPage, Site
from tests.browser.network import divert
from tests.browser.pages import named
from tests.thorough import THOROUGH
from tests.webapp.identity.test_names import PAYLOADS
from tests.webapp.visitors import PASSWORD

# Counts everything that a name could trigger, before any script of the page runs.
WATCH = """
globalThis.alarms = [];
for (const name of ["alert", "confirm", "prompt"]) globalThis[name] = () => alarms.push(name);
document.addEventListener("securitypolicyviolation", (event) => alarms.push(event.violatedDirective));
for (const name of ["htmx:config:request", "htmx:before:request"]) {
  document.addEventListener(name, () => alarms.push(name));
}
"""


def test_no_name_sets_anything_off(new_page: NewPage) -> None:
    """Payloads are sent, rejected, and shown again in their field; one with NUL before any form is read.

    Every third, so some of each kind; all with THOROUGH=1.
    """
    page = new_page(own=True)
    page.add_init_script(WATCH)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto("/register")
    tried = PAYLOADS if THOROUGH else PAYLOADS[::3]
    assert any("\0" in payload for payload in tried)
    for payload in tried:
        sendable = payload.encode("utf-8", "replace").decode()
        page.evaluate(
            """([name, password]) => {
                const form = document.querySelector("main form");
                form.noValidate = true;
                // A field of one line would drop line breaks before they are sent.
                const field = document.createElement("textarea");
                form.elements.name.replaceWith(Object.assign(field, { name: "name", value: name }));
                form.elements.password.value = password;
            }""",
            [sendable, PASSWORD],
        )
        with page.expect_navigation():
            page.evaluate("document.querySelector('main form').submit()")
        assert page.evaluate("alarms") == [], payload
        if "\0" in payload:
            expect(page.locator("main")).to_contain_text("name: remove the NUL character")
            page.goto("/register")
        else:
            expect(page.locator("#name[aria-invalid]")).to_be_visible()
    assert dialogs == []


def test_a_name_is_taken_and_given_back_by_keyboard_alone(page: Page) -> None:
    page.goto("/register")
    page.locator("#name").focus()
    page.keyboard.type("Ada of the Keys")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".who")).to_contain_text("Ada of the Keys")
    page.locator(".who").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Ada of the Keys")
    page.locator("#deletion-password").focus()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".who")).to_contain_text("Sign in")


def with_authenticator(new_page: NewPage, live: Site) -> tuple[Page, CDPSession, dict[str, Any]]:
    """Return a page with Chromium's own authenticator, its debugger, and the authenticator's id.

    At a domain name, since an IP address has no passkeys. No worker: its copy of a page renews the cookie of
    a visitor who has just signed out.
    """
    page = new_page(base_url=live.url.replace("127.0.0.1", "localhost"), service_workers="block")
    chromium = page.context.new_cdp_session(page)
    chromium.send("WebAuthn.enable")
    device = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    checks = {"hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}
    return page, chromium, chromium.send("WebAuthn.addVirtualAuthenticator", {"options": device | checks})


def test_a_passkey_is_made_and_signs_in(new_page: NewPage, live: Site) -> None:
    page, chromium, added = with_authenticator(new_page, live)
    name = named(page)
    page.goto("/account")
    page.locator("#passkey-label").fill("This laptop")
    button = page.get_by_role("button", name="Add a passkey")
    button.click()
    expect(page.get_by_role("alert").filter(has_text="Wrong password. Try again.")).to_be_visible()
    page.locator("#passkey-password").fill(PASSWORD)
    button.click()
    expect(page.get_by_role("status")).to_have_text("Passkey added.")
    expect(page.locator("#passkey-1")).to_contain_text("This laptop")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out", exact=True).first.click()
    chromium.send("WebAuthn.setAutomaticPresenceSimulation", added | {"enabled": False})
    with page.expect_request("**/login/passkey/options"):
        page.goto("/login")  # which offers it, too

    def touched(route: Route) -> None:
        """Touch the authenticator before the browser asks for it: a device that misses the touch never
        responds.
        """
        chromium.send("WebAuthn.setAutomaticPresenceSimulation", added | {"enabled": True})
        route.continue_()

    divert(page, "**/login/passkey/options", touched)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(".who")).to_contain_text(name)
    page.unroute("**/login/passkey/options")
    page.context.clear_cookies()
    chromium.send("WebAuthn.removeVirtualAuthenticator", added)
    unable = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": False}
    chromium.send("WebAuthn.addVirtualAuthenticator", {"options": unable})
    page.goto("/login")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("That didn’t work. Try again, or use your password.")


def test_a_passkey_is_offered_where_the_name_is_typed(new_page: NewPage, live: Site) -> None:
    page, _chromium, _added = with_authenticator(new_page, live)
    name = named(page)
    page.goto("/account")
    page.locator("#passkey-password").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status")).to_have_text("Passkey added.")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.goto("/login")  # its authenticator picks the first offer
    expect(page.locator(".who")).to_contain_text(name)
