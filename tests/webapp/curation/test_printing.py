"""PDF and SVG of puzzles: what a printed week holds, how it is laid out, who may have it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_schedule import in_the_bank
from tests.webapp.conftest import EASY, new_puzzle, solution_of
from tests.webapp.desk import MONDAY, Curator, entries
from tests.webapp.visitors import SetClock
from webapp.bank import offer
from webapp.competition.daily import schedule
from webapp.competition.daily.slots import Seen
from webapp.curation.puzzles import paper
from webapp.curation.puzzles.paper import Layout, Printed
from webapp.models import Peek, Puzzle
from webapp.process.database import db, write_tx

SOLUTION = solution_of(EASY)


def opened(document: bytes) -> Any:
    """Open a PDF with Chrome's reader."""
    import pypdfium2

    return pypdfium2.PdfDocument(document)


def texts(document: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in opened(document)]


def printed(count: int, title: str = "") -> list[Printed]:
    return [Printed(EASY, SOLUTION, f"Puzzle {at}", "about 8 min", title) for at in range(count)]


def ink(document: bytes) -> tuple[int, int, int, int]:
    """Return the box around everything on the last page."""
    found = opened(document)
    picture = found[len(found) - 1].render(scale=1).to_pil().convert("L")
    box: tuple[int, int, int, int] = picture.point(lambda shade: 255 if shade < 200 else 0).getbbox()
    return box


@pytest.fixture
def week(app: Flask) -> list[int]:
    """A week of dailies at level 3."""
    with app.app_context():
        numbers = in_the_bank([5 + at / 10 for at in range(7)])
        for at, number in enumerate(numbers):
            slot = Seen(MONDAY + timedelta(days=at), 3, None)
            schedule.assign(None, slot, number, SetClock.time)
    return numbers


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator, week: list[int]) -> None:
    """Every daily of the week is there with its day, number, digits and solution, and counts as seen."""
    answer = cora.get(f"/admin/puzzles/pdf?from={MONDAY}&days=7&per=4&heading=Our+week")
    assert (answer.status_code, answer.content_type) == (200, "application/pdf")
    pages = texts(answer.data)
    assert len(pages) == 3  # two of puzzles, one of solutions
    assert all("Our week" in page for page in pages[:2])
    assert not any(host in pages[0] for host in ("127.0.0.1", "localhost", ":8000"))
    for at, number in enumerate(week):
        assert f"#{number}" in pages[at // 4]
    assert "Solutions" in pages[2]
    with app.app_context():
        assert set(db.session.scalars(sa.select(Peek.puzzle_id))) >= set(week)
    assert [entry.curator_name for entry in entries(app, "export")] == ["Cora"]


def test_more_than_a_printout_holds(app: Flask, cora: Curator) -> None:
    with app.app_context():
        numbers = in_the_bank([5] * (offer.MOST_PRINTED + 1))
    pages = texts(cora.get("/admin/puzzles/pdf?q=approved&per=6&solutions=none").data)
    assert all(f"#{number}" in "".join(pages) for number in numbers)


@pytest.mark.parametrize(("per", "size"), [(1, "a4"), (2, "letter"), (4, "a4"), (6, "letter")])
def test_pages_hold_as_many_puzzles_as_asked(per: int, size: str) -> None:
    found = opened(paper.pdf(printed(13), "Pack", "Ninefold", Layout(per, paper.END, size)))
    assert len(found) == -(-13 // per) + 2
    assert found[0].get_size() == pytest.approx(paper.PAPERS[size], abs=0.1)


@pytest.mark.parametrize("per", [1, 2, 4, 6])
@pytest.mark.parametrize("solutions", paper.SOLUTIONS)
def test_ink_stays_inside_the_margins(per: int, solutions: str) -> None:
    """And no two boards touch: every row of the page's middle has white between its columns."""
    found = opened(paper.pdf(printed(per, "Rätsel"), "Pack", "Ninefold", Layout(per, solutions)))
    picture = found[0].render(scale=1).to_pil().convert("L")
    box = picture.point(lambda shade: 255 if shade < 200 else 0).getbbox()
    wide, high = picture.size
    margin = paper.MARGIN - 4
    assert box[0] >= margin and box[1] >= margin - 8
    assert box[2] <= wide - margin and box[3] <= high - margin + 8
    if paper.COLUMNS[per] == 2:
        middle = picture.crop((wide // 2 - 2, 100, wide // 2 + 2, high - 200))
        assert middle.getextrema()[0] > 200


def test_boards_are_vectors_and_fonts_are_embedded() -> None:
    document = paper.pdf(printed(1), "Pack", "Ninefold", Layout(1))
    assert b"/Subtype /Image" not in document
    assert b"/FontFile2" in document


@pytest.mark.parametrize(
    "title", ["Rätsel für Köln", "¿Mañana, niño?", "日曜のパズル", "星期日的数独", "Sunday’s best"]
)
def test_titles_of_all_five_languages_can_be_read(title: str) -> None:
    (page, *_rest) = texts(paper.pdf(printed(1, title), title, "Ninefold", Layout(1)))
    assert page.count(title) == 2


def test_thin_spaces_are_drawn_as_spaces() -> None:
    (page, *_rest) = texts(paper.pdf(printed(1), "Nov 28\u2009–\u200930,\u202f2026", "Ninefold", Layout(1)))
    assert "Nov 28 – 30, 2026" in page


def test_the_last_page_is_filled_by_what_is_left() -> None:
    """Its puzzle is as large as on a page of its own."""
    last, own = (
        ink(paper.pdf(printed(count), "Pack", "Ninefold", Layout(4, paper.NONE))) for count in (5, 1)
    )
    assert all(abs(one - other) <= 3 for one, other in zip(last, own, strict=True)), (last, own)


def test_a_long_heading_is_cut_before_it_leaves_the_page() -> None:
    box = ink(paper.pdf(printed(1), 60 * "word ", "Ninefold", Layout(6, paper.NONE)))
    assert box[2] <= paper.PAPERS["a4"][0] - paper.MARGIN + 4


@pytest.mark.parametrize(
    "asked",
    ["per=3", "solutions=x", "paper=a5", "from=soon", f"from={MONDAY}&days=32", f"heading={101 * 'x'}"],
)
def test_what_cannot_be_printed_is_said(cora: Curator, asked: str) -> None:
    assert cora.get(f"/admin/puzzles/pdf?{asked}").status_code == 422
    assert cora.get("/admin/puzzles/pdf?from=2030-01-01").status_code == 404  # no dailies


def test_a_puzzle_is_a_picture(app: Flask, cora: Curator) -> None:
    with app.app_context(), write_tx():
        puzzle = new_puzzle(3)
        db.session.add(puzzle)
        db.session.flush()
        number, clues = puzzle.id, 81 - puzzle.givens.count(".")
    drawn = ET.fromstring(cora.get(f"/admin/puzzles/{number}.svg").text)
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}text"))) == clues
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).where(Puzzle.id == Peek.puzzle_id))
