"""Looking back at a solved puzzle: one's own alone, and only once it is solved."""

from __future__ import annotations

from tests.webapp.conftest import EASY, solution_of
from tests.webapp.site import SetClock, Visitor, solving_moves

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


def test_the_longest_wait_is_named(guest: Visitor, clock: SetClock) -> None:
    response = guest.get(f"{solved(guest, clock)}/review")
    assert "move 11" in response.text


def test_a_number_out_of_range_shows_an_end(guest: Visitor, clock: SetClock) -> None:
    address = solved(guest, clock)
    for number in ("-5", "9999", "x"):
        assert guest.get(f"{address}/review?move={number}").status_code == 200


def test_before_the_end_there_is_nothing_to_look_back_at(guest: Visitor) -> None:
    assert guest.get(f"{guest.start(grid=EASY)}/review").status_code == 404


def test_another_players_review_is_not_found(guest: Visitor, other: Visitor, clock: SetClock) -> None:
    assert other.get(f"{solved(guest, clock)}/review").status_code == 404
