"""Taking a name, signing in and out: access, storage, defenses against guessing."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.thorough import amount
from tests.webapp.conftest import bank_puzzle
from tests.webapp.statements import change
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp import create_app
from webapp.competition.groups.tables import Group, Membership
from webapp.identity import limits, passwords
from webapp.identity.limits import Taker
from webapp.models import Attempt, Bucket, LessonProgress, Peek, Player
from webapp.process.config import Settings
from webapp.process.database import db, write_tx
from webapp.web.auth import way_back

GUESSES = amount("GUESSES", 30, 200)  # of which twenty reach the hasher


def players(app: Flask) -> dict[str | None, Player]:
    with app.app_context():
        found = db.session.scalars(sa.select(Player)).all()
        db.session.expunge_all()
    return {player.name: player for player in found}


def attempts(app: Flask, name: str | None) -> list[Attempt]:
    with app.app_context():
        found = db.session.scalars(
            sa.select(Attempt)
            .join(Player)
            .where(Player.name == name if name else Player.name.is_(None))
            .order_by(Attempt.started_at)
        ).all()
        db.session.expunge_all()
    return list(found)


def solve(visitor: Visitor, clock: SetClock, minutes: float = 5, **choice: Any) -> str:
    """Start an attempt and solve it. Returns its address."""
    address = visitor.start(**choice)
    clock.advance(minutes=minutes)
    assert visitor.finish(address).status_code == 200
    return address


@pytest.fixture
def three_people(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that expects three people at an address."""
    monkeypatch.setitem(app.extensions, "settings", replace(app.extensions["settings"], crowd=3))


class TestRegister:
    def test_it_works(self, app: Flask, guest: Visitor) -> None:
        assert guest.get("/register").status_code == 200
        response = guest.register("Ada")
        assert (response.status_code, response.location) == (303, "/")
        assert guest.get("/account").status_code == 200
        assert guest.page.find("h1").text == "Ada"
        assert players(app)["Ada"].password_hash.startswith("$argon2id$")

    @pytest.mark.both_databases
    def test_a_guest_keeps_every_attempt_and_its_start(
        self, app: Flask, guest: Visitor, clock: SetClock
    ) -> None:
        address = solve(guest, clock)
        before = attempts(app, None)
        clock.advance(hours=1)
        guest.register("Ada", next=address)
        after = attempts(app, "Ada")
        assert [(row.id, row.started_at, row.elapsed_ms) for row in after] == [
            (row.id, row.started_at, row.elapsed_ms) for row in before
        ]
        assert guest.get(address).status_code == 200

    def test_a_copy_of_the_guests_cookie_does_not_become_the_player(self, guest: Visitor) -> None:
        address = guest.start()
        copy = guest.copied()
        assert copy.get(address).status_code == 200
        guest.register("Ada")
        assert copy.get(address).status_code == 404

    def test_a_named_player_is_shown_the_account(self, ada: Visitor) -> None:
        assert ada.get("/register").location == "/account"
        assert ada.register("Bob").status_code == 422

    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"name": "", "password": PASSWORD}, "name"),
            ({"name": "Ada", "password": "password1234"}, "password"),
            ({}, "name"),
        ],
    )
    def test_what_cannot_be_taken_is_said_beside_its_field(
        self, app: Flask, guest: Visitor, fields: dict[str, str], wrong: str
    ) -> None:
        response = guest.post("/register", fields)
        assert response.status_code == 422
        field = guest.page.find("input", attrs={"name": wrong, "aria-invalid": "true"})
        assert guest.page.find(id=field["aria-describedby"].split()[0]).text
        assert guest.page.find(attrs={"name": "password"})["value"] == ""
        assert players(app) == {}

    @pytest.mark.parametrize("name", ["Ada", "ada", "A-d-a", "Аdа"])
    def test_a_name_that_is_taken_is_not_given_again(self, app: Flask, guest: Visitor, name: str) -> None:
        Visitor(app).register("Ada")
        response = guest.register(name)
        assert response.status_code == 422
        assert "looks like it" in response.text

    @pytest.mark.usefixtures("three_people")
    def test_one_address_takes_two_names_a_day_for_each_person(self, app: Flask, clock: SetClock) -> None:
        answers = [Visitor(app).register(f"Ada the {number}th").status_code for number in range(8)]
        assert answers == [303] * 6 + [429] * 2
        assert Visitor(app, address="192.0.2.8").register("Grace").status_code == 303
        clock.advance(days=1)
        assert Visitor(app).register("Bob").status_code == 303

    def test_what_is_refused_costs_no_sign_up(self, guest: Visitor) -> None:
        for _ in range(10):
            assert guest.register("Ada", "too short").status_code == 422
        assert guest.register("Ada").status_code == 303


@pytest.mark.usefixtures("ada")
class TestSignIn:
    def test_it_works(self, other: Visitor) -> None:
        assert other.get("/login").status_code == 200
        response = other.sign_in("Ada")
        assert (response.status_code, response.location) == (303, "/")
        other.get("/account")
        assert other.page.find("h1").text == "Ada"

    def test_the_name_may_be_written_as_it_looks(self, other: Visitor) -> None:
        assert other.sign_in(" ADA ").status_code == 303

    @pytest.mark.parametrize(
        ("name", "password"),
        [
            ("Ada", "not the password"),
            ("Bob", PASSWORD),
            ("", ""),
            ("Ada", "x" * 50_000),
            ("<script>", "<script>"),
        ],
    )
    def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(
        self, other: Visitor, name: str, password: str
    ) -> None:
        response = other.sign_in(name, password)
        assert response.status_code == 422
        assert "Wrong name or password" in response.text
        assert "<script>" not in response.text.partition("<main")[2]
        assert other.get("/account").status_code == 303

    def test_a_signed_in_browser_gets_a_new_session(self, guest: Visitor) -> None:
        address = guest.start()
        before = guest.cookie
        token = guest.token
        guest.sign_in("Ada")
        assert guest.cookie != before
        guest.token = token
        assert guest.post(f"{address}/undos").status_code == 400

    def test_a_guests_session_does_not(self, guest: Visitor, clock: SetClock) -> None:
        address = guest.start()
        clock.advance(days=300)
        assert guest.get(address).status_code == 200

    @pytest.mark.both_databases
    def test_an_older_hash_is_renewed(self, app: Flask, other: Visitor) -> None:
        older = passwords.PasswordHasher(time_cost=1, memory_cost=8 * 1024, parallelism=1).hash(PASSWORD)
        change(app, sa.update(Player).values(password_hash=older))
        assert other.sign_in("Ada").status_code == 303
        assert not passwords.is_outdated(players(app)["Ada"].password_hash)


def leave(app: Flask, taker: Taker, tokens: float, now: datetime) -> None:
    """Leave so many tokens in a bucket."""
    with app.app_context(), write_tx():
        db.session.merge(Bucket(key=taker.key, tokens=tokens, filled_at=now))


@pytest.mark.usefixtures("ada")
class TestGuessing:
    @pytest.mark.slow
    @pytest.mark.usefixtures("three_people")
    def test_many_guesses_reach_the_hasher_twenty_times(self, app: Flask) -> None:
        """From ever new addresses, and from one address at ever new names."""
        by_name = [(Visitor(app, address=f"198.51.100.{number}"), "Ada") for number in range(GUESSES)]
        by_address = [(Visitor(app, address="203.0.113.9"), f"Nobody {number}") for number in range(GUESSES)]
        for guesser, most in ((by_name, 20), (by_address, 6)):
            with patch.object(passwords, "matches", wraps=passwords.matches) as hasher:
                answers = [
                    visitor.sign_in(name, f"guess number {number}").status_code
                    for number, (visitor, name) in enumerate(guesser)
                ]
            assert answers.count(422) == hasher.call_count <= most
            assert set(answers) == {422, 429}

    def test_a_refused_guess_says_when_there_is_another(self, app: Flask) -> None:
        visitor = Visitor(app, address="203.0.113.9")
        for _ in range(20):
            visitor.sign_in("Ada", "guess after guess")
        response = visitor.sign_in("Ada", PASSWORD)
        assert response.status_code == 429
        assert 0 < int(response.headers["Retry-After"]) <= 4320

    def test_a_known_device_gets_in_while_strangers_guess(
        self, app: Flask, ada: Visitor, other: Visitor
    ) -> None:
        ada.post("/logout")
        for number in range(30):
            Visitor(app, address=f"198.51.100.{number}").sign_in("Ada", "guess after guess")
        other.address = ada.address = "198.51.100.200"
        assert other.sign_in("Ada").status_code == 429
        assert ada.sign_in("Ada").status_code == 303

    @pytest.mark.both_databases
    def test_guesses_lock_a_name_out_of_no_other_range(self, app: Flask) -> None:
        for number in range(25):
            Visitor(app, address=f"198.51.100.{number}").sign_in("Ada", "guess after guess")
        assert Visitor(app, address="203.0.113.5").sign_in("Ada").status_code == 303

    def test_an_address_that_is_refused_costs_a_name_nothing_beside_it(
        self, app: Flask, clock: SetClock
    ) -> None:
        leave(app, Taker(limits.SIGN_INS_FROM, "203.0.113.9"), 0, clock())
        guesser = Visitor(app, address="203.0.113.9")
        assert {guesser.sign_in("Ada", "guess after guess").status_code for _ in range(25)} == {429}
        assert Visitor(app, address="203.0.113.10").sign_in("Ada").status_code == 303

    def test_what_was_not_checked_costs_nothing(self, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(passwords, "_slots", threading.BoundedSemaphore(1))
            passwords._slots.acquire()
            assert {Visitor(app).sign_in("Ada").status_code for _ in range(25)} == {503}
            assert {Visitor(app).register("Bob").status_code for _ in range(25)} == {503}
        assert Visitor(app).sign_in("Ada").status_code == 303
        assert Visitor(app).register("Bob").status_code == 303

    def test_a_known_device_has_its_own_twenty_guesses(self, ada: Visitor) -> None:
        ada.post("/logout")
        answers = [ada.sign_in("Ada", "guess after guess").status_code for _ in range(25)]
        assert answers == [422] * 20 + [429] * 5

    def test_those_who_get_it_right_are_not_counted(self, app: Flask) -> None:
        """A school class signs in from one address."""
        answers = {Visitor(app).sign_in("Ada").status_code for _ in range(30)}
        assert answers == {303}

    @pytest.mark.strictest_database
    def test_a_class_signs_in_from_one_address_with_a_typo_each(self, app: Flask, clock: SetClock) -> None:
        names = [f"Pupil {number}" for number in range(30)]
        for name in names:
            assert Visitor(app, address="203.0.113.5").register(name).status_code == 303
        clock.advance(hours=1)
        for name in names:
            pupil = Visitor(app, address="203.0.113.5")
            assert pupil.sign_in(name, PASSWORD + "x").status_code == 422
            assert pupil.sign_in(name).status_code == 303

    @pytest.mark.both_databases
    def test_a_right_password_gets_in_where_wrong_ones_are_used_up(self, app: Flask, clock: SetClock) -> None:
        Visitor(app).register("Ada")
        leave(app, Taker(limits.SIGN_INS_FROM, "127.0.0.1"), 0, clock())
        assert Visitor(app).sign_in("Ada", "guess after guess").status_code == 429
        assert Visitor(app).sign_in("Ada").status_code == 303

    @pytest.mark.usefixtures("three_people")
    def test_a_forged_address_does_not_change_the_limit(self, app: Flask) -> None:
        visitor = Visitor(app)
        for number in range(20):
            visitor.post("/login", {"name": f"Nobody {number}", "password": "x" * 12})
        forged = {"X-Forwarded-For": "192.0.2.1", "Forwarded": "for=192.0.2.1", "X-Real-IP": "192.0.2.1"}
        form = {"name": "Nobody else", "password": "x" * 12}
        assert visitor.post("/login", form, **forged).status_code == 429

    def test_behind_a_proxy_its_word_counts_and_only_its(self, settings: Settings, database_url: str) -> None:
        behind = create_app(replace(settings, database_url=database_url, proxies=1, crowd=3))
        for number in range(20):
            visitor = Visitor(behind)
            # The browser forges a first entry; the proxy adds the true one.
            forwarded = {"X-Forwarded-For": f"192.0.2.{number}, 203.0.113.5"}
            visitor.post("/login", {"name": f"Nobody {number}", "password": "x" * 12}, **forwarded)
        form = {"name": "Nobody else", "password": "x" * 12}
        refused = Visitor(behind).post("/login", form, **{"X-Forwarded-For": "192.0.2.99, 203.0.113.5"})
        taken = Visitor(behind).post("/login", form, **{"X-Forwarded-For": "198.51.100.6"})
        with behind.app_context():
            db.engine.dispose()
        assert (refused.status_code, taken.status_code) == (429, 422)

    def test_all_processes_together_hash_so_many_a_minute(self, app: Flask, clock: SetClock) -> None:
        with app.app_context():
            shared = Taker(limits.HASHES, "")
            leave(app, shared, 2 - shared.capacity, clock())
        answers = [
            Visitor(app, address=f"198.51.{number}.7").sign_in("Ada").status_code for number in range(4)
        ]
        assert answers == [303, 303, 429, 429]

    @pytest.mark.both_databases
    def test_a_flood_leaves_a_share_to_ranges_that_asked_for_nothing(
        self, app: Flask, clock: SetClock
    ) -> None:
        """Five busy ranges use up what strangers share."""
        with app.app_context():
            busy, everybody = passwords.for_stranger("192.0.2.1", clock())
            leave(app, everybody, 0, clock())
            leave(app, busy, busy.capacity - 1, clock())
        assert Visitor(app, address="192.0.2.200").sign_in("Ada").status_code == 429
        assert Visitor(app, address="198.51.100.1").sign_in("Ada").status_code == 303

    @pytest.mark.both_databases
    def test_a_flood_of_strangers_keeps_out_nobody_who_is_known(
        self, app: Flask, ada: Visitor, clock: SetClock
    ) -> None:
        """Neither on a device that has signed in before, nor with a session."""
        with app.app_context():
            for taker in passwords.for_stranger("127.0.0.1", clock()):
                leave(app, taker, -taker.capacity, clock())
        form = {"current": PASSWORD, "password": "five gulls over the pier"}
        assert ada.post("/account/password", form).status_code == 303
        ada.post("/logout")
        assert ada.sign_in("Ada", "five gulls over the pier").status_code == 303

    def test_a_range_of_addresses_uses_up_only_its_own_hashes(self, app: Flask, clock: SetClock) -> None:
        with app.app_context():
            flooding, _everybody = passwords.for_stranger("192.0.2.1", clock())
        leave(app, flooding, 0, clock())
        assert Visitor(app, address="192.0.2.200").sign_in("Ada").status_code == 429
        assert Visitor(app, address="198.51.100.1").sign_in("Ada").status_code == 303


@pytest.mark.usefixtures("ada")
class TestMerging:
    def test_what_a_guest_has_played_goes_along(
        self, app: Flask, ada: Visitor, guest: Visitor, clock: SetClock
    ) -> None:
        address = solve(guest, clock)
        clock.advance(minutes=1)
        open_one = guest.start(level=2)
        guest.sign_in("Ada")
        assert guest.get(address).status_code == 200
        assert guest.move(open_one, 1, ("digit", 0, 9)).status_code == 200
        assert ada.get(address).status_code == 200
        assert len(attempts(app, "Ada")) == 2
        assert None not in players(app)

    def test_the_earliest_start_decides_which_attempt_is_ranked(
        self, app: Flask, ada: Visitor, guest: Visitor, clock: SetClock
    ) -> None:
        """Seen as a guest, solved from memory under the name: the first attempt counts."""
        first = solve(guest, clock, minutes=10, level=3)
        again = solve(ada, clock, minutes=0.1, level=3)
        change(app, sa.update(Attempt).values(ranked=True))
        guest.sign_in("Ada")
        ranked = {f"/attempts/{row.id}": row.ranked for row in attempts(app, "Ada")}
        assert ranked == {first: True, again: False}

    def test_a_go_that_was_not_ranked_takes_the_rank_from_a_later_one(
        self, app: Flask, ada: Visitor, guest: Visitor, clock: SetClock
    ) -> None:
        solve(guest, clock, level=3)
        later = solve(ada, clock, level=3).rpartition("/")[2]
        change(app, sa.update(Attempt).where(Attempt.id == later).values(ranked=True))
        guest.sign_in("Ada")
        assert not any(row.ranked for row in attempts(app, "Ada"))

    @pytest.mark.both_databases
    def test_an_account_that_was_first_keeps_its_rank(
        self, app: Flask, ada: Visitor, guest: Visitor, clock: SetClock
    ) -> None:
        first = solve(ada, clock, level=3)
        solve(guest, clock, level=3)
        change(app, sa.update(Attempt).values(ranked=True))
        guest.sign_in("Ada")
        assert [f"/attempts/{row.id}" for row in attempts(app, "Ada") if row.ranked] == [first]

    @pytest.mark.both_databases
    def test_groups_and_seen_puzzles_go_along_the_earlier_one_wins(
        self, app: Flask, guest: Visitor, clock: SetClock
    ) -> None:
        guest.start()
        rows = players(app)
        one, other = rows["Ada"].id, rows[None].id
        early, late = clock(), clock() + timedelta(hours=1)
        with app.app_context(), write_tx():
            puzzles = [bank_puzzle(6), bank_puzzle(7)]
            for puzzle in puzzles:
                puzzle.level = 5
            db.session.add_all(puzzles)
            groups = [
                Group(name="Ours", owner_id=other, created_at=early),
                Group(name="Hers", owner_id=one, created_at=early),
            ]
            db.session.add_all(groups)
            db.session.flush()
            shared, own = (puzzle.id for puzzle in puzzles)
            db.session.add_all(
                [
                    Peek(player_id=one, puzzle_id=shared, seen_at=late),
                    Peek(player_id=other, puzzle_id=shared, seen_at=early),
                    Peek(player_id=other, puzzle_id=own, seen_at=late),
                    Membership(group_id=groups[0].id, player_id=other, joined_at=early),
                    Membership(group_id=groups[1].id, player_id=other, joined_at=early),
                    Membership(group_id=groups[1].id, player_id=one, joined_at=late),
                ]
            )
        guest.sign_in("Ada")
        with app.app_context():
            peeks = {
                (row.player_id, row.puzzle_id): row.seen_at for row in db.session.scalars(sa.select(Peek))
            }
            assert peeks == {(one, shared): early, (one, own): late}
            assert {row.owner_id for row in db.session.scalars(sa.select(Group))} == {one}
            members = db.session.scalars(sa.select(Membership)).all()
            assert sorted((row.group_id, row.player_id) for row in members) == sorted(
                (group.id, one) for group in db.session.scalars(sa.select(Group))
            )

    @pytest.mark.both_databases
    @pytest.mark.usefixtures("ada")
    def test_the_earliest_moment_of_each_state_of_a_lesson_is_kept(
        self, app: Flask, guest: Visitor, clock: SetClock
    ) -> None:
        early, late = clock(), clock() + timedelta(days=1)
        guest.start()
        rows = players(app)
        one, other = rows["Ada"].id, rows[None].id
        with app.app_context(), write_tx():
            db.session.add_all(
                [
                    LessonProgress(player_id=one, technique="x_wing", seen_at=late, practiced_at=late),
                    LessonProgress(player_id=other, technique="x_wing", seen_at=early, drills=3, right=2),
                    LessonProgress(player_id=other, technique="skyscraper", seen_at=early),
                ]
            )
        guest.sign_in("Ada")
        with app.app_context():
            found = db.session.scalars(sa.select(LessonProgress).order_by(LessonProgress.technique)).all()
            assert [
                (row.player_id, row.technique, row.seen_at, row.practiced_at, row.drills, row.right)
                for row in found
            ] == [(one, "skyscraper", early, None, 0, 0), (one, "x_wing", early, late, 3, 2)]

    def test_another_named_player_is_not_merged(self, app: Flask, ada: Visitor, other: Visitor) -> None:
        ada.start()
        other.register("Bob")
        ada.sign_in("Bob")
        assert len(attempts(app, "Ada")) == 1
        assert attempts(app, "Bob") == []


class TestSignOut:
    def test_it_works(self, ada: Visitor) -> None:
        address = ada.start()
        assert ada.post("/logout").status_code == 303
        assert ada.get(address).status_code == 404
        assert ada.get("/account").location == "/login?next=/account"

    def test_a_guest_has_nothing_to_sign_out_of(self, guest: Visitor) -> None:
        address = guest.start()
        response = guest.post("/logout")
        assert response.location.startswith("/login")
        assert guest.get(address).status_code == 200

    def test_htmx_is_sent_to_the_sign_in_as_a_page(self, guest: Visitor) -> None:
        response = guest.post("/logout", htmx=True)
        assert (response.status_code, response.text) == (200, "")
        assert response.headers["HX-Redirect"].startswith("/login")


class TestWayBack:
    @pytest.mark.usefixtures("ada")
    @pytest.mark.parametrize("target", ["/", "/attempts", "/enter?x=1", "/account", "/puzzles/3"])
    def test_a_page_of_ours_is_gone_back_to(self, other: Visitor, target: str) -> None:
        other.get(f"/login?next={target}")
        assert other.page.find("input", attrs={"name": "next"})["value"] == target
        assert other.sign_in("Ada", next=target).location == target

    def test_the_way_in_leads_back_to_what_one_came_for(self, guest: Visitor) -> None:
        guest.get("/archive?month=2026-03")
        guest.get(guest.page.select_one("a.who")["href"])
        assert guest.page.find("input", attrs={"name": "next"})["value"] == "/archive?month=2026-03"

    @pytest.mark.parametrize(
        "target",
        [
            *("//evil.example", "/\\evil.example", "https://evil.example/attempts", "javascript:alert(1)"),
            *("/%2f%2fevil.example", "/%09/evil.example", "/\n/evil.example", " //evil.example"),
            *("/attempts\r\nSet-Cookie: a=b", "/attempts/../..//evil.example", "/﹨evil.example", "http://["),
            *("/logout", "/account/deletion", "/healthz", ""),
        ],
    )
    def test_nothing_else_is(self, app: Flask, target: str) -> None:
        with app.test_request_context():
            assert way_back(target) == "/"


@pytest.mark.usefixtures("ada")
class TestLog:
    @staticmethod
    def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
        return [record.facts for record in caplog.records if record.name == "ninefold.security"]

    @pytest.mark.both_databases
    def test_each_event_leaves_one_line_without_a_secret(
        self, app: Flask, other: Visitor, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO, "ninefold.security")
        number = players(app)["Ada"].id
        other.sign_in("Ada", "guess after guess")
        other.sign_in("Nobody", "guess after guess")
        other.sign_in("Ada")
        other.get("/")
        other.post("/logout")
        app.test_client().post("/attempts", data={"level": 1})
        other.post("/attempts", {"level": 1}, Origin="https://elsewhere.example")
        for _ in range(21):
            other.sign_in("Nobody", "guess after guess")
        lines = self.lines(caplog)
        assert [(line["event"], line["actor"]) for line in lines[:6]] == [
            ("sign-in refused", None),
            ("sign-in refused", None),
            ("signed in", number),
            ("signed out", number),
            ("form refused", None),
            ("forbidden", None),
        ]
        assert [line.get("account") for line in lines[:3]] == [number, None, number]
        assert lines[-1]["event"] == "too many"
        assert {line["at"] for line in lines} == {"2026-03-01T09:00:00+00:00"}
        assert lines[0]["route"] == "POST /login"
        secrets = ("guess after guess", PASSWORD, "Nobody", other.token)
        assert not any(secret in record.getMessage() for record in caplog.records for secret in secrets)

    @pytest.mark.parametrize(
        ("address", "form"),
        [
            ("/account/password", {"current": "guess after guess", "password": "another seal entirely"}),
            ("/account/email", {"email": "ada@example.org", "password": "guess after guess"}),
            ("/account/deletion", {"sure": "1", "password": "guess after guess"}),
        ],
    )
    def test_a_wrong_password_is_logged_whichever_form_asked(
        self, app: Flask, ada: Visitor, caplog: pytest.LogCaptureFixture, address: str, form: dict[str, str]
    ) -> None:
        caplog.set_level(logging.INFO, "ninefold.security")
        assert ada.post(address, form).status_code == 422
        (line,) = self.lines(caplog)
        assert (line["event"], line["account"]) == ("password refused", players(app)["Ada"].id)
