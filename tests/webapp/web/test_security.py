"""Headers, cookies, CSRF and methods: rules for every address, taken from the URL map."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.models import Puzzle
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.web.security import CONTENT_SECURITY_POLICY


def addresses(app: Flask, method: str) -> list[str]:
    # The desk has tests of its own: tests/webapp/curation/test_access.py.
    rules = (
        rule
        for rule in app.url_map.iter_rules()
        if method in (rule.methods or ()) and not rule.rule.startswith("/admin")
    )
    return sorted(re.sub("<[^>]+>", "x", re.sub("<int:[^>]+>", "0", rule.rule)) for rule in rules)


@pytest.fixture
def unsafe(app: Flask) -> list[str]:
    """The addresses that take a form with a token."""
    found = addresses(app, "POST")
    assert "/attempts/x/moves" in found
    return found


def test_every_document_carries_the_headers(app: Flask, guest: Visitor) -> None:
    for path in [*addresses(app, "GET"), "/nothing-here"]:
        headers = guest.get(path).headers
        assert headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Referrer-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]
        assert headers["Cache-Control"] == "no-store"
        assert "Strict-Transport-Security" not in headers


def test_static_files_are_kept_for_ever_and_sniffed_never(guest: Visitor) -> None:
    guest.get("/")
    address = str(guest.page.find("link", rel="stylesheet")["href"])
    response = guest.get(address)
    response.close()
    headers = response.headers
    assert "immutable" in headers["Cache-Control"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert "Strict-Transport-Security" not in headers


def test_static_files_keep_browsers_on_https(settings: Settings, database_url: str) -> None:
    site = create_app(replace(settings, database_url=database_url, public_url="https://ninefold.example"))
    address = site.extensions["assets"].url("style.css")
    response = site.test_client().get(address, base_url="https://ninefold.example")
    response.close()
    with site.app_context():
        db.engine.dispose()
    assert response.headers["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.parametrize("path", ["/", "/puzzles/{}", "/print?level=1"])
def test_no_page_passes_on_a_made_up_host(app: Flask, guest: Visitor, path: str) -> None:
    with app.app_context():
        number = db.session.scalars(sa.select(Puzzle.id)).first()
    assert "evil.example" not in guest.get(path.format(number), Host="evil.example").text


@pytest.mark.parametrize("host", ["192.0.2.7:8000", "[2001:db8::1]:8000", "localhost:5000"])
def test_a_page_links_to_the_machine_by_the_address_it_was_asked_at(guest: Visitor, host: str) -> None:
    assert f"Ninefold · {host}" in guest.get("/print?level=1", Host=host).text


def test_a_sign_out_clears_what_the_browser_kept(ada: Visitor) -> None:
    assert ada.post("/logout").headers["Clear-Site-Data"] == '"storage"'


def test_html_is_compressed(guest: Visitor) -> None:
    response = guest.get("/", **{"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"


def test_a_form_without_its_token_is_refused(app: Flask, unsafe: list[str]) -> None:
    for path in unsafe:
        assert app.test_client().post(path, data={"level": 1}).status_code == 400, path


def test_a_form_with_another_sessions_token_is_refused(
    guest: Visitor, other: Visitor, unsafe: list[str]
) -> None:
    guest.get("/")
    other.get("/")
    for path in unsafe:
        guest.token = other.token
        assert guest.post(path, {"level": 1}).status_code == 400, path


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
    ],
)
def test_a_form_from_another_site_is_refused_whatever_its_token(
    app: Flask, guest: Visitor, headers: dict[str, str]
) -> None:
    for path in addresses(app, "POST"):
        assert guest.post(path, {"level": 1}, **headers).status_code == 403, path


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://localhost"}])
def test_a_form_of_our_own_pages_is_taken(guest: Visitor, headers: dict[str, str]) -> None:
    assert guest.post("/attempts", {"level": 1}, **headers).status_code == 303


def test_the_wrong_method_is_refused(app: Flask, guest: Visitor) -> None:
    takes_forms = set(addresses(app, "POST"))
    for path in set(addresses(app, "GET")) - takes_forms:
        assert guest.post(path).status_code == 405, path
    for path in takes_forms - set(addresses(app, "GET")):
        assert guest.get(path).status_code == 405, path


def test_pages_vary_by_what_they_are_made_from(guest: Visitor) -> None:
    varies = guest.get("/").headers["Vary"]
    assert all(name in varies for name in ("HX-Request", "Cookie", "Accept-Language"))


def test_a_form_that_is_too_large_is_refused(guest: Visitor) -> None:
    assert guest.post("/attempts", {"grid": "." * 70_000}).status_code == 413


def test_the_cookie_without_https(guest: Visitor) -> None:
    guest.start(grid=EASY)
    cookie = guest.client.get_cookie("s")
    assert cookie is not None
    assert (cookie.http_only, cookie.secure, cookie.same_site, cookie.path) == (True, False, "Lax", "/")


def test_a_page_renews_the_cookie_and_a_move_does_not(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    assert "Set-Cookie" in guest.get(address).headers
    assert "Set-Cookie" not in guest.move(address, 1, ("digit", 0, 9)).headers


def test_the_cookie_and_the_headers_with_https(settings: Settings) -> None:
    app = create_app(replace(settings, public_url="https://ninefold.example"))
    response = app.test_client().get("/login", base_url="https://ninefold.example")
    (cookie,) = response.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-s=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "Domain" not in cookie
    assert response.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_a_forged_host_is_refused(settings: Settings) -> None:
    app = create_app(replace(settings, public_url="https://ninefold.example"))
    assert app.test_client().get("/", base_url="https://elsewhere.example").status_code == 400


def test_a_probe_that_knows_only_an_address_is_answered(settings: Settings) -> None:
    app = create_app(replace(settings, public_url="https://ninefold.example"))
    assert app.test_client().get("/healthz", base_url="http://192.0.2.7:8000").status_code == 200


def test_no_template_turns_escaping_off_or_carries_inline_code() -> None:
    root = Path(__file__).resolve().parents[3] / "templates"
    for path in root.rglob("*.html"):
        forbidden = re.search(
            r"\|\s*safe\b|Markup\(|autoescape|style=|hx-on|js:|onclick|javascript:", path.read_text()
        )
        assert forbidden is None, f"{path.name}: {forbidden}"


def test_a_page_bears_a_tag_of_its_player_and_not_the_key(guest: Visitor) -> None:
    guest.get("/")
    assert guest.page.html["data-player"] == ""
    guest.get(guest.start())
    tag = guest.page.html["data-player"]
    guest.get("/")
    assert guest.page.html["data-player"] == tag != ""
    with guest.client.session_transaction() as session:
        assert session["player"] not in guest.get("/").text


def test_a_request_is_not_sent_back(guest: Visitor) -> None:
    assert guest.client.open("/", method="TRACE").status_code == 405


def test_a_form_from_a_browser_without_cookies_gets_that_message(app: Flask) -> None:
    client = app.test_client(use_cookies=False)
    answer = client.post("/attempts", data={"level": "1"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 400
    assert "isn’t sending cookies" in answer.text
