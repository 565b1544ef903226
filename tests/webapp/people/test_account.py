"""The account page: name, listing, password, data, deletion. Access, bad input, what remains."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.desk import entries
from tests.webapp.people.test_accounts import players, solve
from tests.webapp.solves import add_points
from tests.webapp.statements import one
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.competition.groups.tables import Group, Membership
from webapp.identity import audit
from webapp.models import Attempt, Move, Player, Puzzle
from webapp.process.database import db, write_tx

NEW = "five boats on the shore"
RENAMED = EASY.translate(str.maketrans("17", "71"))  # a puzzle that only its player has entered
FORMS = {
    "name": {"name": "Grace"},
    "password": {"current": PASSWORD, "password": NEW},
    "listing": {"listing": "none"},
    "deletion": {"sure": "1", "password": PASSWORD},
}


def test_it_works(ada: Visitor) -> None:
    response = ada.get("/account")
    assert response.status_code == 200
    assert ada.page.find("h1").text == "Ada"
    assert {form.get("action") for form in ada.page.find_all("form")} >= {
        f"/account/{form}" for form in FORMS
    }


def test_a_guest_is_offered_a_name_and_the_same_rights_to_the_data(guest: Visitor) -> None:
    guest.start()
    guest.get("/account")
    actions = {form.get("action") for form in guest.page.find_all("form")}
    assert {"/register", "/account/deletion"} <= actions
    assert guest.page.find("a", href="/account/export") is not None


def test_nobody_is_sent_to_the_sign_in_and_back(guest: Visitor) -> None:
    for path in ("/account", "/account/export"):
        assert guest.get(path).location == f"/login?next={path}"
    for form, fields in FORMS.items():
        assert guest.post(f"/account/{form}", fields).location == "/login"


@pytest.mark.parametrize("form", ["name", "password", "listing"])
def test_a_guest_has_nothing_to_change(app: Flask, guest: Visitor, form: str) -> None:
    guest.start()
    assert guest.post(f"/account/{form}", FORMS[form]).location == "/login"
    (player,) = players(app).values()
    assert (player.name, player.password_hash, player.listing) == (None, None, "named")


class TestName:
    def test_it_works(self, app: Flask, ada: Visitor, other: Visitor) -> None:
        assert ada.post("/account/name", {"name": "Grace"}).location == "/account?done=name"
        ada.get("/account?done=name")
        assert ada.page.find("h1").text == "Grace"
        assert "Name changed" in ada.page.find(role="status").text
        assert other.sign_in("Grace").status_code == 303
        assert Visitor(app).register("Ada").status_code == 303  # the old one is free

    def test_ones_own_name_may_be_written_anew(self, ada: Visitor) -> None:
        assert ada.post("/account/name", {"name": "ADA"}).status_code == 303

    @pytest.mark.parametrize("name", ["", "a", "<b>bold</b>", "bob", "B0B", "admin", "x" * 5000])
    def test_what_cannot_be_is_said(self, app: Flask, ada: Visitor, other: Visitor, name: str) -> None:
        other.register("Bob")
        assert ada.post("/account/name", {"name": name}).status_code == 422
        assert ada.page.find("input", attrs={"name": "name", "aria-invalid": "true"}) is not None
        assert set(players(app)) == {"Ada", "Bob"}

    @pytest.mark.both_databases
    def test_five_times_a_day(self, ada: Visitor) -> None:
        answers = [ada.post("/account/name", {"name": f"Ada {turn}"}).status_code for turn in range(7)]
        assert answers == [303] * 5 + [429] * 2


class TestPassword:
    def test_it_works_and_ends_every_other_session(self, ada: Visitor, other: Visitor) -> None:
        other.sign_in("Ada")
        copy = ada.copied()
        assert ada.post("/account/password", FORMS["password"]).location == "/account?done=password"
        assert ada.get("/account").status_code == 200
        for visitor in (other, copy):
            assert visitor.get("/account").status_code == 303
        assert other.sign_in("Ada").status_code == 422
        assert other.sign_in("Ada", NEW).status_code == 303

    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"current": "not this one", "password": NEW}, "current"),
            ({"current": "", "password": NEW}, "current"),
            ({"password": NEW}, "current"),
            ({"current": PASSWORD, "password": "password1234"}, "password"),
            ({"current": PASSWORD}, "password"),
            ({}, "password"),
        ],
    )
    def test_what_cannot_be_is_said(
        self, app: Flask, ada: Visitor, fields: dict[str, str], wrong: str
    ) -> None:
        before = players(app)["Ada"]
        assert ada.post("/account/password", fields).status_code == 422
        assert ada.page.find("input", attrs={"name": wrong, "aria-invalid": "true"}) is not None
        after = players(app)["Ada"]
        assert (after.password_hash, after.epoch) == (before.password_hash, before.epoch)

    def test_an_intruder_at_an_open_browser_has_twenty_guesses(self, ada: Visitor) -> None:
        wrong = {"current": "guess after guess", "password": NEW}
        answers = [ada.post("/account/password", wrong).status_code for _ in range(22)]
        assert answers == [422] * 20 + [429] * 2


class TestListing:
    @pytest.mark.parametrize("listing", ["named", "anonymous", "none"])
    def test_it_works(self, app: Flask, ada: Visitor, listing: str) -> None:
        assert ada.post("/account/listing", {"listing": listing}).location == "/account?done=listing"
        assert players(app)["Ada"].listing == listing
        ada.get("/account")
        assert ada.page.find("input", checked=True, attrs={"name": "listing"})["value"] == listing

    @pytest.mark.parametrize("fields", [{}, {"listing": ""}, {"listing": "NAMED"}, {"listing": "x" * 500}])
    def test_what_cannot_be_is_said(self, app: Flask, ada: Visitor, fields: dict[str, str]) -> None:
        assert ada.post("/account/listing", fields).status_code == 422
        assert players(app)["Ada"].listing == "named"


class TestExport:
    def test_it_holds_everything_and_nothing_of_others(
        self, app: Flask, ada: Visitor, other: Visitor, clock: SetClock
    ) -> None:
        solve(ada, clock)
        ada.start(level=2)
        theirs = other.start(level=3).rpartition("/")[2]
        response = ada.get("/account/export")
        assert "attachment" in response.headers["Content-Disposition"]
        data: dict[str, Any] = json.loads(response.text)
        assert (data["format"], data["player"]["name"], data["player"]["listing"]) == (
            "ninefold-export",
            "Ada",
            "named",
        )
        assert [attempt["level"] for attempt in data["attempts"]] == [1, 2]
        moves = one(app, sa.select(sa.func.count()).select_from(Move))
        assert len(data["attempts"][0]["moves"]) == moves
        assert theirs not in response.text

    @pytest.mark.both_databases
    @pytest.mark.parametrize("secret", ["argon2", "password_hash", '"key"', "epoch"])
    def test_it_holds_no_secret(self, ada: Visitor, secret: str) -> None:
        assert secret not in ada.get("/account/export").text

    @pytest.mark.both_databases
    def test_a_guest_without_a_finished_game_gets_one_too(self, guest: Visitor) -> None:
        guest.start()
        data = json.loads(guest.get("/account/export").text)
        assert (data["player"]["name"], len(data["attempts"]), data["attempts"][0]["moves"]) == (None, 1, [])

    def test_ten_an_hour(self, ada: Visitor) -> None:
        answers = [ada.get("/account/export").status_code for _ in range(12)]
        assert answers == [200] * 10 + [429] * 2


class TestDeletion:
    @staticmethod
    def rows(app: Flask) -> dict[str, int]:
        with app.app_context():
            return {
                table.name: db.session.scalar(sa.select(sa.func.count()).select_from(table)) or 0
                for table in db.metadata.sorted_tables
                if table.name not in ("puzzle", "bucket")
            }

    @pytest.mark.both_databases
    def test_it_leaves_no_row_behind(self, app: Flask, ada: Visitor, clock: SetClock) -> None:
        address = solve(ada, clock)
        ada.start(grid=RENAMED)
        number = players(app)["Ada"].id
        with app.app_context(), write_tx():
            group = Group(name="Ours", owner_id=number, created_at=clock())
            db.session.add(group)
            db.session.flush()
            db.session.add(Membership(group_id=group.id, player_id=number, joined_at=clock()))
            add_points(number, "week", clock().date(), 1, 1)
            number_of_solve = address.rpartition("/")[2]
            said = {"before": {"name": "Ada"}, "after": {"name": "Eve"}, "note": "Ada is no name for Ada"}
            for subject, subject_id in (("player", number), ("attempt", number_of_solve), ("puzzle", number)):
                audit.record(None, "judge", (subject, subject_id), at=clock(), **said)
        response = ada.post("/account/deletion", FORMS["deletion"])
        assert (response.status_code, response.location) == (303, "/")
        rows = self.rows(app)
        assert rows.pop("audit_entry") == 3
        assert set(rows.values()) == {0}
        with app.app_context():
            assert db.session.scalars(sa.select(Puzzle).where(Puzzle.status == "entered")).all() == []
        assert ada.get(address).status_code == 404
        assert ada.get("/account").status_code == 303
        assert ada.sign_in("Ada").status_code == 422
        for entry in (*entries(app, "player"), *entries(app, "attempt")):
            assert (entry.action, entry.before, entry.after, entry.note) == ("judge", None, None, None)
        # Of a puzzle with this number, which has nothing to do with the player
        (kept,) = entries(app, "puzzle")
        assert kept.note is not None

    def test_a_puzzle_somebody_else_plays_too_stays(self, ada: Visitor, other: Visitor) -> None:
        grid = RENAMED
        ada.start(grid=grid)
        address = other.start(grid=grid)
        ada.post("/account/deletion", FORMS["deletion"])
        assert other.get(address).status_code == 200

    def test_others_keep_everything(self, app: Flask, ada: Visitor, other: Visitor, clock: SetClock) -> None:
        address = solve(other, clock)
        ada.start()
        ada.post("/account/deletion", FORMS["deletion"])
        assert other.get(address).status_code == 200
        with app.app_context():
            assert len(db.session.scalars(sa.select(Attempt)).all()) == 1

    @pytest.mark.parametrize(
        "fields", [{}, {"sure": "1"}, {"sure": "1", "password": "not this one"}, {"password": PASSWORD}]
    )
    def test_it_takes_a_tick_and_the_password(self, app: Flask, ada: Visitor, fields: dict[str, str]) -> None:
        assert ada.post("/account/deletion", fields).status_code == 422
        assert set(players(app)) == {"Ada"}

    def test_a_guest_needs_the_tick_alone(self, app: Flask, guest: Visitor) -> None:
        guest.start()
        assert guest.post("/account/deletion").status_code == 422
        assert guest.post("/account/deletion", {"sure": "1"}).status_code == 303
        assert players(app) == {}

    def test_a_copied_cookie_is_worth_nothing_afterwards(self, app: Flask, ada: Visitor) -> None:
        copy = ada.copied()
        ada.post("/account/deletion", FORMS["deletion"])
        Visitor(app).register("Ada")
        assert copy.get("/account").status_code == 303


@pytest.mark.both_databases
def test_unused_guests_are_forgotten_and_nobody_else(
    app: Flask, ada: Visitor, guest: Visitor, other: Visitor, clock: SetClock
) -> None:
    from webapp.identity import players as services

    guest.start()
    address = other.start()
    other.move(address, 1, ("corner", 0, 1))
    clock.advance(days=29)
    with app.app_context():
        assert services.forget_unused_guests(clock()) == 0
        clock.advance(days=2)
        assert services.forget_unused_guests(clock()) == 1
    assert other.get(address).status_code == 200
    assert {player.name for player in players(app).values()} == {"Ada", None}
    assert one(app, sa.select(Player).where(Player.name == "Ada"))
    assert ada.sign_in("Ada").status_code == 303
