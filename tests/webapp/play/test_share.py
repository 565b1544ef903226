"""The text that a player shares after a solve."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.conftest import EASY, solution_of
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.play.finish_views import share_text

MOVES = solving_moves(EASY, solution_of(EASY))


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"elapsed_ms": 462_999, "hints": 0, "rank": (31, 410)}, "7:42, no hints, rank 31 of 410"),
        ({"elapsed_ms": 3_725_000, "hints": 1}, "1:02:05, 1 hint"),
        ({"elapsed_ms": 59_000, "hints": 0, "checks": 1, "assisted": True}, "0:59, help used, 1 check"),
        ({"elapsed_ms": 59_000, "hints": 2, "checks": 3}, "0:59, 2 hints, 3 checks"),
    ],
)
def test_it_has_name_level_time_and_help(app: Flask, facts: dict[str, int], text: str) -> None:
    with app.test_request_context():
        assert share_text("#214", 4, **facts) == f"Ninefold Sudoku #214 (Hard) {text}"
        assert share_text("214", 4, elapsed_ms=None, hints=0) == "Ninefold Sudoku 214 (Hard), no hints"


def test_the_finish_offers_it_as_plain_text(guest: Visitor, clock: SetClock) -> None:
    address = guest.start(level=5)
    guest.post(f"{address}/hints", {"depth": "1"})
    guest.post(f"{address}/hints", {"depth": "2"})  # the same hint, deeper
    clock.advance(seconds=65)
    guest.finish(address, 3)
    guest.get(address)
    field = guest.page.find(id="share-text")
    first, second = field.text.split("\n")
    number = second.rpartition("/")[2]
    assert first == f"Ninefold Sudoku {number} (Evil) 1:05, 1 hint"
    assert second == f"http://localhost/puzzles/{number}"
    assert field.has_attr("readonly")


def test_a_puzzle_of_ones_own_is_shared_as_its_givens(guest: Visitor) -> None:
    own = EASY[::-1]
    address = guest.start(grid=own)
    guest.finish(address)
    guest.get(address)
    assert guest.page.find(id="share-text").text.endswith(f"/enter?grid={own}")
    guest.get(f"/enter?grid={own}")
    assert guest.page.find(id="verdict")["data-playable"] == "yes"


def test_before_the_end_there_is_nothing_to_share(guest: Visitor) -> None:
    guest.get(guest.start(grid=EASY))
    assert guest.page.find(id="share-text") is None


def test_a_player_without_a_timer_shares_no_time(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.client.set_cookie("ui", "timer-off.theme-dark")
    guest.move(address, 1, *MOVES)
    guest.get(address)
    assert ":" not in guest.page.find(id="share-text").text.split("\n")[0]
