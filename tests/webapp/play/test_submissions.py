"""Submissions: players offer their puzzles, curators decide, the players are notified and credited."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import new_puzzle
from tests.webapp.desk import Curator
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.bank import bank
from webapp.models import Listing, Player, Puzzle, Status, Submission
from webapp.play.contributions import submissions
from webapp.play.contributions.decision_mail import decision_of
from webapp.process.database import db, write_tx


@pytest.fixture
def grid() -> str:
    """A puzzle that the bank lacks."""
    return new_puzzle(3).givens


def submit(visitor: Visitor, grid: str, title: str = "My Sunday") -> int:
    return visitor.post("/submissions", {"grid": grid, "title": title}).status_code


def puzzle_of(app: Flask, grid: str) -> Puzzle:
    with app.app_context():
        return db.session.scalars(sa.select(Puzzle).where(Puzzle.givens == grid)).one()


def decide(app: Flask, cora: Curator, grid: str, action: str = "approve") -> int:
    """Rate a submission, as the worker does, and decide on it at the desk."""
    with app.app_context(), write_tx():
        puzzle = db.session.scalars(sa.select(Puzzle).where(Puzzle.givens == grid)).one()
        puzzle.rating_version = bank.RATED
        number, version = puzzle.id, puzzle.version
    fields = {"action": action, "puzzle": f"{number}:{version}", "reason": "Too easy"}
    return cora.post("/admin/decisions", fields).status_code


@pytest.mark.both_databases
def test_it_works(app: Flask, ada: Visitor, cora: Curator, guest: Visitor, grid: str) -> None:
    """From the form to a puzzle with the author's name."""
    assert ada.get(f"/submissions?grid={grid}").status_code == 200
    assert ada.page.find(id="grid").text.strip() == grid
    assert submit(ada, grid, "  My   Sunday ") == 303
    cora.get("/admin/?submitted=1")
    row = cora.page.find("tr", class_="queue__row")
    assert "My Sunday" in row.text
    assert "by Ada" in row.text
    number = puzzle_of(app, grid).id
    cora.get(f"/admin/puzzles/{number}")
    assert "Submitted by" in cora.page.find(class_="facts").text
    assert decide(app, cora, grid) == 303
    ada.get("/submissions")
    assert "Published." in ada.page.find(class_="offers").text
    guest.get(f"/puzzles/{number}")
    author = guest.page.find(class_="puzzle__author")
    assert (author.find("bdi").text, author.find("a").text) == ("My Sunday", "Ada")


def test_a_decision_is_reported_once_it_cannot_be_undone_and_once_only(
    app: Flask, ada: Visitor, cora: Curator, clock: SetClock, grid: str
) -> None:
    submit(ada, grid)
    with app.app_context(), write_tx():
        db.session.scalars(sa.select(Player).where(Player.name == "Ada")).one().email = "ada@example.org"
    with app.app_context():
        assert not list(submissions.to_tell(clock.time + timedelta(days=1)))
    decide(app, cora, grid, "reject")
    with app.app_context():
        assert not list(submissions.to_tell(clock.time + timedelta(seconds=9)))
        (notice,) = submissions.to_tell(clock.time + timedelta(hours=1))
        assert not list(submissions.to_tell(clock.time + timedelta(hours=2)))
        with app.test_request_context():
            mail = decision_of(notice)
    assert mail is not None
    assert mail.to == "ada@example.org"
    assert "“My Sunday”" in mail.text
    assert "Too easy" in mail.text
    ada.get("/submissions")
    assert "Not taken: Too easy" in ada.page.find(class_="offers").text


def test_what_waits_can_be_withdrawn_and_what_is_decided_cannot(
    app: Flask, ada: Visitor, other: Visitor, cora: Curator, grid: str
) -> None:
    submit(ada, grid)
    other.register("Bob")
    with app.app_context():
        number = db.session.scalars(sa.select(Submission.id)).one()
    assert other.post(f"/submissions/{number}/removal").status_code == 404
    assert ada.post(f"/submissions/{number}/removal").status_code == 303
    assert puzzle_of(app, grid).status == Status.ENTERED
    assert submit(ada, grid) == 303  # it can be submitted again
    decide(app, cora, grid)
    with app.app_context():
        number = db.session.scalars(sa.select(Submission.id)).one()
    assert ada.post(f"/submissions/{number}/removal").status_code == 404
    assert ada.post("/submissions/999999/removal").status_code == 404


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"title": "ab"}, "title"),
        ({"title": "x" * 61}, "title"),
        ({"grid": ""}, "grid"),
        ({"grid": "12"}, "grid"),
        ({"grid": "." * 81}, "grid"),
        ({"grid": "11" + "." * 79}, "grid"),
    ],
)
def test_what_cannot_be_submitted_says_why_and_keeps_the_form(
    ada: Visitor, grid: str, fields: dict[str, str], wrong: str
) -> None:
    sent = {"grid": grid, "title": "My Sunday"} | fields
    assert ada.post("/submissions", sent).status_code == 422
    assert ada.page.find(id=f"wrong-{wrong}") is not None
    assert ada.page.find(id="title")["value"] == sent["title"]


def test_what_the_bank_has_is_not_taken_again(app: Flask, ada: Visitor, grid: str) -> None:
    with app.app_context():
        known = db.session.scalars(sa.select(Puzzle.givens).limit(1)).one()
    assert submit(ada, known) == 422
    assert submit(ada, grid) == 303
    transformed = "".join(grid[80 - cell] for cell in range(81))
    assert submit(ada, transformed) == 422


def test_ten_wait_at_most(ada: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "MOST_WAITING", 1)
    assert submit(ada, new_puzzle(3).givens) == 303
    assert submit(ada, new_puzzle(3).givens) == 422


def test_who_is_suspended_submits_nothing(app: Flask, ada: Visitor, grid: str) -> None:
    with app.app_context(), write_tx():
        db.session.scalars(sa.select(Player).where(Player.name == "Ada")).one().suspended = True
    assert submit(ada, grid) == 422


def test_nobody_is_named_who_hides_their_name(app: Flask, ada: Visitor, cora: Curator, grid: str) -> None:
    submit(ada, grid)
    decide(app, cora, grid)
    number = puzzle_of(app, grid).id
    with app.app_context(), write_tx():
        assert submissions.author_of(number) == "Ada"
        db.session.scalars(sa.select(Player).where(Player.name == "Ada")).one().listing = Listing.ANONYMOUS
    with app.app_context():
        assert submissions.author_of(number) is None


def test_a_curator_does_not_approve_their_own(app: Flask, cora: Curator, grid: str) -> None:
    assert cora.post("/submissions", {"grid": grid, "title": "Mine"}).status_code == 303
    assert decide(app, cora, grid) == 422
    assert "another curator has to decide" in cora.page.text


def test_who_leaves_takes_titles_and_what_is_not_published_along(
    app: Flask, ada: Visitor, cora: Curator, grid: str
) -> None:
    waiting = new_puzzle(3).givens
    submit(ada, grid)
    submit(ada, waiting)
    decide(app, cora, grid)
    assert ada.post("/account/deletion", {"sure": "1", "password": PASSWORD}).status_code == 303
    assert puzzle_of(app, grid).title is None
    with app.app_context():
        assert db.session.scalar(sa.select(Puzzle).where(Puzzle.givens == waiting)) is None


def test_it_is_for_players_with_a_name(guest: Visitor) -> None:
    assert guest.get("/submissions").location.startswith("/login")
    assert guest.post("/submissions").location.startswith("/login")
    assert guest.post("/submissions/1/removal").location.startswith("/login")
