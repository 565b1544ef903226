"""Looking back at a solved puzzle: the player's own alone, and only once it is solved."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup
from flask import render_template

import engine
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.game.steps import StepView

MOVES = solving_moves(EASY, solution_of(EASY))


def solved(visitor: Visitor, clock: SetClock) -> str:
    address = visitor.start(grid=EASY)
    visitor.move(address, 1, *MOVES[:10])
    clock.advance(minutes=3)
    visitor.move(address, 11, *MOVES[10:])
    return address


def test_it_works(guest: Visitor, clock: SetClock) -> None:
    address = solved(guest, clock)
    response = guest.get(f"{address}/review")
    assert response.status_code == 200
    assert len(guest.page.find_all(attrs={"data-digit": True})) == 81
    assert guest.page.find_all("li", class_="review__step")


def test_an_earlier_moment_can_be_shown(guest: Visitor, clock: SetClock) -> None:
    address = solved(guest, clock)
    guest.get(f"{address}/review?move=3")
    shown = {
        cell["id"]
        for cell in guest.page.find_all(attrs={"data-digit": True})
        if not cell.has_attr("data-given")
    }
    assert shown == {f"c{cell}" for _kind, cell, _digit in MOVES[:3]}
    assert [cell["id"] for cell in guest.page.select("[data-selected]")] == [f"c{MOVES[2][1]}"]


def test_a_number_out_of_range_shows_an_end(guest: Visitor, clock: SetClock) -> None:
    address = solved(guest, clock)
    for number in ("-5", "9999", "x"):
        assert guest.get(f"{address}/review?move={number}").status_code == 200


def test_before_the_end_there_is_nothing_to_look_back_at(guest: Visitor) -> None:
    assert guest.get(f"{guest.start(grid=EASY)}/review").status_code == 404


def test_another_players_review_is_not_found(guest: Visitor, other: Visitor, clock: SetClock) -> None:
    assert other.get(f"{solved(guest, clock)}/review").status_code == 404


def test_a_long_wait_is_named_with_what_there_was_to_see(guest: Visitor, clock: SetClock) -> None:
    guest.get(f"{solved(guest, clock)}/review")
    stall = guest.page.find(class_="review__stall")
    assert "3:00 before move 11" in stall.text
    assert stall.find("a")["data-move"] == "10"
    assert re.fullmatch(r"\d in r\dc\d, \w+ \w+( \(box \d\))?", stall.find("summary").text)


def test_a_step_of_the_path_is_shown_as_logic_had_the_board(guest: Visitor, clock: SetClock) -> None:
    address = solved(guest, clock)
    path = engine.solve_path(engine.parse(EASY)).steps
    guest.get(f"{address}/review?step=4")
    filled = {cell["id"] for cell in guest.page.find_all(attrs={"data-digit": True})}
    placed = {cell for step in path[:3] for cell, _digit in step.placements}
    assert filled == {f"c{cell}" for cell in range(81) if EASY[cell] != "." or cell in placed}
    assert guest.page.find(id="overlay").find_all(True)
    assert guest.page.find(id="step-4").find("details").has_attr("open")


def test_the_path_says_where_and_folds_singles(guest: Visitor, clock: SetClock) -> None:
    guest.get(f"{solved(guest, clock)}/review")
    path = engine.solve_path(engine.parse(EASY)).steps
    cell, digit = min(path[0].placements)
    run, step = guest.page.select_one(".review__run"), guest.page.find(id="step-1")
    assert run.find("summary").text.split()[-1] == "singles"
    assert not run.find("details").has_attr("open")
    assert f"{digit} in r{cell // 9 + 1}c{cell % 9 + 1}," in step.find("summary").text


def test_a_step_that_is_not_there_shows_the_players_own_moves(guest: Visitor, clock: SetClock) -> None:
    address = solved(guest, clock)
    for number in ("0", "999", "-1", "x"):
        assert guest.get(f"{address}/review?step={number}").status_code == 200
        assert len(guest.page.find_all(attrs={"data-digit": True})) == 81
        assert guest.page.find(id="overlay") is None


def test_the_reasons_name_what_stands_on_the_board(guest: Visitor, clock: SetClock) -> None:
    """As in a hint: with the position, a single names the digits that lead to it."""
    guest.get(f"{solved(guest, clock)}/review")
    grid = engine.parse(EASY)
    step = engine.solve_path(grid).steps[0]
    with guest.app.test_request_context():
        view = StepView(step, engine.Position.from_grid(grid))
        rendered = render_template(view.template, step=view)
    first = guest.page.find(id="step-1").find(class_="step")
    assert first.text.split() == BeautifulSoup(rendered, "html.parser").text.split()


def test_the_next_puzzle_is_one_press_away(guest: Visitor, clock: SetClock) -> None:
    guest.get(f"{solved(guest, clock)}/review")
    button = guest.page.find("button", attrs={"name": "level"})
    assert guest.post("/attempts", {"level": button["value"]}).status_code == 303
