"""A position for other programs: each text is read back as the position it came from."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

import engine
from engine.formats import parse_entry
from tests.webapp.conftest import EASY
from tests.webapp.visitors import SetClock
from webapp.game import exports
from webapp.game.board import Board
from webapp.game.moves import Kind, Move

GRID = engine.parse(EASY)
FIRST, SECOND = 0, 1  # two empty cells


def played() -> Board:
    """A digit, center marks, a corner mark and the rest open."""
    board = Board.of(GRID)
    for seq, (kind, cell, digit) in enumerate(
        [(Kind.DIGIT, FIRST, 9), (Kind.CENTRE, SECOND, 4), (Kind.CENTRE, SECOND, 5), (Kind.CORNER, 2, 6)], 1
    ):
        board = board.after(Move(seq, kind, (cell,), digit=digit), SetClock.time)
    return board


def mask(*digits: int) -> int:
    return sum(1 << digit - 1 for digit in digits)


def test_a_fresh_puzzle_comes_back_from_every_link_text_and_file() -> None:
    found = exports.of_grid(GRID, "ninefold")
    texts = [address for _name, address in found.links]
    texts += [text for _key, _label, text in found.texts]
    texts += [unquote(address.partition(",")[2]) for _title, _name, address in found.files]
    for text in texts:
        entry = parse_entry(text)
        assert GRID in (entry.givens, entry.standing), text


@pytest.mark.parametrize("site", ["SudokuPad", "SudokuWiki"])
def test_a_game_is_opened_with_its_givens_and_digits_apart(site: str) -> None:
    entry = parse_entry(dict(exports.of_board(played(), "ninefold").links)[site])
    assert entry.givens == GRID
    assert (entry.standing[FIRST], entry.standing[SECOND]) == (9, 0)


def test_sudokupad_gets_the_marks_as_they_are_drawn() -> None:
    entry = parse_entry(dict(exports.of_board(played(), "ninefold").links)["SudokuPad"])
    assert entry.candidates and entry.corners
    assert (entry.candidates[SECOND], entry.candidates[2], entry.corners[2]) == (mask(4, 5), 0, mask(6))


def test_programs_that_reason_get_every_candidate_the_marks_leave() -> None:
    board = played()
    entry = parse_entry(dict(exports.of_board(board, "ninefold").links)["SudokuWiki"])
    assert entry.candidates
    assert entry.candidates[SECOND] == mask(4, 5)
    open_there = engine.Position.from_grid(engine.Grid(bytes(board.digits))).candidates(2)
    assert entry.candidates[2] == mask(*open_there), "a corner mark rules nothing out"


def test_sudoku_coach_gets_every_digit_that_stands() -> None:
    found = exports.of_board(played(), "ninefold")
    assert str(parse_entry(dict(found.links)["sudoku.coach"]).givens) == "9" + EASY[1:]
    assert [key for key, _label, _text in found.texts] == ["givens", "digits", "candidates"]
