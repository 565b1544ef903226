"""Names and passwords in a real browser: typed text is never executed, and all of it works by keyboard."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
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

    Every fifth, so some of each kind; all with THOROUGH=1.
    """
    page = new_page(own=True)
    page.add_init_script(WATCH)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto("/register")
    tried = PAYLOADS if THOROUGH else PAYLOADS[::5]
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
