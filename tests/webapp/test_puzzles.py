"""A puzzle's page and puzzles on paper."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY, solution_of
from tests.webapp.site import SetClock, Visitor, givens_on, solving_moves
from webapp.database import db
from webapp.models import Puzzle


def puzzle_id(app: Flask, level: int) -> int:
    with app.app_context():
        return db.session.scalars(sa.select(Puzzle.id).where(Puzzle.level == level)).one()


def test_it_works(app: Flask, guest: Visitor) -> None:
    number = puzzle_id(app, 2)
    response = guest.get(f"/puzzles/{number}")
    assert response.status_code == 200
    assert "Nobody has solved it" in response.text
    guest.start(puzzle=number)


def test_the_median_of_solves_is_shown_as_provisional(
    app: Flask, guest: Visitor, other: Visitor, clock: SetClock
) -> None:
    number = puzzle_id(app, 2)
    for visitor, minutes in ((guest, 5), (other, 7)):
        address = visitor.start(puzzle=number)
        visitor.get(address)
        givens = givens_on(visitor.page)
        clock.advance(minutes=minutes)
        visitor.move(address, 1, *solving_moves(givens, solution_of(givens)))
    response = guest.get(f"/puzzles/{number}")
    assert "6:00" in response.text
    assert "Provisional" in response.text


@pytest.mark.parametrize("number", ["0", "999999", "99999999999999999999"])
def test_an_unknown_puzzle_is_not_found(guest: Visitor, number: str) -> None:
    assert guest.get(f"/puzzles/{number}").status_code == 404


@pytest.mark.parametrize("address", ["/puzzles/999999", "/puzzles/none", "/attempts/" + "x" * 22])
def test_where_no_puzzle_is_one_can_be_found(guest: Visitor, address: str) -> None:
    guest.get(address)
    form = guest.page.select_one("main form[role=search]")
    assert (form["method"], form["action"]) == ("get", "/puzzles")
    assert form.find("input", attrs={"name": "find"}) is not None


def test_elsewhere_a_missing_page_looks_for_no_puzzle(guest: Visitor) -> None:
    guest.get("/nothing-here")
    assert guest.page.select_one("main form") is None


@pytest.mark.parametrize(
    ("text", "to"),
    [
        (" 214 ", "/puzzles/214"),
        (EASY, f"/enter?grid={EASY}"),
        (EASY.replace(".", "0"), f"/enter?grid={EASY.replace('.', '0')}"),
        ("", "/enter"),
        ("٣", "/enter?grid=%D9%A3"),
    ],
)
def test_a_puzzle_is_found_by_its_number_or_its_grid(guest: Visitor, text: str, to: str) -> None:
    response = guest.client.get("/puzzles", query_string={"find": text})
    assert (response.status_code, response.location) == (302, to)


def test_an_entered_puzzle_has_no_page(app: Flask, guest: Visitor) -> None:
    guest.start(grid=EASY.replace("7", "x").replace("1", "7").replace("x", "1"))
    with app.app_context():
        entered = db.session.scalars(sa.select(Puzzle.id).where(Puzzle.status == "entered")).one()
    assert guest.get(f"/puzzles/{entered}").status_code == 404
    assert guest.get(f"/print?puzzle={entered}").text.count("<figure") == 0


@pytest.mark.parametrize(
    ("query", "puzzles", "pages"),
    [("level=2", 1, 1), ("level=2&count=9", 1, 1), ("per=3", 1, 1), ("level=9", 0, 0), ("puzzle=x", 1, 1)],
)
def test_puzzles_are_laid_out_on_paper(guest: Visitor, query: str, puzzles: int, pages: int) -> None:
    response = guest.get(f"/print?{query}")
    assert response.status_code == 200
    assert response.text.count("<figure") == puzzles
    assert response.text.count('<section class="paper') == pages


def test_chosen_puzzles_keep_their_order(app: Flask, guest: Visitor) -> None:
    numbers = [puzzle_id(app, level) for level in (4, 1, 3)]
    guest.get("/print?per=2&" + "&".join(f"puzzle={number}" for number in numbers))
    captions = [caption.text for caption in guest.page.find_all("figcaption")]
    assert [int(caption.split()[-1]) for caption in captions] == numbers
