"""Comments between curators on a puzzle."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.competition.test_schedule import in_the_bank
from tests.webapp.curation.test_team import of_role
from tests.webapp.desk import Curator, log
from tests.webapp.visitors import SetClock
from webapp.models import PuzzleComment, Role
from webapp.process.database import db


@pytest.fixture
def puzzle(app: Flask) -> str:
    """The address of a puzzle on the desk."""
    with app.app_context():
        return f"/admin/puzzles/{in_the_bank([5])[0]}"


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator, clock: SetClock, puzzle: str) -> None:
    assert (
        cora.post(f"{puzzle}/comments", {"text": " A <b>lovely</b> one \r\nfor Sunday "}).status_code == 303
    )
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    robin.get(puzzle)
    comment = robin.page.find(id="comments").find("li")
    assert "A <b>lovely</b> one\nfor Sunday" in comment.text
    assert "Cora" in comment.text
    assert comment.find("form") is None
    with app.app_context():
        comment = db.session.query(PuzzleComment).one().id
    assert robin.post(f"{puzzle}/comments/{comment}/removal").status_code == 404
    assert cora.post(f"{puzzle}/comments/{comment}/removal").status_code == 303
    cora.get(puzzle)
    assert "No comments yet" in cora.page.find(id="comments").text
    assert [action for _who, action, _number in log(app)] == ["comment", "uncomment"]


@pytest.mark.parametrize("text", ["", "  ", "x" * 1001])
def test_a_comment_has_up_to_a_thousand_characters(cora: Curator, puzzle: str, text: str) -> None:
    assert cora.post(f"{puzzle}/comments", {"text": text}).status_code == 422
    assert cora.page.find(id="wrong-comment") is not None


def test_a_puzzle_that_is_not_there_has_no_comments(cora: Curator) -> None:
    assert cora.post("/admin/puzzles/999999/comments", {"text": "Hi"}).status_code == 404
