"""Sessions: they end on the server, are listed and ended one by one, and expire."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.desk import Curator
from tests.webapp.statements import one
from tests.webapp.visitors import SetClock, Visitor
from webapp.identity import limits, sessions
from webapp.models import SignIn
from webapp.process.clock import following
from webapp.process.database import db

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


def is_signed_in(visitor: Visitor) -> bool:
    """Tell whether the account page is that of an account; a guest's has no name to change."""
    visitor.get("/account")
    return visitor.page.find("form", action="/account/name") is not None


def sign_in_elsewhere(app: Flask) -> Visitor:
    visitor = Visitor(app, address="203.0.113.77")
    visitor.client.environ_base["HTTP_USER_AGENT"] = FIREFOX
    assert visitor.sign_in().status_code == 303
    return visitor


def test_signing_out_ends_the_session_for_a_copied_cookie_too(ada: Visitor) -> None:
    thief = ada.copied(address="198.51.100.9")
    assert is_signed_in(thief)
    ada.post("/logout")
    assert not is_signed_in(thief)


def test_signing_out_here_leaves_other_devices_alone(app: Flask, ada: Visitor) -> None:
    elsewhere = sign_in_elsewhere(app)
    ada.post("/logout")
    assert is_signed_in(elsewhere)


def test_sessions_are_listed_with_device_place_and_when_they_were_seen(app: Flask, ada: Visitor) -> None:
    sign_in_elsewhere(app)
    ada.get("/account")
    lines = [" ".join(line.text.split()) for line in ada.page.select(".sessions__words")]
    assert len(lines) == 2
    assert sum("this device" in line for line in lines) == 1
    (other,) = [line for line in lines if "this device" not in line]
    assert other.startswith("Firefox, Windows")
    assert "203.0.113.0/24" in other
    assert "203.0.113.77" not in ada.page.text


def test_one_session_can_be_ended_from_another(app: Flask, ada: Visitor) -> None:
    elsewhere = sign_in_elsewhere(app)
    ada.get("/account")
    (button,) = [
        line.button["value"] for line in ada.page.select(".sessions__one") if "this device" not in line.text
    ]
    assert ada.post("/account/sessions", {"session": button}).status_code == 303
    assert not is_signed_in(elsewhere)
    assert is_signed_in(ada)


@pytest.mark.both_databases
def test_nobody_ends_the_session_of_another_player(app: Flask, ada: Visitor, other: Visitor) -> None:
    other.register("Bob")
    with app.app_context():
        keys = db.session.scalars(sa.select(SignIn.id)).all()
    for key in keys:
        if is_signed_in(other):
            other.post("/account/sessions", {"session": key})
    assert is_signed_in(ada)


@pytest.mark.both_databases
def test_all_sessions_end_at_once_for_copied_cookies_too(app: Flask, ada: Visitor) -> None:
    elsewhere, thief = sign_in_elsewhere(app), ada.copied(address="198.51.100.9")
    ada.post("/logout", {"everywhere": "1"})
    assert not any(map(is_signed_in, (ada, elsewhere, thief)))
    assert one(app, sa.select(sa.func.count()).select_from(SignIn)) == 0


def test_an_operator_ends_the_sessions_of_one_player_or_of_all(
    app: Flask, ada: Visitor, other: Visitor, guest: Visitor
) -> None:
    other.register("Bob")
    game = guest.start()
    run = app.test_cli_runner().invoke
    assert run(args=["players", "sign-out", "Ada"]).exit_code == 0
    assert (is_signed_in(ada), is_signed_in(other)) == (False, True)
    assert run(args=["players", "sign-out", "--all"]).output == "Sessions ended: 1.\n"
    assert not is_signed_in(other)
    assert guest.get(game).status_code == 200, "a guest has no other key"
    for wrong in ([], ["Ada", "--all"]):
        assert run(args=["players", "sign-out", *wrong]).exit_code == 2
    assert run(args=["players", "sign-out", "Nobody"]).exit_code == 1


def test_a_session_ends_for_good_after_180_days_of_use(ada: Visitor, clock: SetClock) -> None:
    for _ in range(8):
        clock.advance(days=20)
        assert is_signed_in(ada)
    clock.advance(days=19)
    assert is_signed_in(ada)
    clock.advance(days=1)
    assert not is_signed_in(ada)


def test_a_session_ends_after_30_days_without_a_visit(ada: Visitor, clock: SetClock) -> None:
    clock.advance(days=30)
    assert not is_signed_in(ada)


def test_a_curators_session_ends_after_12_hours(cora: Curator, clock: SetClock) -> None:
    clock.advance(hours=11, minutes=59)
    assert is_signed_in(cora)
    clock.advance(minutes=1)
    assert not is_signed_in(cora)


@pytest.mark.both_databases
def test_what_is_seen_is_noted_by_the_hour(app: Flask, ada: Visitor, clock: SetClock) -> None:
    began = clock.time
    seen = []
    for minutes in (59, 1):
        clock.advance(minutes=minutes)
        ada.get("/account")
        seen.append(one(app, sa.select(SignIn.seen_at)))
    assert seen == [began, began + timedelta(hours=1)]


@pytest.mark.both_databases
def test_ended_sessions_are_swept(app: Flask, ada: Visitor, clock: SetClock) -> None:
    del ada
    with app.app_context():
        assert sessions.sweep(clock.time + timedelta(days=29)) == 0
        assert sessions.sweep(clock.time + timedelta(days=30)) == 1


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (FIREFOX, "Firefox, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1",
            "Safari, iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36",
            "Chrome, Android",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, macOS",
        ),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)
def test_a_device_has_two_words_of_ours(agent: str, device: str) -> None:
    assert sessions.device(agent) == device


@pytest.mark.parametrize(
    ("address", "place"),
    [("203.0.113.77", "203.0.113.0/24"), ("2001:db8:1:2::3", "2001:db8:1::/48"), (None, "local")],
)
def test_a_place_is_a_range_of_addresses(address: str | None, place: str) -> None:
    assert limits.place(address) == place


@pytest.mark.both_databases
@pytest.mark.usefixtures("ada")
def test_a_session_begun_while_the_clock_was_wrong_lasts_no_longer(app: Flask, clock: SetClock) -> None:
    clock.advance(days=40)
    elsewhere = sign_in_elsewhere(app)
    clock.advance(days=-40)
    clock.advance(minutes=20)
    assert is_signed_in(elsewhere)
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.max(SignIn.created_at))) == clock()
        assert db.session.scalar(sa.select(sa.func.max(SignIn.seen_at))) == clock()


@pytest.mark.parametrize("days", [40, -40])
def test_a_clock_that_is_wrong_for_a_while_after_a_start_ends_no_session(
    app: Flask, ada: Visitor, clock: SetClock, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    began = clock.time
    monkeypatch.setitem(app.extensions, "steady", following(SetClock(began)))
    monkeypatch.setitem(app.extensions, "started", following(SetClock(began))())
    clock.advance(days=days)
    assert is_signed_in(ada) == (days < 0)
    clock.advance(days=-days)
    assert is_signed_in(ada)
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.max(SignIn.seen_at))) == began


@pytest.mark.parametrize("days", [40, -40])
def test_a_cookie_survives_a_clock_that_is_wrong(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    attempt = guest.start(level=1)
    with monkeypatch.context() as patched:
        right = time.time
        patched.setattr(time, "time", lambda: right() + days * 86_400)
        assert guest.get(attempt).status_code == 200
    assert guest.get(attempt).status_code == 200
