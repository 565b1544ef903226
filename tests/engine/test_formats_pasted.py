"""Pasted text: it is read as intended, or one sentence says what was found instead."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import BytesIO
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import Grid, Position, PuzzleFormatError, parse
from engine.formats import FORMATS, Entry, lz_string, parse_entry, read
from engine.text import parse_position, write

GRID: Final = parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
SOLVED: Final = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

# Enough digits that a page's columns can't be mistaken for others, as in every puzzle with one solution.
puzzles = st.lists(st.sampled_from("yyn"), min_size=81, max_size=81).map(
    lambda kept: Grid(bytes(int(d) if k == "y" else 0 for d, k in zip(SOLVED, kept, strict=True)))
)

Rows = list[list[str]]


def rows_of(grid: Grid, empty: str = "") -> Rows:
    cells = [str(digit) if digit else empty for digit in grid.digits]
    return [cells[start : start + 9] for start in range(0, 81, 9)]


def delimited(delimiter: str, quote: str = "") -> Callable[[Grid], str]:
    return lambda grid: "\n".join(
        delimiter.join(f"{quote}{cell}{quote}" for cell in row) for row in rows_of(grid)
    )


def framed(bar: str, rule: str, between: str = " ", margin: str = " ") -> Callable[[Grid], str]:
    """Return boxes of three in a frame, with blanks for empty cells."""

    def text(grid: Grid) -> str:
        lines = []
        for number, row in enumerate(rows_of(grid, " ")):
            boxes = (margin + between.join(row[at : at + 3]) + margin for at in (0, 3, 6))
            lines += [rule] * (number % 3 == 0) + [bar + bar.join(boxes) + bar]
        return "\n".join([*lines, rule])

    return text


def markdown(head: str) -> Callable[[Grid], str]:
    def text(grid: Grid) -> str:
        rows = ["| " + " | ".join(row) + " |" for row in rows_of(grid)]
        rule = "|---" * 9 + "|"
        return "\n".join([head, rule, *rows] if head else [rows[0], rule, *rows[1:]])

    return text


def bare(between: str, gap: str = "") -> Callable[[Grid], str]:
    """Return columns of the page alone, with the ends of rows stripped, as editors do."""
    return lambda grid: "\n".join(
        (between + gap).join(between.join(row[at : at + 3]) for at in (0, 3, 6)).rstrip()
        for row in rows_of(grid, " ")
    )


EMPTY_CELLS: Final = {
    "tabs": delimited("\t"),
    "commas": delimited(","),
    "semicolons": delimited(";"),
    "quoted": delimited(",", '"'),
    "latex": lambda grid: "\n".join("&".join(row) + r" \\" for row in rows_of(grid)),
    "ASCII frame": framed("|", "+-------+-------+-------+"),
    "tight frame": framed("|", "+---+---+---+", between="", margin=""),
    "light strokes": framed("│", "├───────┼───────┼───────┤"),
    "double strokes": framed("║", "╠═══════╬═══════╬═══════╣"),
    "a bar a cell": framed("|", "+---+---+---+---+---+---+---+---+---+", between=" | "),
    "markdown": markdown(""),
    "markdown with a blank head": markdown("|   " * 9 + "|"),
    "markdown with letters": markdown("| " + " | ".join("ABCDEFGHI") + " |"),
}
BARE: Final = {"digits side by side": bare(""), "a blank between": bare(" "), "boxes apart": bare(" ", "  ")}


@pytest.mark.parametrize("kind", EMPTY_CELLS)
@given(puzzles)
def test_an_empty_cell_may_be_nothing_between_bars_or_commas(kind: str, grid: Grid) -> None:
    text = EMPTY_CELLS[kind](grid)
    assert parse(text) == grid
    assert [item.givens for item in found(text.encode())] == [grid]


@pytest.mark.parametrize("kind", BARE)
@given(puzzles)
def test_an_empty_cell_may_be_a_column_of_the_page(kind: str, grid: Grid) -> None:
    try:
        assert parse(BARE[kind](grid)) == grid
    except PuzzleFormatError:
        first, last = ({row[at] for row in rows_of(grid)} for at in (0, 8))
        assert {""} in (first, last) or [""] * 9 in rows_of(grid)  # then the page doesn't say where it begins


# A blank table header counts as a row of empty cells if another row is missing.
@pytest.mark.parametrize("kind", sorted(EMPTY_CELLS.keys() - {"markdown with a blank head"}))
@given(puzzles, st.randoms(use_true_random=False))
def test_a_cell_too_many_or_too_few_is_refused(kind: str, grid: Grid, draw: object) -> None:
    rows = EMPTY_CELLS[kind](grid).split("\n")
    held = [at for at, row in enumerate(rows) if any(digit in row for digit in "123456789")]
    row = draw.choice(held[1:])
    without = [text for at, text in enumerate(rows) if at != row]
    with pytest.raises(PuzzleFormatError):
        parse("\n".join(without))


def found(data: bytes) -> list[Entry]:
    items = list(read(BytesIO(data)))
    assert all(isinstance(item, Entry) for item in items), items
    return [item for item in items if isinstance(item, Entry)]


def gnome(grid: Grid) -> str:
    filled = ((cell, digit) for cell, digit in enumerate(grid.digits) if digit)
    cells = [{"position": divmod(at, 9), "value": digit, "fixed": True} for at, digit in filled]
    return json.dumps({"difficulty_category": "easy", "time_elapsed": 2.5, "cells": cells}, indent=2)


def ksudoku(grid: Grid) -> str:
    letters = "".join("_abcdefghi"[digit] for digit in grid.digits)
    return f"<!DOCTYPE ksudoku>\n<ksudoku><puzzle><values>{letters}</values></puzzle></ksudoku>"


def packed(key: str) -> Callable[[Grid], str]:
    """Unpack the link of that format."""
    begin = {"fpuzzles": "load=", "sudokupad": "scl"}[key]
    return lambda grid: lz_string.decompress(FORMATS[key].write(Entry(grid)).split(begin, 1)[1])


PROGRAMS: Final[dict[str, Callable[[Grid], str]]] = {
    "f-puzzles JSON": packed("fpuzzles"),
    "SudokuPad JSON": packed("sudokupad"),
    "packed text alone": lambda grid: lz_string.compress(packed("fpuzzles")(grid)),
    "SudokuPad's packed text alone": lambda grid: lz_string.compress(packed("sudokupad")(grid)),
    "GNOME Sudoku": gnome,
    "KSudoku": ksudoku,
    "XML": lambda grid: f"<all><puzzle>{grid}</puzzle></all>",
    "an address": lambda grid: f"https://example.org/play?level=3&grid={str(grid).replace('.', '0')}&x=1",
    "an address among words": lambda grid: f"See http://example.org/{grid} today",
    "nested JSON": lambda grid: json.dumps({"a": {"b": [{"mine": rows_of(grid, "0")}]}}, indent=1),
    "nulls": lambda grid: json.dumps(
        [[int(cell) if cell else None for cell in row] for row in rows_of(grid)]
    ),
}


@pytest.mark.parametrize("kind", PROGRAMS)
@given(puzzles)
def test_a_programs_file_is_read(kind: str, grid: Grid) -> None:
    text = PROGRAMS[kind](grid)
    assert parse(text) == grid
    assert [item.givens for item in found(text.encode())] == [grid]


BLANKS: Final = ("%2E", "%2e", "%20", "+", "%5F", "%2D", "%252E", ".", "0", "_")
AROUND: Final[dict[str, Callable[[str], str]]] = {
    "alone": lambda cells: cells,
    "a known site's link": lambda cells: f"https://www.sudokuwiki.org/sudoku.htm?bd={cells}",
    "a path": lambda cells: f"https://sudoku.coach/en/play/{cells}",
    "an address": lambda cells: f"https://example.org/play?level=3&grid={cells}&x=1",
    "a field": lambda cells: f"grid={cells}",
    **{
        f"{order} its solution, {mark!r} between": (
            lambda cells, pair=pair, mark=mark: mark.join(part or cells for part in pair)
        )
        for order, pair in (("before", ("", SOLVED)), ("behind", (SOLVED, "")))
        for mark in (" ", ",", ";", "\t", " | ", " # ")
    },
    "a row a line": lambda cells: "\n".join(re.findall(r"(?:%(?:25)*\w\w|.){9}", cells)),
}


@pytest.mark.parametrize("around", AROUND)
@given(puzzles)
def test_an_encoded_blank_or_a_solution_beside_makes_no_other_puzzle(around: str, grid: Grid) -> None:
    for blank in BLANKS:
        if (around, blank) != ("a row a line", "+"):
            text = AROUND[around](str(grid).replace(".", blank))
            assert parse(text) == grid
            assert [item.givens for item in found(text.encode())] == [grid]


@pytest.mark.parametrize("mark", [" ", ",", ";"])
def test_a_full_grid_beside_cells_in_an_unknown_writing_is_not_taken_for_the_puzzle(mark: str) -> None:
    unknown = str(GRID).replace(".", "&#46;")
    for text in (unknown + mark + SOLVED, SOLVED + mark + unknown):
        with pytest.raises(PuzzleFormatError):
            parse(text)


def test_no_entity_is_expanded() -> None:
    bomb = '<!DOCTYPE opensudoku [<!ENTITY a "b">]><opensudoku><name>&a;</name></opensudoku>'
    outside = '<!DOCTYPE opensudoku SYSTEM "file:///etc/passwd"><opensudoku/>'
    for text in (bomb, outside):
        with pytest.raises(PuzzleFormatError, match="document type"):
            parse(text)


@pytest.mark.parametrize("depth", [18, 400, 990, 5_000])
@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"a":', "}"), ('{"a":[', "]}")])
def test_deeply_nested_json_does_no_harm(depth: int, begin: str, end: str) -> None:
    text = begin * depth + json.dumps(rows_of(GRID, "0")) + end * depth
    try:
        assert parse(text) == GRID
    except PuzzleFormatError as error:
        assert len(str(error)) < 200
    assert all(isinstance(item, PuzzleFormatError) for item in read(BytesIO(text.encode())))


def quoted(prefix: str) -> Callable[[Grid], str]:
    return lambda grid: "\n".join(prefix + "".join(row) for row in rows_of(grid, "."))


def zeros(grid: Grid) -> str:
    return str(grid).replace(".", "0")


MARKS: Final[dict[str, Callable[[Grid], str]]] = {
    **{
        f"{mark!a} for empty": (lambda grid, mark=mark: str(grid).replace(".", mark)) for mark in "·?□∙○＿–？"
    },
    "full-width digits": lambda grid: "".join(chr(ord(digit) + 0xFEE0) for digit in zeros(grid)),
    "Arabic digits": lambda grid: "".join(chr(ord(digit) + 0x0630) for digit in zeros(grid)),
    "zero-width characters": lambda grid: "\u200b".join(str(grid)),
    "keycaps": lambda grid: "\n".join(
        "".join(f"{cell}\ufe0f\u20e3" if cell else "⬜" for cell in row) for row in rows_of(grid)
    ),
    "mail": quoted("> "),
    "an answered mail": quoted(">> "),
    "quotes": lambda grid: f'"{grid}"',
    "curly quotes": lambda grid: f"“{grid}”",
    "rows in quotes": lambda grid: "\n".join(f'"{"".join(row)}",' for row in rows_of(grid, ".")),
    "a fence": lambda grid: f"```\n{grid}\n```",
    "numpy": lambda grid: "[[" + "]\n [".join(" ".join(row) for row in rows_of(grid, "0")) + "]]",
    "numpy of floats": lambda grid: (
        "[[" + "]\n [".join(". ".join(row) + "." for row in rows_of(grid, "0")) + "]]"
    ),
    "numpy's repr": lambda grid: (
        "array([[" + "],\n       [".join(", ".join(row) for row in rows_of(grid, "0")) + "]])"
    ),
    "Python": lambda grid: (
        "[[" + "],\n [".join(", ".join(cell or "None" for cell in row) for row in rows_of(grid)) + "]]"
    ),
    "C": lambda grid: (
        "int grid[9][9] = {\n"
        + ",\n".join("  {" + ", ".join(row) + "}" for row in rows_of(grid, "0"))
        + "\n};"
    ),
    "C in one line": lambda grid: "int a[9][9]={{" + "},{".join(map(",".join, rows_of(grid, "0"))) + "}};",
    "an assignment": lambda grid: f'puzzle = "{grid}"',
    "a name in front": lambda grid: f"Monday's;{grid}",
    "a name above": lambda grid: f"Monday's\n{grid}",
    "names of rows": lambda grid: "\n".join(
        f"{name} | {' '.join(row)}" for name, row in zip("ABCDEFGHI", rows_of(grid, "."), strict=True)
    ),
}


@pytest.mark.parametrize("kind", MARKS)
@given(puzzles)
def test_other_marks_are_read(kind: str, grid: Grid) -> None:
    assert parse(MARKS[kind](grid)) == grid


def joined(separator: str, before: str = "") -> Callable[[Grid], str]:
    """Return nine rows with a separator between, each after its label; {} is its number."""
    return lambda grid: separator.join(
        before.format(number) + "".join(row) for number, row in enumerate(rows_of(grid, "."), 1)
    )


def placements(pattern: str, between: str = " ") -> Callable[[Grid], str]:
    def text(grid: Grid) -> str:
        filled = [(divmod(cell, 9), digit) for cell, digit in enumerate(grid.digits) if digit]
        return between.join(
            pattern.format(row + 1, column + 1, digit, "ABCDEFGHI"[row]) for (row, column), digit in filled
        )

    return text


LOOSE: Final[dict[str, Callable[[Grid], str]]] = {
    **{f"rows apart by {mark!r}": joined(mark) for mark in ("/", "<br>", "\\n", "|", "; ", " ")},
    **{
        f"rows after {label!r}": joined("\n", label)
        for label in ("Row {}: ", "// ", "R{} ", "{}) ", "* ", "# ", "row{}=", "{}. ")
    },
    **{
        f"placements such as {pattern.format(1, 3, 7, 'A')}": placements(pattern)
        for pattern in ("r{}c{}={}", "R{}C{}: {},", "{3}{1}={2},", '{{"r": {}, "c": {}, "digit": {}}},')
    },
    "JSON of coordinates": lambda grid: "{" + placements('"r{}c{}": {}', ", ")(grid) + "}",
    "circled digits": lambda grid: "".join("⓪①②③④⑤⑥⑦⑧⑨"[digit] for digit in grid.digits),
    "the letter O": lambda grid: str(grid).replace(".", "O"),
    "an HTML table": lambda grid: (
        "<table>"
        + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows_of(grid))
        + "</table>"
    ),
    "words around": lambda grid: "Here it is:\n" + joined("\n")(grid) + "\nThanks a lot!",
}


@pytest.mark.parametrize("kind", LOOSE)
@given(puzzles.filter(lambda grid: grid.givens >= 40))
def test_a_text_in_another_layout_is_read_by_one_tolerant_try(kind: str, grid: Grid) -> None:
    assert parse(LOOSE[kind](grid)) == grid


def test_a_second_block_that_solves_the_first_is_its_solution() -> None:
    first, second = ("\n".join(map("".join, rows_of(grid, "."))) for grid in (GRID, parse(SOLVED)))
    for text in (f"{first}\n\n{second}", f"Puzzle\n{first}\nSolution\n{second}", f"{GRID}\n{SOLVED}"):
        (entry,) = [parse_entry(text)]
        assert (entry.givens, str(entry.solution)) == (GRID, SOLVED)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found none"),
        ("12345", "found 5"),
        ("Hello there, world", "found the text 'Hello there, world'"),
        ("def f(x):\n    return x", "line 1: expected 81 cells, found the text 'def f(x):'"),
    ],
)
def test_a_refusal_says_what_was_pasted(text: str, words: str) -> None:
    with pytest.raises(PuzzleFormatError, match=re.escape(words)):
        parse(text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_file_in_utf_16_is_read(encoding: str) -> None:
    data = f"Title: Made up\r\n{GRID}\r\n{GRID}\r\n".encode(encoding)
    assert [(item.givens, item.title, item.line) for item in found(data)] == [
        (GRID, "Made up", 2),
        (GRID, "", 3),
    ]


NOTHING: Final = Grid(bytes(81))
BROKEN: Final = [
    *(
        Position.from_marks([0 if cell == empty else 0x1FF for cell in range(81)], GRID, GRID)
        for empty in (2, 3, 40)
    ),
    Position.from_marks([0] * 81, NOTHING, NOTHING),
    Position.from_marks([0] + [3] * 80, NOTHING, NOTHING),
]


@pytest.mark.parametrize("form", ["pencilmarks", "simple_sudoku", "json"])
@pytest.mark.parametrize("position", BROKEN)
def test_a_position_with_no_candidate_in_a_cell_is_read_again(form: str, position: Position) -> None:
    assert parse_position(write(position, form)).masks == position.masks


def test_every_puzzle_of_a_text_has_its_title_author_and_line() -> None:
    rows = "\n".join("".join(row) for row in rows_of(GRID, "."))
    text = f"Title: One\nAuthor: A\n{GRID}\n\nTwo\n{rows}\n#AB\n{GRID} # Three\nFour;{GRID}\n"
    expected = [("One", "A", 3), ("Two", "", 6), ("Three", "B", 16), ("Four", "", 17)]
    for source in (text, text.encode(), BytesIO(text.encode())):
        entries = list(engine.read_many(source))
        assert [(item.title, item.author, item.line) for item in entries] == expected
        assert {item.givens for item in entries} == {GRID}


def test_text_without_a_puzzle_is_raised_or_returned_as_the_caller_chooses() -> None:
    text = f"{GRID}\n12\n{str(GRID)[:80]}\n{GRID}\n"
    with pytest.raises(PuzzleFormatError, match="line 3"):
        list(engine.read_many(text))
    errors: list[PuzzleFormatError] = []
    assert [item.line for item in engine.read_many(text, on_error=errors.append)] == [1, 4]
    assert errors[-1].line == 3
