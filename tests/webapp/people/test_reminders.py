"""Daily reminders: opt-in, at most one a day, only while nothing is solved, ended with one click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import solution_of
from tests.webapp.people.test_recovery import ADDRESS, post, reachable
from tests.webapp.solves import add_daily
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.models import Player
from webapp.people import reminders
from webapp.people.reminder_mail import mail_of
from webapp.process.database import db, write_tx

__all__ = ["post", "reachable"]  # fixtures


@pytest.fixture(autouse=True)
def mails(app: Flask) -> Iterator[None]:
    """Mail is enabled, without a server."""
    before = app.extensions["settings"]
    app.extensions["settings"] = replace(before, mail_url=None)
    yield
    app.extensions["settings"] = before


def can_mail(app: Flask) -> None:
    settings = app.extensions["settings"]
    app.extensions["settings"] = replace(settings, mail_url="smtp://127.0.0.1:1/?from=site@example.org")


def remind(visitor: Visitor, hour: object = 18, zone: str = "UTC") -> str:
    response = visitor.post("/account/reminder", {"hour": hour, "zone": zone})
    assert response.status_code == 303, response.text
    return response.location


def due(app: Flask, at: datetime) -> list[str]:
    """Return the addresses that get a mail at this moment."""
    with app.app_context():
        return [reminder.to for reminder in reminders.due(at)]


def on(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


def token(app: Flask, at: datetime) -> str:
    with app.app_context():
        return next(reminders.due(at)).token


def test_it_works(app: Flask, reachable: Visitor) -> None:
    assert remind(reachable) == "/account?done=reminder"
    assert due(app, on(1, 17, 59)) == []
    assert due(app, on(1, 18)) == [ADDRESS]
    assert due(app, on(1, 18, 5)) == [], "one a day"
    assert due(app, on(2, 20)) == [ADDRESS], "late rather than never"


def test_the_hour_is_that_of_the_players_time_zone(app: Flask, reachable: Visitor) -> None:
    remind(reachable, 18, "America/New_York")
    assert due(app, on(1, 22, 59)) == []
    assert due(app, on(1, 23)) == [ADDRESS]
    assert due(app, on(8, 21, 59)) == []
    assert due(app, on(8, 22)) == [ADDRESS], "summer time has begun"


@pytest.mark.both_databases
def test_an_hour_that_has_passed_begins_tomorrow(app: Flask, reachable: Visitor) -> None:
    remind(reachable, 9)
    assert due(app, on(1, 9, 5)) == []
    assert due(app, on(2, 9)) == [ADDRESS]


@pytest.mark.both_databases
def test_who_has_solved_a_daily_of_the_day_is_not_reminded(
    app: Flask, reachable: Visitor, clock: SetClock
) -> None:
    remind(reachable)
    with app.app_context():
        add_daily()
    game = reachable.start(daily="2026-03-01", level=2)
    assert due(app, on(1, 18)) == [ADDRESS], "started is not solved"
    reachable.get(game)
    givens = reachable.givens
    clock.time = on(2, 1)
    reachable.move(game, 1, *solving_moves(givens, solution_of(givens)))
    assert due(app, on(2, 18)) == [ADDRESS], "that was the day before"
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Player).values(reminded_on=None))
    assert due(app, on(1, 18)) == []


def test_dailies_that_open_after_the_hour_bring_no_mail_to_who_had_solved_by_then(
    app: Flask, reachable: Visitor, clock: SetClock
) -> None:
    remind(reachable, 9, "America/New_York")
    with app.app_context():
        add_daily()
    game = reachable.start(daily="2026-03-01", level=2)
    reachable.get(game)
    givens = reachable.givens
    clock.advance(minutes=10)
    reachable.move(game, 1, *solving_moves(givens, solution_of(givens)))
    assert due(app, on(1, 14)) == []
    assert due(app, on(2, 0)) == [], "seven in the evening there"
    assert due(app, on(2, 14)) == [ADDRESS]


@pytest.mark.both_databases
def test_a_zone_that_this_machine_does_not_know_keeps_nobody_from_their_mail(
    app: Flask, reachable: Visitor
) -> None:
    remind(reachable)
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Player).values(time_zone="Atlantis/Poseidonis"))
    assert due(app, on(1, 18)) == [ADDRESS]


def test_two_workers_send_one_mail(app: Flask, reachable: Visitor) -> None:
    remind(reachable)
    with app.app_context():
        one, two = reminders.due(on(1, 18)), reminders.due(on(1, 18))
        assert [len(list(one)), len(list(two))] == [1, 0]


def test_reminders_end_with_the_address(app: Flask, reachable: Visitor) -> None:
    remind(reachable)
    reachable.post("/account/email", {"email": "", "password": "four seals by the harbour"})
    assert due(app, on(1, 18)) == []


def test_the_mail_has_a_link_and_headers_that_end_the_reminders(app: Flask, reachable: Visitor) -> None:
    remind(reachable)
    with app.app_context():
        mail = mail_of(next(reminders.due(on(1, 18))))
    links = re.findall(r"http://\S+", mail.text)
    assert [link.split("/")[3] for link in links] == ["daily", "reminders"]
    assert dict(mail.headers) == {
        "List-Unsubscribe": f"<{links[1]}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


@pytest.mark.both_databases
def test_a_mail_program_ends_them_with_one_post(app: Flask, reachable: Visitor) -> None:
    remind(reachable)
    address = f"/reminders/{token(app, on(1, 18))}"
    response = app.test_client().post(address, data={"List-Unsubscribe": "One-Click"})
    assert response.status_code == 204, "mail programs follow no redirect"
    assert due(app, on(2, 18)) == []


def test_following_the_link_changes_nothing_until_the_button_is_pressed(
    app: Flask, reachable: Visitor, other: Visitor
) -> None:
    remind(reachable)
    address = f"/reminders/{token(app, on(1, 18))}"
    other.get(address)
    assert other.page.find("button", string="Turn off reminders")
    assert due(app, on(2, 18)) == [ADDRESS]
    other.post(address)
    assert "Reminders are off" in other.get(address).text


def test_a_made_up_link_is_not_found(guest: Visitor) -> None:
    assert guest.get("/reminders/made-up").status_code == 404
    assert guest.post("/reminders/made-up").status_code == 404


@pytest.mark.parametrize(("hour", "zone"), [(24, "UTC"), (-1, "UTC"), ("noon", "UTC"), (9, "Mars/Olympus")])
def test_what_is_not_on_the_lists_is_refused(reachable: Visitor, hour: object, zone: str) -> None:
    response = reachable.post("/account/reminder", {"hour": hour, "zone": zone})
    assert response.status_code == 422


def test_only_a_confirmed_address_is_reminded(ada: Visitor) -> None:
    assert ada.post("/account/reminder", {"hour": 9, "zone": "UTC"}).status_code == 422


def test_a_guest_has_to_sign_in(guest: Visitor) -> None:
    assert guest.post("/account/reminder", {"hour": 9}).location.startswith("/login")


def test_reminders_are_turned_off_again(app: Flask, reachable: Visitor) -> None:
    remind(reachable)
    assert remind(reachable, "") == "/account?done=no-reminder"
    assert due(app, on(1, 18)) == []


def test_they_are_offered_only_where_mail_can_be_sent(app: Flask, reachable: Visitor) -> None:
    reachable.get("/account")
    assert reachable.page.find(id="reminder-hour") is None
    can_mail(app)
    reachable.get("/account")
    assert len(reachable.page.find(id="reminder-hour").find_all("option")) == 25
    assert reachable.page.find(id="reminder-zone").find("option", selected=True).text == "UTC"
