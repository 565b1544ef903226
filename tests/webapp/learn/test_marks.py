"""Marks: a reader's eliminations and placements, as one line of text."""

from __future__ import annotations

import pytest
from flask import Flask

import engine
from webapp.learn import marks
from webapp.learn.marks import MarkingBoard, Marks
from webapp.process.errors import BadInput

GRID = engine.parse(".1.8..6...98...........75....2.5...6.7319..2.....3..8.2.......3..7..3...8..9.1...")
POSITION = engine.Position.from_grid(GRID)


def test_a_line_reads_back_as_it_was_written() -> None:
    found = Marks(frozenset({(0, 3)}), frozenset({(2, 4), (2, 5), (4, 4)}))
    assert str(found) == "r1c1=3 r1c3-45 r1c5-4"
    assert marks.read(str(found), POSITION) == found


@pytest.mark.parametrize("text", ["r1c3-4,r1c3-5", "R1C3-45", "r1c3<>45", "  r1c3-5\n;r1c3-4 "])
def test_a_line_may_be_written_in_several_ways(text: str) -> None:
    assert marks.read(text, POSITION) == Marks(eliminations=frozenset({(2, 4), (2, 5)}))


def test_no_marks_are_no_marks() -> None:
    assert not marks.read(" ", POSITION)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r1c3-4 r1c10-4", "We can’t read “r1c10-4”"),
        ("x" * 60, "We can’t read “" + "x" * 40 + "”"),
        ("r1c3=45", "several digits in one cell"),
        ("r1c2-4", "already filled"),
        ("r1c3-9", "9 isn’t a candidate there"),
        ("r1c3=4 r1c3-4", "both place and cross out 4 in r1c3"),
        ("r1c3=4 r1c3=5", "two digits in r1c3"),
        ("r1c3-4 " * 400, "too long"),
    ],
)
def test_what_is_wrong_is_named(site: Flask, text: str, said: str) -> None:
    with site.test_request_context(), pytest.raises(BadInput) as refused:
        marks.read(text, POSITION)
    assert said in refused.value.fields["marks"]


def test_the_board_shows_the_marks() -> None:
    board = MarkingBoard(POSITION, marks.read("r1c3-5 r1c1=3", POSITION))
    assert (board.cells[2].candidates, board.cells[2].struck) == ((4,), (5,))
    assert (board.cells[0].digit, board.cells[0].given) == (3, False)
    assert board.line == "r1c1=3 r1c3-5"
    assert board.candidates.startswith("[184,0,48,")
