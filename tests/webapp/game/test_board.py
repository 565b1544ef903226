"""The server's fold of the move log: the cases it shares with the browser's, and the time, which only it
computes.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from webapp.game.board import Board, in_conflict
from webapp.game.cells import cell_view
from webapp.game.moves import Kind, Move
from webapp.process.errors import BadMove

SHARED = json.loads((Path(__file__).parents[2] / "data" / "moves.json").read_text())
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def play(moves: list[list[Any]], givens: str = SHARED["givens"]) -> Board:
    board = Board.of(engine.parse(givens))
    for seq, (kind, cell, digit) in enumerate(moves, 1):
        board = board.after(
            Move.from_fields(str(seq), kind, cell, str(digit)), START + timedelta(seconds=seq)
        )
    return board


def spelt(mask: int) -> str:
    return "".join(str(digit) for digit in range(1, 10) if mask & 1 << digit - 1)


def described(board: Board, cells_with_candidates: list[str]) -> dict[str, Any]:
    """Describe a board in the format of the shared cases, without empty or false values."""
    layers = board.layers
    whole = {
        "digits": {
            str(cell): digit for cell, digit in enumerate(layers.digits) if digit and not board.givens[cell]
        },
        **{
            name: {str(cell): spelt(mask) for cell, mask in enumerate(layer) if mask}
            for name, layer in (
                ("corner", layers.corner),
                ("centre", layers.centre),
                ("colours", layers.colour),
                ("struck", layers.struck),
            )
        },
        "tints": {
            f"{cell}:{digit}": "".join(map(str, colors))
            for cell in range(81)
            for digit, colors in cell_view(board, cell).candidate_colours.items()
        },
        "fill": spelt(layers.fill),
        "conflicts": [cell for cell in range(81) if in_conflict(layers.digits, cell)],
        "candidates": {cell: spelt(board.candidates(int(cell))[0]) for cell in cells_with_candidates},
        "can_undo": board.done is not None,
        "can_redo": board.undone is not None,
        "paused": board.paused_since is not None,
        "assisted": board.assisted,
        "solved": board.solved,
    }
    return {name: value for name, value in whole.items() if value}


@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: case["name"])
def test_the_fold_agrees_with_the_shared_cases(case: dict[str, Any]) -> None:
    moves = case["moves"]
    if case.get("refused"):
        with pytest.raises(BadMove):
            play(moves)
        moves = moves[:-1]
    assert described(play(moves), list(case["expect"].get("candidates", {}))) == case["expect"]


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("digit"), st.integers(0, 80), st.integers(1, 9)),
        st.tuples(st.sampled_from(["corner", "centre", "strike"]), st.integers(0, 80), st.integers(1, 9)),
        st.tuples(st.just("erase"), st.integers(0, 80), st.just("")),
        st.tuples(st.just("fill"), st.just(""), st.integers(1, 9)),
    ),
    max_size=25,
)


@given(MOVES)
def test_as_many_undos_as_events_lead_back_to_the_start_and_redos_back_again(drawn: list[Any]) -> None:
    board = Board.of(engine.parse(SHARED["givens"]))
    start = board.layers
    for kind, cell, digit in drawn:
        if cell == "" or not board.givens[cell]:
            board = board.after(Move.from_fields(str(board.seq + 1), kind, str(cell), str(digit)), START)
    end = board.layers
    steps = 0
    while board.done is not None:
        board, steps = board.after(Move(board.seq + 1, Kind.UNDO), START), steps + 1
    assert board.layers == start
    for _ in range(steps):
        board = board.after(Move(board.seq + 1, Kind.REDO), START)
    assert board.layers == end
    assert board.undone is None


def test_time_between_pause_and_resume_is_added_up() -> None:
    board = play(
        [["pause", "", ""], ["resume", "", ""], ["digit", "0", 5], ["pause", "", ""], ["resume", "", ""]]
    )
    assert board.paused == timedelta(seconds=2)


def test_a_second_resume_adds_nothing() -> None:
    assert play([["pause", "", ""], ["resume", "", ""], ["resume", "", ""]]).paused == timedelta(seconds=1)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        (("0", "digit", "0", "1"), "seq"),
        (("٣", "digit", "0", "1"), "seq"),
        (("1", "castle", "0", "1"), "castle"),
        (("1", "digit", "81", "1"), "81"),
        (("1", "digit", "007", "1"), "007"),
        (("1", "digit", "3,3", "1"), "3,3"),
        (("1", "digit", "3,", "1"), "0 to 80"),
        (("1", "digit", "", "1"), "needs a cell"),
        (("1", "digit", "3", "0"), "“0”"),
        (("1", "digit", "3", ""), "digit from 1 to 9"),
        (("1", "erase", "3", "4"), "takes no digit"),
        (("1", "undo", "3", ""), "takes no cell"),
        (("1", "hint", "", "5"), "1 to 4"),
        (("1", "colour", "3:0", "1"), "3:0"),
    ],
)
def test_a_bad_field_is_refused_and_named(fields: tuple[str, str, str, str], named: str) -> None:
    with pytest.raises(BadMove, match=named):
        Move.from_fields(*fields)


@given(st.text(), st.text(), st.text(), st.text())
def test_no_text_in_a_field_raises_anything_else(seq: str, kind: str, cell: str, digit: str) -> None:
    try:
        Move.from_fields(seq, kind, cell, digit)
    except BadMove as error:
        assert len(str(error)) < 200
