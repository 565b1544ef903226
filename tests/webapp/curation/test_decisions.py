"""Decisions on puzzles: what they check, that curators never overwrite each other, and the undo."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.conftest import EASY
from tests.webapp.curation.bank import OTHERS, RENAMED, TWO_SOLUTIONS, candidate, row_of, stored
from tests.webapp.desk import Curator, appoint, entries, log
from tests.webapp.visitors import SetClock
from webapp.bank import traits
from webapp.models import Daily, Puzzle, Status
from webapp.models.puzzle import UNRATED
from webapp.process.database import db, write_tx


def decide(curator: Curator, action: str, *choices: str, htmx: bool = False, **fields: str) -> TestResponse:
    form: dict[str, Any] = {"action": action, "puzzle": list(choices), **fields}
    return curator.post("/admin/puzzles/decisions", form, htmx=htmx)


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY))
    assert decide(cora, "approve", f"{number}:0").status_code == 303
    assert row_of(app, number).status == Status.APPROVED
    assert log(app) == [("Cora", "approve", str(number))]


def test_a_rejection_may_have_a_reason_and_keeps_it(app: Flask, cora: Curator) -> None:
    first, second = stored(app, candidate(OTHERS[0]), candidate(OTHERS[1]))
    assert decide(cora, "reject", f"{first}:0", reason="Too dull").status_code == 303
    assert decide(cora, "reject", f"{second}:0").status_code == 303
    assert (row_of(app, first).reason, row_of(app, second).reason) == ("Too dull", None)


def test_a_withdrawal_needs_a_reason_that_players_read(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY, status=Status.APPROVED))
    assert decide(cora, "withdraw", f"{number}:0").status_code == 422
    assert decide(cora, "withdraw", f"{number}:0", reason="A misprint").status_code == 303
    assert "A misprint" in cora.get(f"/puzzles/{number}").text
    assert decide(cora, "approve", f"{number}:1").status_code == 303
    assert row_of(app, number).status == Status.APPROVED


@pytest.mark.parametrize(
    ("action", "choices"), [("approve", []), ("burn", ["1:0"]), ("approve", ["1"]), ("approve", ["x:y"])]
)
def test_a_bad_decision_is_refused(app: Flask, cora: Curator, action: str, choices: list[str]) -> None:
    stored(app, candidate(EASY))
    assert decide(cora, action, *choices).status_code == 422
    assert log(app) == []


@pytest.mark.both_databases
def test_two_curators_never_overwrite_each_other(app: Flask, cora: Curator, clock: SetClock) -> None:
    (number,) = stored(app, candidate(EASY))
    dora = appoint(Curator(app, clock=clock, name="Dora"))
    dora.prove()
    assert decide(cora, "reject", f"{number}:0", reason="Dull").status_code == 303
    late = decide(dora, "approve", f"{number}:0")
    assert late.status_code == 409
    assert "Cora changed" in dora.page.select_one(".toast--wrong").text
    assert "Dull" in dora.page.select_one(".toast--wrong").text
    assert row_of(app, number).status == Status.REJECTED


def test_of_several_none_is_decided_where_one_has_changed(app: Flask, cora: Curator) -> None:
    first, second = stored(app, candidate(OTHERS[0]), candidate(OTHERS[1], version=3))
    assert decide(cora, "approve", f"{first}:0", f"{second}:0").status_code == 409
    assert {row_of(app, number).status for number in (first, second)} == {Status.CANDIDATE}
    assert decide(cora, "approve", f"{first}:0", f"{second}:3").status_code == 303


@pytest.mark.both_databases
def test_a_puzzle_that_players_have_with_other_digits_is_not_approved(app: Flask, cora: Curator) -> None:
    public, number = stored(app, candidate(EASY, status=Status.APPROVED), candidate(RENAMED))
    refused = decide(cora, "approve", f"{number}:0")
    assert (refused.status_code, f"equivalent to #{public}" in refused.text) == (422, True)


def test_of_two_equivalent_candidates_one_is_approved(app: Flask, cora: Curator) -> None:
    first, second = stored(app, candidate(EASY), candidate(RENAMED))
    assert decide(cora, "approve", f"{first}:0", f"{second}:0").status_code == 422
    assert decide(cora, "approve", f"{first}:0").status_code == 303
    assert decide(cora, "approve", f"{second}:0").status_code == 422


@pytest.mark.parametrize(
    ("givens", "columns"), [(TWO_SOLUTIONS, {}), (EASY, {"rating_version": f"{UNRATED}1"})]
)
def test_only_a_rated_puzzle_with_one_solution_is_approved(
    app: Flask, cora: Curator, givens: str, columns: dict[str, Any]
) -> None:
    (number,) = stored(app, candidate(givens, **columns))
    assert decide(cora, "approve", f"{number}:0").status_code == 422


@pytest.mark.parametrize("status", [Status.DAILY, Status.ENTERED])
def test_a_daily_and_a_players_own_puzzle_are_not_decided_on(app: Flask, cora: Curator, status: str) -> None:
    (number,) = stored(app, candidate(EASY, status=status))
    assert decide(cora, "reject", f"{number}:0").status_code in (404, 409)
    assert row_of(app, number).status == status


def test_htmx_gets_the_card_and_the_undo(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY))
    assert decide(cora, "approve", f"{number}:0", htmx=True).status_code == 200
    assert cora.page.find(id=f"puzzle-{number}")["data-status"] == "approved"
    fields = {field["name"]: field["value"] for field in cora.page.select("#undo input")}
    assert cora.post("/admin/puzzles/undos", {"entry": fields["entry"]}, htmx=True).status_code == 200
    assert row_of(app, number).status == Status.CANDIDATE


# Undo


def undo(curator: Curator, app: Flask) -> int:
    (entry, *_older) = reversed(entries(app, "puzzle"))
    return curator.post("/admin/puzzles/undos", {"entry": str(entry.id)}).status_code


@pytest.mark.both_databases
def test_a_decision_is_undone_once_within_an_hour(app: Flask, cora: Curator, clock: SetClock) -> None:
    (number,) = stored(app, candidate(EASY))
    decide(cora, "reject", f"{number}:0", reason="Dull")
    clock.advance(minutes=59)
    cora.prove()
    (entry,) = entries(app, "puzzle")
    assert cora.post("/admin/puzzles/undos", {"entry": str(entry.id)}).status_code == 303
    found = row_of(app, number)
    assert (found.status, found.reason) == (Status.CANDIDATE, None)
    assert cora.post("/admin/puzzles/undos", {"entry": str(entry.id)}).status_code == 409


def test_neither_another_nor_anybody_later_undoes_it(app: Flask, cora: Curator, clock: SetClock) -> None:
    (number,) = stored(app, candidate(EASY))
    decide(cora, "approve", f"{number}:0")
    dora = appoint(Curator(app, clock=clock, name="Dora"))
    dora.prove()
    assert undo(dora, app) == 404
    clock.advance(minutes=61)
    cora.prove()
    assert undo(cora, app) == 404


def test_what_became_a_daily_is_not_undone(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY))
    decide(cora, "approve", f"{number}:0")
    with app.app_context(), write_tx():
        puzzle = db.session.get_one(Puzzle, number)
        puzzle.status = Status.DAILY
        day = SetClock.time.date() + timedelta(days=3)
        db.session.add(Daily(date=day, level=3, puzzle=puzzle, created_at=SetClock.time))
    assert undo(cora, app) == 409


# Levels and favorites


def test_a_level_is_set_and_kept(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY))
    address = f"/admin/puzzles/{number}/level"
    assert cora.post(address, {"level": "5", "version": "0"}).status_code == 303
    assert (row_of(app, number).level, row_of(app, number).relabelled) == (5, True)
    assert cora.post(address, {"level": "4", "version": "0"}).status_code == 409
    assert cora.post(address, {"level": "6", "version": "1"}).status_code == 422


def test_a_daily_keeps_the_level_that_players_have_seen(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY, status=Status.DAILY))
    assert cora.post(f"/admin/puzzles/{number}/level", {"level": "5", "version": "0"}).status_code == 409


@pytest.mark.both_databases
def test_favorites_are_marked_and_unmarked(app: Flask, cora: Curator) -> None:
    first, second = stored(app, candidate(OTHERS[0]), candidate(OTHERS[1]))
    assert decide(cora, "favor", f"{first}:0", f"{second}:0").status_code == 303
    assert decide(cora, "unfavor", f"{second}:0").status_code == 303
    with app.app_context():
        assert traits.favorites([first, second]) == {first}
    cora.get("/admin/puzzles?q=favorite")
    assert [card["id"] for card in cora.page.select(".found")] == [f"puzzle-{first}"]


# The page of a puzzle


def test_a_puzzle_has_its_path_rating_and_at_most_thirty_controls(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY))
    assert cora.get(f"/admin/puzzles/{number}?step=1").status_code == 200
    controls = cora.page.select("main :is(a[href], button, input:not([type=hidden]), select, summary)")
    assert 5 < len(controls) <= 30
    assert len(cora.page.select(".steps > li")) > 10


def test_a_players_own_puzzle_is_not_for_curators(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY, status=Status.ENTERED))
    assert cora.get(f"/admin/puzzles/{number}").status_code == 404


def test_a_decision_leads_back_to_the_search(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(OTHERS[0], level=4))
    back = "/admin/puzzles?q=hard&done=undo%3A1%3A"
    form = {"action": "approve", "puzzle": f"{number}:0", "back": back}
    answer = cora.post("/admin/puzzles/decisions", form)
    assert answer.status_code == 303
    assert answer.location.startswith("/admin/puzzles?q=hard&done=approve%3A1%3A")
