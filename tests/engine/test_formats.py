"""Reading one puzzle from one text: lines and blocks, and the messages for rejected ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import Grid, PuzzleFormatError, parse
from engine.formats import parse_entry

LINE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
GRID = Grid.from_digits(0 if mark == "." else int(mark) for mark in LINE)
BORDERED = (Path(__file__).parents[1] / "data" / "formats" / "ruled.txt").read_text()


def rows(line: str) -> list[str]:
    return [line[start : start + 9] for start in range(0, 81, 9)]


def refusal(text: str) -> PuzzleFormatError:
    with pytest.raises(PuzzleFormatError) as refused:
        parse(text)
    return refused.value


@pytest.mark.parametrize("empty", [".", "0", "*", "-", "_", "X", "x", " "])
def test_every_empty_character_of_a_line_or_block_is_understood(empty: str) -> None:
    cells = LINE.replace(".", empty)
    assert parse(cells) == parse("\n".join(rows(cells))) == GRID


@pytest.mark.parametrize(
    "tail", [" # ED=1.5/1.2/1.2", "#note", ";note", ",7.1", "\t3", " 28 1.5", " # ten # 2", "\r\n", "\n\n"]
)
def test_what_follows_the_81_cells_is_a_comment(tail: str) -> None:
    assert parse(LINE + tail) == GRID


def test_the_comment_of_a_line_is_kept_without_its_mark() -> None:
    entry = parse_entry(LINE + " # ED=1.5/1.2/1.2")
    assert (entry.givens, entry.comment) == (GRID, "ED=1.5/1.2/1.2")


def test_cells_of_a_line_may_stand_apart() -> None:
    assert parse(" ".join(LINE)) == parse(",".join(LINE)) == parse("|".join(rows(LINE))) == GRID


@pytest.mark.parametrize(
    "text",
    [
        BORDERED,
        BORDERED.replace("\n", "\r\n"),
        BORDERED.replace("+", ".").replace("|", ":"),
        BORDERED.replace("-", "─").replace("|", "│").replace("+", "┼"),
        "\n".join(" ".join(row) for row in rows(LINE)),
        "\n".join(",".join(row) for row in rows(LINE.replace(".", "0"))),
        "\n\n".join("\n".join(rows(LINE)[band : band + 3]) for band in (0, 3, 6)),
        "#A somebody\n#L Easy\n" + "\n".join(rows(LINE)),
    ],
)
def test_a_block_may_be_ruled_spaced_or_commented(text: str) -> None:
    assert parse(text) == GRID


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse("\ufeff" + LINE) == GRID


def test_a_bad_character_is_named_with_its_cell() -> None:
    error = refusal(LINE[:2] + "q" + LINE[3:])
    assert (error.cell, error.character, error.line) == (2, "q", None)
    assert str(error) == "r1c3: expected 1-9, 0 or '.', found 'q'"


def test_a_second_empty_character_is_a_bad_character() -> None:
    error = refusal(LINE[:2] + "x" + LINE[3:])
    assert (error.cell, error.character) == (2, "x")


def test_a_bad_character_of_a_block_is_named_with_its_line_and_cell() -> None:
    error = refusal(BORDERED.replace("8 3", "8 q"))
    assert (error.line, error.cell, error.character) == (4, 20, "q")


def test_a_line_of_82_cells_is_refused_with_its_count() -> None:
    assert str(refusal(LINE + "5")) == "expected 81 cells, found 82"


@pytest.mark.parametrize("text", ["", "\n \n", "# only a comment\n"])
def test_an_empty_text_is_refused(text: str) -> None:
    assert "found" in str(refusal(text))
