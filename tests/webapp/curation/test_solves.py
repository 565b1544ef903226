"""Verdicts on solves, and what curators see of them."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.competition.test_leaderboard import play
from tests.webapp.desk import Curator, entries
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.visitors import SetClock, Visitor
from webapp.models import Attempt, Standing
from webapp.process.database import db, write_tx


@pytest.fixture
def flagged(app: Flask, ada: Visitor, clock: SetClock) -> str:
    """The id of a solve that is too fast to be plausible."""
    with app.app_context():
        add_daily()
    return play(ada, clock, minutes=0.2).rpartition("/")[2]


def solve(app: Flask, attempt_id: str) -> Attempt:
    with app.app_context():
        found = db.session.get_one(Attempt, attempt_id)
        db.session.expunge(found)
        return found


def seen(curator: Curator, attempt_id: str) -> str:
    """Return the state that the page of the solve shows."""
    assert curator.get(f"/admin/solves/{attempt_id}").status_code == 200
    return str(curator.page.find("input", attrs={"name": "seen"})["value"])


def judge(cora: Curator, attempt_id: str, standing: str, note: str, mark: str = "") -> int:
    """Decide on a solve as its page shows it, or did. Returns the status."""
    fields = {"seen": mark or seen(cora, attempt_id), "standing": standing, "note": note}
    return cora.post(f"/admin/solves/{attempt_id}", fields).status_code


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator, ada: Visitor, flagged: str) -> None:
    assert judge(cora, flagged, "removed", "Too fast\nto be true") == 303
    found = solve(app, flagged)
    assert (found.standing, found.verdict, found.board) == (Standing.REMOVED, "Too fast\nto be true", None)
    assert "Too fast" in ada.get(f"/attempts/{flagged}").text
    (entry,) = entries(app, "attempt")
    assert (entry.action, entry.note) == ("judge", "Too fast\nto be true")


def test_the_replay_shows_the_solve_move_by_move(app: Flask, cora: Curator, flagged: str) -> None:
    assert cora.get(f"/admin/solves/{flagged}?move=3").status_code == 200
    digits = [int(row.select_one("td").text) for row in cora.page.select("#played tbody tr")]
    assert sum(digits) == solve(app, flagged).last_seq
    assert cora.get("/admin/solves/nothing").status_code == 404


@pytest.mark.parametrize(("standing", "note"), [("verified", ""), ("removed", " "), ("maybe", "Because")])
def test_a_verdict_needs_a_reason(app: Flask, cora: Curator, flagged: str, standing: str, note: str) -> None:
    assert judge(cora, flagged, standing, note) == 422
    assert solve(app, flagged).standing == Standing.REVIEW


@pytest.mark.both_databases
def test_two_curators_never_overwrite_each_others_verdicts(app: Flask, cora: Curator, flagged: str) -> None:
    mark = seen(cora, flagged)
    assert judge(cora, flagged, "verified", "Checked", mark) == 303
    assert judge(cora, flagged, "removed", "Late", mark) == 409
    assert solve(app, flagged).standing == Standing.VERIFIED


def test_nobody_decides_on_a_solve_of_their_own(app: Flask, cora: Curator, clock: SetClock) -> None:
    with app.app_context():
        add_daily()
    own = play(cora, clock, minutes=0.2).rpartition("/")[2]
    assert judge(cora, own, "verified", "Mine") == 422


@pytest.mark.both_databases
def test_a_removal_is_appealed_answered_and_reversed(
    app: Flask, cora: Curator, ada: Visitor, flagged: str
) -> None:
    judge(cora, flagged, "removed", "Too fast")
    stale = seen(cora, flagged)
    assert ada.post(f"/attempts/{flagged}/appeal", {"appeal": "I typed it."}).status_code == 303
    assert judge(cora, flagged, "removed", "No", stale) == 409  # no verdict passes over an unseen appeal
    cora.get("/admin/")
    assert "I typed it." in cora.page.select_one(".waiting__one").text
    assert judge(cora, flagged, "removed", "We doubt it") == 303
    assert solve(app, flagged).verdict == "Too fast\nWe doubt it"
    assert judge(cora, flagged, "verified", "We were wrong") == 303
    assert (solve(app, flagged).standing, solve(app, flagged).appeal) == (Standing.VERIFIED, None)


def test_an_assisted_solve_is_restored_as_what_it_was(app: Flask, cora: Curator) -> None:
    with app.app_context(), write_tx():
        attempt_id = add_solve(add_player("Bea"), add_daily(), 300, standing=Standing.ASSISTED)
    for standing in ("removed", "verified"):
        assert judge(cora, attempt_id, standing, "Checked") == 303
    assert solve(app, attempt_id).standing == Standing.ASSISTED
