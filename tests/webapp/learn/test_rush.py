"""Puzzle rush: questions that follow from the board, the server's three minutes, and its leaderboard."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.learn.drills import stock_up
from tests.webapp.visitors import SetClock, Visitor
from webapp.learn.rush import questions, rush
from webapp.models import Listing, Player, RushRun
from webapp.process.clock import now
from webapp.process.database import db, write_tx


def begun(visitor: Visitor) -> str:
    """Return the address of a new run."""
    response = visitor.post("/rush")
    assert response.status_code == 303, response.text
    return response.location


def latest(app: Flask) -> RushRun:
    with app.app_context():
        run = db.session.scalars(sa.select(RushRun).order_by(RushRun.id.desc()).limit(1)).one()
        db.session.expunge(run)
        return run


def answered(app: Flask, visitor: Visitor, address: str, *, right: bool = True) -> int:
    """Answer the open question. Returns the status."""
    run = latest(app)
    digit = run.digit if right else run.digit % 9 + 1
    return visitor.post(f"{address}/answers", {"number": run.number, "digit": digit}).status_code


def played(app: Flask, clock: SetClock, visitor: Visitor, right: int, each: float = 3.0) -> str:
    """Play a run with that many right answers, to its end."""
    address = begun(visitor)
    for _ in range(right):
        clock.advance(seconds=each)
        assert answered(app, visitor, address) == 303
    clock.advance(minutes=3)
    return address


@pytest.mark.both_databases
def test_it_works(app: Flask, clock: SetClock, ada: Visitor) -> None:
    address = played(app, clock, ada, 4)
    assert "4 steps" in ada.get(address).text
    page = ada.get("/rush")
    assert page.status_code == 200
    row = ada.page.select_one("tbody tr")
    assert row is not None
    assert row.get_text(" ").split() == ["1", "Ada", "(you)", "4"]
    assert "Your best: 4 steps" in page.text


@pytest.mark.parametrize("number", [1, 5, 20, 100])
def test_the_digit_follows_from_the_board(app: Flask, number: int) -> None:
    with app.app_context():
        stock_up()
        for _ in range(10):
            asked = questions.ask(number)
            position = engine.Position.from_grid(engine.parse(asked.digits))
            singles = ("full_house", "hidden_single", "naked_single")
            steps = [step for key in singles for step in engine.find(position, key)]
            assert any((asked.cell, asked.digit) in step.placements for step in steps)


def test_the_page_does_not_hold_the_answer(app: Flask, guest: Visitor) -> None:
    address = begun(guest)
    guest.get(address)
    marked = guest.page.select_one("#board [data-selected]")
    assert marked is not None
    assert marked["id"] == f"c{latest(app).cell}"
    assert not marked.has_attr("data-digit")
    assert not guest.page.select(".pencil")


def test_a_question_is_answered_once(app: Flask, guest: Visitor) -> None:
    address, run = begun(guest), latest(app)
    for _ in range(3):
        assert guest.post(f"{address}/answers", {"number": 1, "digit": run.digit}).status_code == 303
    assert (latest(app).right, latest(app).wrong) == (1, 0)


def test_three_misses_end_a_run(app: Flask, guest: Visitor) -> None:
    address = begun(guest)
    for _ in range(4):
        answered(app, guest, address, right=False)
    assert latest(app).wrong == 3
    assert "third miss" in guest.get(address).text


def test_an_answer_after_three_minutes_does_not_count(app: Flask, clock: SetClock, guest: Visitor) -> None:
    address = begun(guest)
    clock.advance(minutes=3)
    assert answered(app, guest, address) == 303
    assert latest(app).right == 0
    assert "Time’s up" in guest.get(address).text


def test_a_new_run_ends_the_one_before(app: Flask, clock: SetClock, guest: Visitor) -> None:
    first = begun(guest)
    answered(app, guest, first)
    clock.advance(seconds=5)
    begun(guest)
    assert "1 step" in guest.get(first).text


def test_htmx_gets_the_next_question_in_place(app: Flask, guest: Visitor) -> None:
    address, run = begun(guest), latest(app)
    answer = guest.post(f"{address}/answers", {"number": 1, "digit": run.digit}, htmx=True)
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<div class="rush"')
    assert 'name="number" value="2"' in answer.text


@pytest.mark.both_databases
def test_the_leaderboard_has_each_players_best_and_only_who_is_listed(
    app: Flask, clock: SetClock, ada: Visitor, guest: Visitor
) -> None:
    played(app, clock, guest, 5)
    played(app, clock, ada, 3)
    played(app, clock, ada, 2)
    assert rows(ada, "/rush") == ["3"]
    clock.advance(days=1)
    assert rows(ada, "/rush") == []
    assert rows(ada, "/rush?scope=all") == ["3"]
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Player).values(listing=Listing.NONE))
    assert rows(ada, "/rush?scope=all") == []


def rows(visitor: Visitor, address: str) -> list[str]:
    """Return the figures of the leaderboard."""
    visitor.get(address)
    return [cell.text for cell in visitor.page.select("tbody .table__figure")]


def test_a_run_faster_than_reading_is_not_listed(app: Flask, clock: SetClock, ada: Visitor) -> None:
    address = begun(ada)
    for _ in range(10):
        clock.advance(seconds=0.5)
        answered(app, ada, address)
    for _ in range(rush.MOST_WRONG):
        answered(app, ada, address, right=False)
    assert rows(ada, "/rush") == []


@pytest.mark.both_databases
def test_old_runs_go_except_each_players_best(
    app: Flask, clock: SetClock, ada: Visitor, guest: Visitor
) -> None:
    best, _less, equal = (played(app, clock, ada, right) for right in (2, 1, 2))
    rushed = played(app, clock, ada, 3, each=0.1)  # faster than reading
    only = played(app, clock, guest, 0)
    clock.advance(days=29)
    recent = played(app, clock, ada, 1)
    with app.app_context():
        assert rush.prune(clock.time) == 0
        assert rush.prune(clock.time + timedelta(days=2)) == 2
        assert rush.prune(clock.time + timedelta(days=2)) == 0
        kept = {f"/rush/{key}" for key in db.session.scalars(sa.select(RushRun.key))}
    assert kept == {best, rushed, only, recent}
    assert equal not in kept


def test_who_registers_keeps_the_runs(app: Flask, clock: SetClock, guest: Visitor) -> None:
    played(app, clock, guest, 2)
    assert guest.register("Carl").status_code == 303
    assert "Your best: 2 steps" in guest.get("/rush").text


@pytest.mark.parametrize("digit", ["", "0", "10", "x", "-1"])
def test_bad_digit(app: Flask, guest: Visitor, digit: str) -> None:
    address = begun(guest)
    assert guest.post(f"{address}/answers", {"number": 1, "digit": digit}).status_code == 422
    assert latest(app).number == 1


@pytest.mark.parametrize("number", ["", "0", "2", "x"])
def test_bad_number_changes_nothing(app: Flask, guest: Visitor, number: str) -> None:
    address, run = begun(guest), latest(app)
    assert guest.post(f"{address}/answers", {"number": number, "digit": run.digit}).status_code == 303
    assert latest(app).right == 0


def test_bad_address(ada: Visitor) -> None:
    assert ada.get("/rush/x").status_code == 404
    assert ada.get(f"/rush/{'x' * 22}").status_code == 404
    assert ada.get("/rush?scope=year").status_code == 422


def test_a_run_ends_with_every_miss_and_what_shows_the_digit(app: Flask, guest: Visitor) -> None:
    address = begun(guest)
    lost = latest(app)
    with app.app_context():  # an answer whose response never arrives
        rush.answer(lost.player_id, lost.key, 1, lost.digit % 9 + 1, now())
    for number in range(1, 4):
        run = latest(app)
        guest.post(f"{address}/answers", {"number": number, "digit": run.digit % 9 + 1})
    guest.get(address)
    misses = guest.page.select(".rush__miss")
    assert len(misses) == 3
    assert all(len(miss.select(".cell")) == 81 and miss.select_one(".step") for miss in misses)
    assert f"you answered {run.digit % 9 + 1}" in misses[2].h2.text
