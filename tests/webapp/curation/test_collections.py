"""Collections: created at the desk, published with a date, played one puzzle after another."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.curation.test_planning import in_stock, in_the_bank
from tests.webapp.curation.test_team import of_role
from tests.webapp.desk import Curator, entries
from tests.webapp.play.test_finish import finish
from tests.webapp.visitors import SetClock, Visitor
from webapp.curation.collections import editing
from webapp.models import (
    Collection,
    CollectionPuzzle,
    DailyDraft,
    Group,
    Membership,
    Player,
    Puzzle,
    Role,
    Status,
)
from webapp.play.contributions import collections
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput

TODAY = SetClock.time.date()


@pytest.fixture
def made(app: Flask, cora: Curator) -> tuple[str, list[int]]:
    """The address of a collection at the desk with three puzzles, and their numbers."""
    numbers = in_stock(app, 3)
    address = cora.post("/admin/collections", {"title": "First steps"}).location
    sent = {"puzzles": f"#{numbers[0]}-{numbers[1]}, {numbers[2]}"}
    assert cora.post(f"{address}/puzzles", sent).status_code == 303
    return address, numbers


def publish(app: Flask, cora: Curator, address: str, **more: Any) -> int:
    with app.app_context():
        version = db.session.scalars(sa.select(Collection.version)).one()
    fields = {"title": "First steps", "publish_on": str(TODAY), "version": str(version), "author": "Cora"}
    return cora.post(address, fields | {name: str(value) for name, value in more.items()}).status_code


def order(app: Flask) -> list[int]:
    with app.app_context():
        query = sa.select(CollectionPuzzle.puzzle_id).order_by(CollectionPuzzle.place)
        return list(db.session.scalars(query))


@pytest.mark.both_databases
def test_it_works(
    app: Flask, cora: Curator, ada: Visitor, guest: Visitor, made: tuple[str, list[int]]
) -> None:
    """From the desk to a player who solves it, and to home and profile."""
    address, numbers = made
    seen = address.removeprefix("/admin")
    assert guest.get(seen).status_code == 404  # a draft
    assert publish(app, cora, address, text="Three\nto begin with") == 303
    guest.get("/collections")
    assert "First steps" in guest.page.find(class_="packs").text
    ada.get(seen)
    assert "0 of 3 solved" in ada.page.text
    game = ada.start(puzzle=str(numbers[0]))
    with app.app_context():
        attempt = game.rpartition("/")[2]
        with write_tx():
            db.session.execute(
                sa.text("UPDATE attempt SET finished_at = started_at, elapsed_ms = 1 WHERE id = :id"),
                {"id": attempt},
            )
    ada.get(seen)
    assert "1 of 3 solved" in ada.page.text
    assert "Play puzzle 2" in ada.page.text
    guest.get("/players/Ada")
    assert "First steps" in guest.page.find(class_="packs").text
    logged = [entry.action for entry in entries(app, "collection")]
    assert logged == ["create", "collect", "change"]
    cora.get("/admin/audit")
    assert "Added 3 puzzles to the collection “First steps”." in cora.page.text


def test_the_finish_leads_to_the_next_of_the_collection(
    app: Flask, cora: Curator, ada: Visitor, clock: SetClock, made: tuple[str, list[int]]
) -> None:
    address, numbers = made
    publish(app, cora, address)
    for turn, then in ((1, numbers[2]), (2, numbers[0]), (0, None)):
        finish(ada, clock, puzzle=str(numbers[turn]))
        panel = ada.page.find(id="finish-panel")
        following = panel.find(attrs={"name": "puzzle"})
        assert (following and following["value"]) == (then and str(then))
        assert ("Next in “First steps”" in panel.text) == (then is not None)


def test_it_appears_on_its_day(
    app: Flask, cora: Curator, guest: Visitor, made: tuple[str, list[int]]
) -> None:
    address, _numbers = made
    publish(app, cora, address, publish_on=TODAY + timedelta(days=1))
    assert guest.get(address.removeprefix("/admin")).status_code == 404
    with app.app_context():
        assert not collections.listed(None, SetClock.time)
        assert collections.listed(None, SetClock.time + timedelta(days=1))


def test_one_of_a_group_is_for_its_members(
    app: Flask, cora: Curator, ada: Visitor, guest: Visitor, made: tuple[str, list[int]]
) -> None:
    address, _numbers = made
    with app.app_context(), write_tx():
        owner = db.session.scalars(sa.select(Player.id).where(Player.name == "Ada")).one()
        group = Group(name="Friends", owner_id=owner, created_at=SetClock.time)
        db.session.add(group)
        db.session.flush()
        db.session.add(Membership(group_id=group.id, player_id=owner, joined_at=SetClock.time))
        number = group.id
    assert publish(app, cora, address, group=number) == 303
    assert publish(app, cora, address, group=999_999) == 422
    seen = address.removeprefix("/admin")
    assert (ada.get(seen).status_code, guest.get(seen).status_code) == (200, 404)


def test_what_is_in_it_is_kept_for_it_and_returns(
    app: Flask, cora: Curator, made: tuple[str, list[int]]
) -> None:
    address, numbers = made
    with app.app_context():
        assert not db.session.get_one(Puzzle, numbers[0]).offered
    slot = {"date": str(TODAY + timedelta(days=3)), "level": "3", "puzzle": str(numbers[0]), "instead": ""}
    assert cora.post("/admin/calendar", slot).status_code == 422
    other = cora.post("/admin/collections", {"title": "Other"}).location
    assert cora.post(f"{other}/puzzles", {"puzzles": str(numbers[0])}).status_code == 422
    sent = {"do": "remove", "version": "1"}
    assert cora.post(f"{address}/puzzles/{numbers[0]}", sent).status_code == 303
    assert cora.post(f"{address}/puzzles/{numbers[0]}", sent).status_code == 404
    with app.app_context():
        assert db.session.get_one(Puzzle, numbers[0]).offered
    assert cora.post(f"{address}/removal", {"version": "2"}).status_code == 303
    with app.app_context():
        assert db.session.get_one(Puzzle, numbers[1]).offered
    assert order(app) == []


def test_deleting_asks_first_and_says_so_when_done(cora: Curator, made: tuple[str, list[int]]) -> None:
    address, _numbers = made
    cora.get(address)
    fold = cora.page.find("summary", string="Delete collection").parent
    assert not fold.has_attr("open")
    assert "This can’t be undone." in fold.find("form").text
    assert len(cora.page.find_all("form", action=f"{address}/removal")) == 1
    deleted = cora.post(f"{address}/removal", {"version": "1"})
    cora.get(deleted.location)
    assert "Collection deleted." in cora.page.find(id="toast").text


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"status": Status.CANDIDATE}, "isn’t approved yet."),
        ({"status": Status.REJECTED}, "is rejected."),
        ({"status": Status.DAILY}, "is already a daily."),
        ({"offered": False}, "isn’t offered to players."),
    ],
)
def test_a_puzzle_that_cannot_be_added_has_its_own_reason(
    app: Flask, cora: Curator, columns: dict[str, object], reason: str
) -> None:
    with app.app_context():
        (number,) = in_the_bank([5])
        with write_tx():
            db.session.execute(sa.update(Puzzle).where(Puzzle.id == number).values(**columns))
    address = cora.post("/admin/collections", {"title": "Picky"}).location
    assert cora.post(f"{address}/puzzles", {"puzzles": str(number)}).status_code == 422
    assert cora.page.find(id="wrong-puzzles").text == f"#{number} {reason}"


def test_a_puzzle_that_is_none_or_drafted_is_not_added_either(app: Flask, cora: Curator) -> None:
    with app.app_context():
        (number,) = in_the_bank([5])
        with write_tx():
            person = db.session.scalars(sa.select(Player.id).where(Player.name == "Cora")).one()
            day = TODAY + timedelta(days=3)
            draft = DailyDraft(
                date=day, level=3, puzzle_id=number, curator_id=person, created_at=SetClock.time
            )
            db.session.add(draft)
            db.session.get_one(Puzzle, number).offered = False
    address = cora.post("/admin/collections", {"title": "Picky"}).location
    for puzzle, reason in (
        (99_999, "There’s no puzzle #99999."),
        (number, f"#{number} is drafted for Wed, March 4."),
    ):
        assert cora.post(f"{address}/puzzles", {"puzzles": str(puzzle)}).status_code == 422
        assert cora.page.find(id="wrong-puzzles").text == reason


def test_what_players_may_have_seen_on_a_cover_becomes_no_daily(
    app: Flask, cora: Curator, made: tuple[str, list[int]]
) -> None:
    address, numbers = made
    publish(app, cora, address)
    assert cora.post(f"{address}/puzzles/{numbers[0]}", {"do": "remove", "version": "2"}).status_code == 303
    with app.app_context():
        assert db.session.get_one(Puzzle, numbers[0]).shown_at is not None


def test_puzzles_are_moved_one_place_and_a_change_by_others_is_noticed(
    app: Flask, cora: Curator, made: tuple[str, list[int]]
) -> None:
    address, (one, two, three) = made
    assert cora.post(f"{address}/puzzles/{three}", {"do": "up", "version": "1"}).status_code == 303
    assert order(app) == [one, three, two]
    assert cora.post(f"{address}/puzzles/{one}", {"do": "down", "version": "1"}).status_code == 409
    assert cora.post(f"{address}/puzzles/{one}", {"do": "up", "version": "2"}).status_code == 303
    assert order(app) == [one, three, two]
    assert cora.post(f"{address}/puzzles/{one}", {"do": "spin", "version": "3"}).status_code == 422
    assert cora.post(f"{address}/removal", {"version": "1"}).status_code == 409
    assert cora.post(f"{address}/removal", {"version": "x"}).status_code == 422


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"title": ""}, "title"),
        ({"text": "x" * 1001}, "text"),
        ({"author": "x" * 61}, "author"),
        ({"publish_on": "soon"}, "publish_on"),
        ({"group": "x"}, "group"),
        ({"cover": "1"}, "cover"),
    ],
)
def test_what_cannot_be_said_of_it_is_named_at_its_field(
    app: Flask, cora: Curator, made: tuple[str, list[int]], fields: dict[str, str], wrong: str
) -> None:
    assert publish(app, cora, made[0], **fields) == 422
    assert cora.page.find(id=f"wrong-{wrong}") is not None


@pytest.mark.parametrize("text", ["", "x", "5-3", "1-1000", "99999999999", "1 - 2 - 3"])
def test_numbers_that_cannot_be_read_add_nothing(app: Flask, cora: Curator, text: str) -> None:
    address = cora.post("/admin/collections", {"title": "Empty"}).location
    assert cora.post(f"{address}/puzzles", {"puzzles": text}).status_code == 422
    assert publish(app, cora, address) == 422  # nothing in it


def test_numbers_are_read_with_ranges() -> None:
    assert editing.numbers_of("#12, 15-17 ; 20 – 21") == [12, 15, 16, 17, 20, 21]
    with pytest.raises(BadInput):
        editing.numbers_of("-3")


def test_chosen_puzzles_of_the_queue_are_added(app: Flask, cora: Curator) -> None:
    one, two = in_stock(app, 2)
    address = cora.post("/admin/collections", {"title": "Picked"}).location
    cora.get("/admin/?status=approved")
    assert cora.page.find(id="several-collection") is not None
    sent = {"action": "collect", "puzzle": [f"{one}:0", f"{two}:0"], "collection": address.rpartition("/")[2]}
    assert cora.post("/admin/decisions", sent).status_code == 303
    assert order(app) == [one, two]
    assert cora.post("/admin/decisions", sent).status_code == 422
    assert cora.post("/admin/decisions", sent | {"collection": ""}).status_code == 422


def test_a_reviewer_looks_and_adds_nothing(app: Flask, clock: SetClock, made: tuple[str, list[int]]) -> None:
    address, numbers = made
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    assert robin.get(address).status_code == 200
    assert robin.post(f"{address}/puzzles").status_code == 403
    sent = {"action": "collect", "puzzle": f"{numbers[0]}:1", "collection": "1"}
    assert robin.post("/admin/decisions", sent).status_code == 403
    assert robin.get("/admin/collections/999999").status_code == 404
