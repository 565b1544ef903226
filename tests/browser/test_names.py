"""Names and passwords in a real browser: typed text is never executed, and all of it works by keyboard."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

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


def test_it_all_works_without_javascript(new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    name = "Ada of the Forms"
    page.goto("/register")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.locator(".who")).to_contain_text(name)
    page.goto("/account")
    page.get_by_label("Show my name").check()
    page.get_by_label("Hide my name").check()
    page.locator("form[action='/account/listing']").get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("setting saved")
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.goto("/login")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.locator(".who")).to_contain_text(name)


def at_a_domain(new_page: NewPage, live: Site) -> Page:
    """Return a page at a domain name. No worker: its copy of a page renews the cookie of a visitor who has
    just signed out.
    """
    return new_page(base_url=live.url.replace("127.0.0.1", "localhost"), service_workers="block")


def test_a_passkey_is_made_and_signs_in(new_page: NewPage, live: Site) -> None:
    """With Chromium's own authenticator; with a domain name, since an IP address has no passkeys."""
    page = at_a_domain(new_page, live)
    chromium = page.context.new_cdp_session(page)
    chromium.send("WebAuthn.enable")
    device = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    checks = {"hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}
    added = chromium.send("WebAuthn.addVirtualAuthenticator", {"options": device | checks})
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
    touch = {"authenticatorId": added["authenticatorId"]}
    chromium.send("WebAuthn.setAutomaticPresenceSimulation", touch | {"enabled": False})
    with page.expect_request("**/login/passkey/options"):
        page.goto("/login")  # which offers it, too

    def touched(route: Route) -> None:
        """Touch the authenticator before the browser asks for it: a device that misses the touch never
        responds.
        """
        chromium.send("WebAuthn.setAutomaticPresenceSimulation", touch | {"enabled": True})
        route.continue_()

    divert(page, "**/login/passkey/options", touched)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(".who")).to_contain_text(name)
    page.unroute("**/login/passkey/options")
    page.context.clear_cookies()
    chromium.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": added["authenticatorId"]})
    unable = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": False}
    chromium.send("WebAuthn.addVirtualAuthenticator", {"options": unable})
    page.goto("/login")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("That didn’t work. Try again, or use your password.")


def test_a_passkey_is_offered_where_the_name_is_typed(new_page: NewPage, live: Site) -> None:
    page = at_a_domain(new_page, live)
    chromium = page.context.new_cdp_session(page)
    chromium.send("WebAuthn.enable")
    device = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    checks = {"hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}
    chromium.send("WebAuthn.addVirtualAuthenticator", {"options": device | checks})
    name = named(page)
    page.goto("/account")
    page.locator("#passkey-password").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status")).to_have_text("Passkey added.")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.goto("/login")  # its authenticator picks the first offer
    expect(page.locator(".who")).to_contain_text(name)


def test_no_page_of_players_is_wider_than_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 360, "height": 640})
    name = named(page)
    for path in ("/account", f"/players/{name}", "/login"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
