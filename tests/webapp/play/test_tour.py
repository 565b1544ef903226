"""The guided first puzzle: a note beside a real game says the next thing to do, and goes on as it is done."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import solution_of
from tests.webapp.visitors import Visitor, solving_moves
from webapp.game import tour


@pytest.fixture
def game(guest: Visitor) -> str:
    """The address of the guided puzzle, started at the foot of how to play."""
    guest.get("/how-to-play")
    grid = guest.page.find("button", attrs={"name": "grid"})["value"]
    return guest.start(grid=grid)


def step(visitor: Visitor, game: str) -> str:
    visitor.get(game)
    return visitor.page.select_one("#tour .tour__step").text


def test_it_works(guest: Visitor, game: str) -> None:
    assert step(guest, game) == "Step 1 of 5"
    assert "row 1, column 2" in guest.page.find(id="tour").text


def test_each_thing_done_leads_to_the_next(guest: Visitor, game: str) -> None:
    guest.move(game, 1, ("digit", tour.ONE, 3))
    assert step(guest, game) == "Step 2 of 5"
    guest.move(game, 2, ("corner", tour.TWO, 2))
    assert step(guest, game) == "Step 2 of 5", "one of two marks"
    guest.move(game, 3, ("corner", tour.TWO, 9))
    assert step(guest, game) == "Step 3 of 5"
    guest.move(game, 4, ("digit", tour.TWO, 2))
    assert step(guest, game) == "Step 4 of 5"
    guest.post(f"{game}/hints", {"seq": 5})
    assert step(guest, game) == f"Step {tour.STEPS} of 5"


def test_what_is_undone_comes_again(guest: Visitor, game: str) -> None:
    guest.move(game, 1, ("digit", tour.ONE, 3))
    guest.post(f"{game}/undos", {"seq": 2})
    assert step(guest, game) == "Step 1 of 5"


def test_the_answer_to_a_move_brings_the_next_note(guest: Visitor, game: str) -> None:
    reply = guest.move(game, 1, ("digit", tour.ONE, 3))
    assert 'id="tour" role="status" hx-swap-oob="innerMorph"' in reply.text
    assert "Step 2 of 5" in reply.text


def test_the_cell_that_a_step_speaks_of_is_framed_on_the_board(guest: Visitor, game: str) -> None:
    def framed() -> list[tuple[float, float]]:
        guest.get(game)
        frames = guest.page.select("#tour-cell rect")
        return [(float(frame["x"]) // 10, float(frame["y"]) // 10) for frame in frames]

    assert framed() == [(tour.ONE % 9, tour.ONE // 9)]
    reply = guest.move(game, 1, ("digit", tour.ONE, 3))
    assert 'id="tour-cell"' in reply.text
    assert framed() == [(tour.TWO % 9, tour.TWO // 9)]
    guest.move(game, 2, ("digit", tour.TWO, 2))
    assert framed() == [], "the next step speaks of no cell"
    guest.get(f"{game}?tour=off")
    assert guest.page.find(id="tour-cell").has_attr("hidden")


def test_the_guide_can_be_left(guest: Visitor, game: str) -> None:
    guest.get(game)
    guest.get(guest.page.select_one(".tour__leave")["href"])
    assert guest.page.find(id="tour").has_attr("hidden")
    assert guest.page.find(id="board")


def test_it_ends_with_the_puzzle(guest: Visitor, game: str) -> None:
    guest.move(game, 1, *solving_moves(tour.GIVENS, solution_of(tour.GIVENS)))
    guest.get(game)
    assert guest.page.find(id="tour") is None


def test_other_games_have_no_guide(guest: Visitor) -> None:
    guest.get(guest.start(level=1))
    assert guest.page.find(id="tour") is None
