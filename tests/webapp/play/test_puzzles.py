"""A puzzle's page and puzzles on paper."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY, solution_of
from tests.webapp.statements import change, one
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.models import Attempt, Puzzle

ENTERED = EASY.translate(str.maketrans("17", "71"))  # not in the bank


def puzzle_id(app: Flask, level: int) -> int:
    return one(app, sa.select(Puzzle.id).where(Puzzle.level == level))


def test_it_works(app: Flask, guest: Visitor) -> None:
    number = puzzle_id(app, 2)
    response = guest.get(f"/puzzles/{number}")
    assert response.status_code == 200
    assert "No one has solved it" in response.text
    guest.start(puzzle=number)


def test_the_median_of_few_solves_is_shown_with_how_few_they_are(
    app: Flask, guest: Visitor, other: Visitor, clock: SetClock
) -> None:
    number = puzzle_id(app, 2)
    for visitor, minutes in ((guest, 5), (other, 7)):
        address = visitor.start(puzzle=number)
        clock.advance(minutes=minutes)
        visitor.finish(address)
    response = guest.get(f"/puzzles/{number}")
    assert "6:00" in response.text
    assert "Fewer than 30 solves so far." in response.text


@pytest.mark.parametrize("number", ["0", "999999", "99999999999999999999"])
def test_an_unknown_puzzle_is_not_found(guest: Visitor, number: str) -> None:
    assert guest.get(f"/puzzles/{number}").status_code == 404


@pytest.mark.parametrize(
    "address", ["/puzzles/999999", "/puzzles/none", "/attempts/" + "x" * 22, "/nothing-here"]
)
def test_where_no_puzzle_is_one_can_be_found(guest: Visitor, address: str) -> None:
    guest.get(address)
    form = guest.page.select_one("main form[role=search]")
    assert (form["method"], form["action"]) == ("get", "/puzzles")
    assert form.find("input", attrs={"name": "find"}) is not None


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


def test_an_entered_puzzle_has_no_page_and_is_on_nobody_elses_paper(
    app: Flask, guest: Visitor, other: Visitor
) -> None:
    guest.start(grid=ENTERED)
    other.start(level=1)
    entered = one(app, sa.select(Puzzle.id).where(Puzzle.status == "entered"))
    assert guest.get(f"/puzzles/{entered}").status_code == 404
    assert other.get(f"/print?puzzle={entered}").text.count("<figure") == 0
    assert Visitor(app).get(f"/print?puzzle={entered}").text.count("<figure") == 0


@pytest.mark.parametrize(
    ("query", "puzzles", "pages"),
    [("level=2", 1, 1), ("level=2&count=9", 1, 1), ("per=3", 1, 1), ("level=9", 1, 1), ("puzzle=x", 1, 1)],
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


def figures(visitor: Visitor, query: str) -> list[tuple[str, str]]:
    """Return the puzzles on paper: the words below each, and its cells as a line."""
    visitor.get(f"/print?{query}")
    found = []
    for figure in visitor.page.find_all("figure"):
        cells = ["."] * 81
        for text in figure.find_all("text"):
            cells[int(9 * (float(text["y"]) // 10) + float(text["x"]) // 10)] = text.text
        found.append((figure.figcaption.text, "".join(cells)))
    return found


@pytest.mark.both_databases
def test_the_rating_is_printed_where_it_is_asked_for(app: Flask, guest: Visitor) -> None:
    number = puzzle_id(app, 4)
    change(app, sa.update(Puzzle).where(Puzzle.id == number).values(explainer=4.4))
    ((plain, _cells),) = figures(guest, f"puzzle={number}")
    ((rated, _cells),) = figures(guest, f"puzzle={number}&rating=1")
    assert "4.4" not in plain
    assert "4.4" in rated


def test_solutions_come_on_request_but_not_of_a_game_in_play(
    app: Flask, guest: Visitor, other: Visitor
) -> None:
    number = puzzle_id(app, 2)
    query = f"puzzle={number}&puzzle={number}&solutions=1"
    address = guest.start(puzzle=number)
    guest.get(address)
    givens = guest.givens
    solution = solution_of(givens)
    moves = solving_moves(givens, solution)
    guest.move(address, 1, *moves[:-1])
    assert len(figures(guest, query)) == 2
    assert guest.page.select_one(".paper__note") is not None
    guest.move(address, len(moves), moves[-1])
    for visitor in (guest, other):
        assert [cells for _words, cells in figures(visitor, query)[2:]] == [solution]
    assert len(figures(guest, query.replace("solutions=1", ""))) == 2


@pytest.mark.both_databases
def test_a_sheet_of_any_level_has_its_solutions_on_a_sheet_of_their_own(guest: Visitor) -> None:
    found = figures(guest, "level=3&per=1&solutions=1")
    assert [solution_of(found[0][1])] == [cells for _words, cells in found[1:]]
    assert len(guest.page.select("section.paper")) == 2


def test_the_foot_of_a_sheet_has_the_address_of_the_site(guest: Visitor) -> None:
    guest.get("/print?level=3")
    assert guest.page.select_one(".paper__foot").text == "Ninefold · localhost"


@pytest.mark.both_databases
def test_ones_own_puzzle_is_printed_with_its_solution_once_it_is_solved(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=ENTERED)
    number = one(app, sa.select(Puzzle.id).where(Puzzle.status == "entered"))
    query = f"puzzle={number}&solutions=1"
    assert [line for _words, line in figures(guest, query)] == [ENTERED]
    guest.finish(address)
    assert [line for _words, line in figures(guest, query)] == [ENTERED, solution_of(ENTERED)]


@pytest.mark.both_databases
def test_a_daily_is_on_no_paper_even_when_it_is_solved(app: Flask, guest: Visitor) -> None:
    with app.app_context():
        list(bank.stock_up(3, SetClock.time, rated=False))
        list(schedule.schedule(SetClock.time, rated=False))
    guest.finish(guest.start(daily="2026-03-01", level=2, ranked=1))
    assert guest.page.find(id="status")["data-state"] == "solved"
    number = one(app, sa.select(Attempt.puzzle_id))
    assert figures(guest, f"puzzle={number}&solutions=1") == []
