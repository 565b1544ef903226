"""Access to the desk, for every address: who gets in, and what writing requires."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle

import pyotp
import pytest
from flask import Flask
from sqlalchemy import select

from tests.thorough import THOROUGH
from tests.webapp.desk import Curator, appoint
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.curation import curators
from webapp.models import AuditEntry, Player
from webapp.process.database import db

METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")
WAY_IN = "/admin/sign-in"


def desk_addresses(app: Flask) -> dict[str, set[str]]:
    """Return every address under /admin with its methods, and two that don't exist."""
    found: dict[str, set[str]] = {"/admin": set(), "/admin/nothing-here": set()}
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/admin") or rule.endpoint.startswith("admin."):
            address = re.sub("<[^>]+>", "1", rule.rule)
            found.setdefault(address, set()).update(rule.methods or ())
    return found


def asked(app: Flask) -> Iterator[tuple[str, str]]:
    """Return every address with one of the methods in turn; with all of them for THOROUGH=1."""
    turns = cycle(METHODS)
    for address in sorted(desk_addresses(app)):
        for method in METHODS if THOROUGH else (next(turns), next(turns)):
            yield address, method


def refused(visitor: Visitor, app: Flask) -> None:
    """Assert that every address refuses with 403, whatever the request, even if it doesn't exist."""
    visitor.get("/")
    token = {"X-CSRFToken": visitor.token}
    for address, method in asked(app):
        response = visitor.client.open(address, method=method, headers=token)
        assert response.status_code == 403, (method, address, response.status_code)
        assert "HX-Redirect" not in response.headers


def test_it_works(cora: Curator) -> None:
    assert cora.get("/admin/").status_code == 200
    assert cora.page.find("h1") is not None


@pytest.mark.both_databases
def test_who_is_no_curator_is_refused_everywhere(
    app: Flask, guest: Visitor, ada: Visitor, cora: Curator, clock: SetClock
) -> None:
    refused(guest, app)
    guest.start()
    assert cora.get("/admin/").status_code == 200
    with app.app_context():
        curators.remove("Cora", clock.time)  # which counts at the next request
    for visitor in (guest, ada, cora):
        refused(visitor, app)


def test_a_curator_without_a_second_factor_reads_and_writes_nothing(app: Flask, clock: SetClock) -> None:
    cora = appoint(Curator(app, clock=clock))
    cora.get("/admin/sign-in")
    headers = {"X-CSRFToken": cora.token}
    for address, method in asked(app):
        if address != WAY_IN:
            response = cora.client.open(address, method=method, headers=headers)
            assert response.status_code == (303 if method in ("GET", "HEAD", "OPTIONS") else 403)
            if response.status_code == 303:
                assert response.location.startswith(WAY_IN)


def test_a_curator_comes_in_everywhere_and_a_wrong_method_is_named(app: Flask, cora: Curator) -> None:
    addresses = desk_addresses(app)
    for address, method in asked(app):
        if taken := addresses[address]:
            response = cora.client.open(address, method=method, headers={"X-CSRFToken": cora.token})
            assert (response.status_code == 405) == (method not in taken), (method, address)
            assert response.status_code != 403, (method, address)
            assert response.status_code < 500, (method, address)


@pytest.mark.usefixtures("cora")
def test_who_is_no_curator_is_offered_the_sign_in_once(guest: Visitor, ada: Visitor) -> None:
    guest.get("/admin/")
    assert guest.page.find("a", href="/login?next=/admin/") is not None
    ada.get("/admin/")
    assert ada.page.find("a", href=re.compile("^/login")) is None


def test_the_sign_in_leads_back_to_the_desk(app: Flask, clock: SetClock) -> None:
    cora = appoint(Curator(app, clock=clock))
    cora.post("/logout")
    assert cora.sign_in("Cora", next="/admin/people").location == "/admin/people"
    assert cora.get("/admin/people?page=2").location == "/admin/sign-in?next=/admin/people?page%3D2"


@pytest.mark.parametrize(
    "target", ["https://elsewhere.example/", "//elsewhere.example", "/", "/admin/sign-in", ""]
)
def test_the_proof_leads_nowhere_but_to_the_desk(cora: Curator, target: str) -> None:
    assert cora.prove(next=target).location == "/admin/"


def test_a_code_counts_once(app: Flask, clock: SetClock) -> None:
    cora = appoint(Curator(app, clock=clock))
    proof = {"desk_password": PASSWORD, "desk_code": cora.code()}
    assert cora.post(WAY_IN, proof).status_code == 303
    assert cora.post(WAY_IN, proof).status_code == 422
    clock.advance(seconds=30)
    assert cora.post(WAY_IN, proof).status_code == 422
    assert cora.post(WAY_IN, proof | {"desk_code": cora.code()}).status_code == 303


def test_an_older_code_does_not_count_after_a_newer_one(app: Flask, clock: SetClock) -> None:
    cora = appoint(Curator(app, clock=clock))
    older = cora.code()
    assert cora.post(WAY_IN, {"desk_password": PASSWORD, "desk_code": cora.code(1)}).status_code == 303
    assert cora.post(WAY_IN, {"desk_password": PASSWORD, "desk_code": older}).status_code == 422


@pytest.mark.parametrize(("steps", "status"), [(-2, 422), (-1, 303), (0, 303), (1, 303), (2, 422)])
def test_a_clock_may_be_off_by_one_step(app: Flask, clock: SetClock, steps: int, status: int) -> None:
    cora = appoint(Curator(app, clock=clock))
    proof = {"desk_password": PASSWORD, "desk_code": cora.code(steps)}
    assert cora.post(WAY_IN, proof).status_code == status


@pytest.mark.parametrize("code", ["", "000000", "12345", "1234567", "abcdef", "１２３４５６", "x" * 1000])
def test_a_bad_code_is_refused_where_it_stands(app: Flask, clock: SetClock, code: str) -> None:
    cora = appoint(Curator(app, clock=clock))
    assert cora.post(WAY_IN, {"desk_password": PASSWORD, "desk_code": code}).status_code == 422
    assert cora.page.find(id="wrong-desk_code") is not None
    assert cora.get("/admin/").status_code == 303


def test_a_code_without_the_password_is_not_used_up(app: Flask, clock: SetClock) -> None:
    cora = appoint(Curator(app, clock=clock))
    code = cora.code()
    assert cora.post(WAY_IN, {"desk_password": "not the password", "desk_code": code}).status_code == 422
    assert cora.page.find(id="wrong-desk_password") is not None
    assert cora.post(WAY_IN, {"desk_password": PASSWORD, "desk_code": code}).status_code == 303


def test_codes_are_not_guessed_for_long(app: Flask, clock: SetClock) -> None:
    cora = appoint(Curator(app, clock=clock))
    guess = {"desk_password": PASSWORD, "desk_code": "000000"}
    answers = [cora.post(WAY_IN, guess).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_one_proof_is_enough_to_read_for_a_working_day(cora: Curator, clock: SetClock) -> None:
    clock.advance(hours=11)
    assert cora.get("/admin/people").status_code == 200
    clock.advance(minutes=59)
    assert cora.get("/admin/people").status_code == 200
    clock.advance(minutes=1)
    assert cora.get("/admin/people").status_code == 403  # which ends the session too
    assert "sign in first" in cora.page.text


def test_a_proof_does_not_outlive_the_second_factor(app: Flask, cora: Curator, clock: SetClock) -> None:
    with app.app_context():
        curators.remove("Cora", clock.time)
        curators.add("Cora", clock.time)
    assert cora.get("/admin/").location == "/admin/sign-in?next=/admin/"


def test_a_proof_ends_with_the_session(cora: Curator) -> None:
    cora.post("/logout")
    cora.sign_in("Cora")
    assert cora.get("/admin/").status_code == 303


def test_the_hour_begins_again_with_every_request(cora: Curator, clock: SetClock) -> None:
    for _ in range(10):
        clock.advance(minutes=59)
        assert cora.get("/admin/people").status_code == 200
    assert cora.post("/admin/nothing-here", {"note": "x"}).status_code == 404
    assert cora.client.get("/admin/proof").status_code == 204
    for _ in range(3):  # until twelve hours have passed
        clock.advance(minutes=59)
        cora.get("/admin/people")
    assert cora.post("/admin/nothing-here", {"note": "x"}).status_code == 403


@pytest.mark.parametrize("address", ["/admin/orders", "/admin/proof"])
def test_a_page_that_asks_by_itself_keeps_the_desk_open_to_no_change(
    cora: Curator, clock: SetClock, address: str
) -> None:
    for _ in range(2):
        clock.advance(minutes=36)
        assert cora.client.get(address, headers={"HX-Request": "true", "Desk-Poll": "1"}).status_code < 404
    assert cora.post("/admin/nothing-here", {"note": "x"}).status_code == 403


def test_a_page_asks_whether_a_proof_is_needed_and_gives_it(cora: Curator, clock: SetClock) -> None:
    clock.advance(minutes=61)
    cora.get("/admin/people")
    assert cora.client.get("/admin/proof").status_code == 403
    here = {"Desk-Proof": "given"}
    wrong = {"desk_password": PASSWORD, "desk_code": "000000"}
    assert (
        cora.post(WAY_IN, wrong, **here).text
        == "Wrong code, or one you’ve already used. Wait for the next one."
    )
    assert cora.post(WAY_IN, wrong | {"desk_code": cora.code()}, **here).status_code == 204
    assert cora.client.get("/admin/proof").status_code == 204


def test_what_is_sent_after_an_hour_waits_for_a_proof(cora: Curator, clock: SetClock) -> None:
    clock.advance(minutes=59)
    assert cora.post("/admin/nothing-here", {"note": "x"}).status_code == 404
    clock.advance(minutes=61)
    cora.post("/admin/nothing-here", {"note": 'a "note"'})
    form = cora.page.find("form", action="/admin/nothing-here")
    assert form.find("input", attrs={"name": "note"})["value"] == 'a "note"'
    wrong = {"note": "x", "desk_password": PASSWORD, "desk_code": "000000"}
    assert cora.post("/admin/nothing-here", wrong).status_code == 422
    right = wrong | {"desk_code": cora.code()}
    assert cora.post("/admin/nothing-here", right).status_code == 404  # access was granted
    assert cora.post("/admin/nothing-here").status_code == 404


def test_htmx_is_led_to_the_form_and_back(cora: Curator, clock: SetClock) -> None:
    clock.advance(minutes=61)
    page = {"HX-Current-URL": "http://localhost/admin/?level=3"}
    response = cora.post("/admin/nothing-here", htmx=True, **page)
    assert (response.status_code, response.text) == (403, "")
    assert response.headers["Desk-Proof"] == "asked"
    assert response.headers["HX-Redirect"] == "/admin/sign-in?next=/admin/?level%3D3"


@pytest.mark.both_databases
def test_curators_are_made_on_the_command_line_only(app: Flask, ada: Visitor) -> None:
    ada.post("/account/name", {"name": "Ada", "curator": "1", "role": "administrator"})
    ada.post("/register", {"name": "Ada", "curator": "1", "role": "administrator"})
    with app.app_context():
        assert not db.session.scalars(select(Player.curator)).one()


def test_a_site_without_an_administrator_says_on_its_own_machine_how_to_make_one(
    guest: Visitor, request: pytest.FixtureRequest
) -> None:
    assert "flask curators add NAME" in guest.get("/admin/").text
    away = guest.client.get("/admin/", environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert (away.status_code, "flask curators" in away.text) == (403, False)
    request.getfixturevalue("cora")
    assert "flask curators add NAME" not in guest.get("/admin/").text


def test_curators_have_a_link_to_the_desk(cora: Curator, ada: Visitor) -> None:
    for visitor, links in ((cora, 1), (ada, 0)):
        visitor.get("/")
        assert len(visitor.page.select('header a[href="/admin/"]')) == links


@pytest.mark.both_databases
@pytest.mark.usefixtures("ada")
def test_the_command_line_adds_lists_and_removes(app: Flask) -> None:
    run = app.test_cli_runner().invoke
    added = run(args=["curators", "add", "ada"])
    assert added.exit_code == 0
    address = next(line for line in added.output.splitlines() if line.startswith("otpauth:"))
    assert pyotp.parse_uri(address).name == "Ada"
    assert "█" in added.output  # a QR code
    assert run(args=["curators", "list"]).output == "Ada (administrator)\n"
    again = run(args=["curators", "add", "Ada"])
    assert (again.exit_code, "already" in again.output) == (1, True)
    assert run(args=["curators", "remove", "Ada"]).exit_code == 0
    assert run(args=["curators", "remove", "Ada"]).exit_code == 1
    assert run(args=["curators", "list"]).output == ""
    assert run(args=["curators", "add", "Ada", "--role", "editor"]).exit_code == 0
    assert run(args=["curators", "list"]).output == "Ada (editor)\n"
    with app.app_context():
        entries = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
        actions = [(entry.action, entry.curator_name) for entry in entries]
    assert actions == [(action, "Ninefold") for action in ("add", "renew", "remove", "add", "renew")]


@pytest.mark.both_databases
def test_a_recovery_code_opens_the_desk_once(cora: Curator) -> None:
    assert cora.post("/admin/settings/codes").status_code == 200
    codes = cora.page.find(id="codes").text.split()
    assert len(set(codes)) == 10
    for code, status in ((codes[0], 303), (codes[0], 422), (codes[1].replace("-", " "), 303)):
        cora.post("/logout")
        cora.sign_in("Cora")
        assert cora.post(WAY_IN, {"desk_password": PASSWORD, "desk_code": code}).status_code == status
    cora.get("/admin/settings")
    assert "You have 8 codes left." in cora.page.text
    cora.get("/admin/people")
    assert "use a recovery code" in cora.page.select_one(".log").text


def test_new_recovery_codes_end_the_older_ones_and_need_the_password(app: Flask, cora: Curator) -> None:
    run = app.test_cli_runner().invoke
    older, newer = (run(args=["curators", "codes", "Cora"]).output.splitlines()[1] for _ in range(2))
    cora.post("/logout")
    cora.sign_in("Cora")
    for password, code, status in ((PASSWORD, older, 422), ("wrong", newer, 422), (PASSWORD, newer, 303)):
        assert cora.post(WAY_IN, {"desk_password": password, "desk_code": code}).status_code == status


def test_the_secret_is_shown_nowhere_else(cora: Curator) -> None:
    for address in ("/admin/", "/admin/people", "/account", "/account/export"):
        assert cora.secret not in cora.get(address).text


def test_the_session_holds_no_secret(cora: Curator) -> None:
    with cora.client.session_transaction() as session:
        assert "desk" in session
        assert cora.secret not in str(dict(session))


@pytest.mark.both_databases
def test_a_code_used_while_the_clock_was_wrong_locks_nobody_out(cora: Curator, clock: SetClock) -> None:
    clock.advance(days=40)
    cora.sign_in("Cora")
    assert cora.prove().status_code == 303
    clock.advance(days=-40)
    cora.sign_in("Cora")
    assert cora.prove().status_code == 303
