"""Passkeys: added, listed and removed with the password, and valid for signing in."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.authenticator import Authenticator
from tests.webapp.desk import Curator, entries
from tests.webapp.people.test_sessions import is_signed_in, sign_in_elsewhere
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.models import Passkey
from webapp.people import ceremonies
from webapp.process.database import db


def add(visitor: Visitor, key: Authenticator, label: str = "Phone") -> TestResponse:
    """Add this passkey to the visitor's account."""
    fields = {"label": label, "current": PASSWORD}
    options = visitor.post("/account/passkeys/options", fields)
    assert options.status_code == 200, options.text
    return visitor.post("/account/passkeys", {**fields, "credential": key.create(options.text)})


def sign_in(visitor: Visitor, key: Authenticator, **more: str) -> TestResponse:
    """Sign in with this passkey."""
    options = visitor.post("/login/passkey/options")
    assert options.status_code == 200
    return visitor.post("/login/passkey", {"credential": key.get(options.text), **more})


@pytest.fixture
def key(ada: Visitor) -> Authenticator:
    """Ada's passkey."""
    key = Authenticator()
    assert add(ada, key).location == "/account?done=passkey"
    return key


def test_it_works(ada: Visitor, key: Authenticator, other: Visitor, clock: SetClock) -> None:
    clock.advance(days=1)
    assert sign_in(other, key, next="/daily").location == "/daily"
    assert is_signed_in(other)
    listed = " ".join(other.page.find(id="passkey-1").text.split())
    assert listed.startswith("PhoneAdded ")
    assert "Last used" in listed
    assert is_signed_in(ada)


def test_a_passkey_that_counts_no_uses_works_again_and_again(ada: Visitor, app: Flask) -> None:
    key = Authenticator(counts=False)
    add(ada, key)
    for _ in range(2):
        assert sign_in(Visitor(app), key).status_code == 303


def test_a_guests_games_move_to_the_account(key: Authenticator, other: Visitor) -> None:
    game = other.start(level=1)
    assert sign_in(other, key).status_code == 303
    assert other.get(game).status_code == 200


def test_no_credential_says_who_the_player_is_to_others(ada: Visitor) -> None:
    """Authenticators store the handle in the clear; the player's key opens a guest's games."""
    options = json.loads(ada.post("/account/passkeys/options", {"label": "x", "current": PASSWORD}).text)
    with ada.client.session_transaction() as session:
        assert session["player"] not in json.dumps(options)
    assert options["attestation"] == "none"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"


def test_adding_one_needs_the_password_and_a_name_for_it(app: Flask, ada: Visitor) -> None:
    wrong = ada.post("/account/passkeys/options", {"label": "Phone", "current": "not my password at all"})
    assert (wrong.status_code, wrong.text) == (422, "Wrong password. Try again.")
    nameless = ada.post("/account/passkeys/options", {"label": " ", "current": PASSWORD})
    assert (nameless.status_code, nameless.mimetype) == (422, "text/plain")
    with app.app_context():
        assert db.session.scalars(sa.select(Passkey)).all() == []


def test_a_reply_to_another_question_adds_nothing(app: Flask, ada: Visitor) -> None:
    """Without the password no challenge to add one is issued, and one to sign in does not work."""
    options = json.loads(ada.post("/login/passkey/options").text)
    fields = {"challenge": options["challenge"], "user": {"id": "AAAA"}, "rp": {"id": "localhost"}}
    refused = ada.post(
        "/account/passkeys", {"label": "x", "credential": Authenticator().create(json.dumps(fields))}
    )
    assert refused.status_code == 422
    with app.app_context():
        assert db.session.scalars(sa.select(Passkey)).all() == []


FORGERIES = {
    "of another site": {"origin": "http://localhost.example.org"},
    "of nobody in particular": {"verifies": False},
    "with another key": {"key": Authenticator().key},
    "for another player": {"handle": b"0123456789abcdef"},
    "of an unknown passkey": {"id": b"?" * 32},
    "of a copy that has counted less": {"uses": -1},
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_reply_signs_nobody_in(
    key: Authenticator, other: Visitor, forgery: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    key.uses = 5
    assert sign_in(Visitor(other.app), key).status_code == 303
    changes = dict(FORGERIES[forgery])
    changes["uses"] = changes.get("uses", 0) + key.uses
    answer = sign_in(other, replace(key, **changes))
    assert answer.status_code == 422
    assert "We couldn’t check that passkey" in other.page.find(role="alert").text
    assert not is_signed_in(other)
    assert "sign-in refused" in caplog.text


@pytest.mark.parametrize(
    "credential", ["", "{}", "[]", "null", '{"id": 3}', '{"id": "AAAA", "response": 1}', "[" * 9999]
)
def test_a_reply_that_is_none_is_refused(key: Authenticator, other: Visitor, credential: str) -> None:
    del key
    other.post("/login/passkey/options")
    assert other.post("/login/passkey", {"credential": credential}).status_code == 422


def cookies(visitor: Visitor) -> dict[str, str]:
    """Return the visitor's session cookie, and that of the challenge."""
    found = {name: visitor.client.get_cookie(name) for name in ("s", "passkey")}
    return {name: cookie.value for name, cookie in found.items() if cookie is not None}


def test_a_challenge_is_answered_once_even_with_the_cookies_of_before(key: Authenticator, app: Flask) -> None:
    key.counts = False
    visitor = Visitor(app)
    options = visitor.post("/login/passkey/options")
    before = cookies(visitor)
    reply, token = key.get(options.text), visitor.token
    assert visitor.post("/login/passkey", {"credential": reply}).status_code == 303
    again = Visitor(app, token=token)
    for name, value in before.items():
        again.client.set_cookie(name, value)
    assert again.post("/login/passkey", {"credential": reply}).status_code == 422
    assert "We couldn’t check that passkey" in again.page.find(role="alert").text


def test_a_late_answer_to_another_request_takes_no_challenge_away(key: Authenticator, other: Visitor) -> None:
    other.get("/login")
    asked_before = cookies(other)["s"]
    options = other.post("/login/passkey/options")
    other.client.set_cookie("s", asked_before)  # set by a page that was loading meanwhile
    assert other.post("/login/passkey", {"credential": key.get(options.text)}).status_code == 303


def test_the_cookie_of_a_challenge_is_for_the_server_alone_and_short(other: Visitor) -> None:
    other.post("/login/passkey/options")
    cookie = other.client.get_cookie("passkey")
    assert cookie is not None
    assert (cookie.http_only, cookie.secure, cookie.same_site, cookie.path) == (True, False, "Lax", "/")
    assert cookie.max_age == 300


def test_a_challenge_to_add_one_ends_with_the_session(app: Flask, ada: Visitor) -> None:
    fields = {"label": "Phone", "current": PASSWORD}
    options = ada.post("/account/passkeys/options", fields)
    ada.post("/logout")
    ada.sign_in()
    reply = Authenticator().create(options.text)
    assert ada.post("/account/passkeys", {**fields, "credential": reply}).status_code == 422
    with app.app_context():
        assert db.session.scalars(sa.select(Passkey)).all() == []


def test_a_challenge_ends_after_five_minutes(key: Authenticator, other: Visitor, clock: SetClock) -> None:
    options = other.post("/login/passkey/options")
    clock.advance(minutes=5)
    assert other.post("/login/passkey", {"credential": key.get(options.text)}).status_code == 422
    assert "too long" in other.page.find(role="alert").text


def test_wrong_replies_are_limited_by_address_and_lock_nobody_out(
    key: Authenticator, app: Flask, other: Visitor
) -> None:
    wrong = replace(key, key=Authenticator().key)
    codes = [sign_in(other, wrong).status_code for _ in range(151)]
    assert codes == [422] * 150 + [429]
    assert sign_in(Visitor(app, address="203.0.113.8"), replace(key, uses=99)).status_code == 303


def rename(visitor: Visitor, number: str, label: str) -> TestResponse:
    return visitor.post("/account/passkeys/name", {"passkey": number, "label": label})


def number_of(visitor: Visitor) -> str:
    visitor.get("/account")
    return str(visitor.page.find("button", attrs={"name": "passkey"})["value"])


def test_one_gets_another_name(ada: Visitor, key: Authenticator, other: Visitor) -> None:
    number = number_of(ada)
    renamed = rename(ada, number, "  Kitchen   tablet ")
    assert renamed.location == "/account?done=name"
    ada.get("/account")
    assert "Kitchen tablet" in ada.page.find(id="passkey-1").text
    assert sign_in(other, key).status_code == 303


def test_a_name_that_is_none_is_refused_beside_the_passkey(ada: Visitor, key: Authenticator) -> None:
    del key
    number = number_of(ada)
    assert rename(ada, number, " ").status_code == 422
    assert "1 to 40 characters" in ada.page.find(id=f"wrong-passkey-name-{number}").text
    assert rename(ada, "none", "Phone").status_code == 303


def test_nobody_renames_the_passkey_of_another(ada: Visitor, key: Authenticator, other: Visitor) -> None:
    del key
    other.register("Bob")
    rename(other, number_of(ada), "Mine")
    ada.get("/account")
    assert "Mine" not in ada.page.find(id="passkey-1").text


def test_removing_one_needs_the_password_and_signs_other_devices_out(
    app: Flask, ada: Visitor, key: Authenticator
) -> None:
    elsewhere = sign_in_elsewhere(app)
    number = number_of(ada)
    refused = ada.post("/account/passkeys/removal", {"passkey": number, "current": "not my password"})
    assert refused.status_code == 422
    assert ada.page.find(id="wrong-passkey-removal").text == "Wrong password. Try again."
    gone = ada.post("/account/passkeys/removal", {"passkey": number, "current": PASSWORD})
    assert gone.location == "/account?done=no-passkey"
    assert is_signed_in(ada)
    assert not is_signed_in(elsewhere)
    assert sign_in(Visitor(app), key).status_code == 422


def test_nobody_removes_the_passkey_of_another(
    app: Flask, ada: Visitor, key: Authenticator, other: Visitor
) -> None:
    other.register("Bob")
    number = number_of(ada)
    other.post("/account/passkeys/removal", {"passkey": number, "current": PASSWORD})
    assert sign_in(Visitor(app), key).status_code == 303


def test_a_player_has_at_most_twenty(ada: Visitor) -> None:
    codes = [add(ada, Authenticator(), f"Key {number}").status_code for number in range(21)]
    assert codes == [303] * 20 + [422]


def test_export_and_deletion_hold_passkeys(app: Flask, ada: Visitor, key: Authenticator) -> None:
    del key
    (passkey,) = json.loads(ada.get("/account/export").text)["passkeys"]
    assert passkey["name"] == "Phone"
    assert ada.post("/account/deletion", {"sure": "1", "password": PASSWORD}).status_code == 303
    with app.app_context():
        assert db.session.scalars(sa.select(Passkey)).all() == []


def test_what_opens_the_desk_is_in_the_audit_log(app: Flask, cora: Curator) -> None:
    add(cora, Authenticator(), "Blue key")
    cora.get("/account")
    number = cora.page.find("button", attrs={"name": "passkey"})["value"]
    cora.post("/account/passkeys/removal", {"passkey": number, "current": PASSWORD})
    kept = [(entry.action, entry.before, entry.after) for entry in entries(app, "player")]
    value = '{"passkey": "Blue key"}'
    assert kept == [("add passkey", None, value), ("remove passkey", value, None)]


def test_at_a_bare_address_there_are_none(app: Flask, ada: Visitor) -> None:
    base = {"base_url": "http://127.0.0.1:8000"}
    with app.test_request_context("/login", **base):
        assert ceremonies.party() is None
    assert "passkey" not in app.test_client().get("/login", **base).text
    with app.test_request_context("/login", base_url="http://ninefold.example:8000"):
        party = ceremonies.party()
    assert party is not None
    assert (party.id, party.origins) == (
        "ninefold.example",
        ("https://ninefold.example:8000", "http://ninefold.example:8000"),
    )
    ada.get("/login")
    assert ada.page.find(attrs={"data-behaviour": "passkey"}).has_attr("hidden")
