"""Everything a format carries survives writing and reading: one property test a format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Grid, Position, parse
from engine.formats import FORMATS, Entry, cell, parse_entry
from engine.formats.marks import from_masks, left_open, solved
from engine.text import position_of

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
SOLVED = "946785123751923684283164795812456937479231856365897412127349568598672341634518279"

laws = settings(max_examples=25, deadline=None)
grids = st.binary(min_size=81, max_size=81).map(lambda raw: Grid(bytes(byte % 10 for byte in raw)))
masks = st.lists(st.integers(0, 511), min_size=81, max_size=81)  # no candidate in a cell is a contradiction
several = st.lists(st.integers(0, 511).filter(lambda mask: mask.bit_count() != 1), min_size=81, max_size=81)
words = st.text(st.characters(min_codepoint=48, max_codepoint=122), min_size=1, max_size=12)
prose = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=["Cc", "Zs"]), min_size=1
)


def entry(key: str, **more: Any) -> st.SearchStrategy[Entry]:
    """Draw entries of a format: givens, and whatever else is named."""
    return st.builds(Entry, grids, format=st.just(key), **more)


@st.composite
def played(
    draw: st.DrawFn, key: str, marks: st.SearchStrategy[list[int]] = masks, corners: bool = False
) -> Entry:
    """Draw givens out of a solved grid, perhaps with digits placed and marks in the open cells."""
    state = draw(st.lists(st.sampled_from("gpo"), min_size=81, max_size=81))
    givens = Grid(bytes(int(digit) if mark == "g" else 0 for mark, digit in zip(state, SOLVED, strict=True)))
    standing = Grid(
        bytes(0 if mark == "o" else int(digit) for mark, digit in zip(state, SOLVED, strict=True))
    )
    if draw(st.booleans()):
        standing = givens
    drawn = [left_open(draw(marks), standing) if draw(st.booleans()) else None for _ in range(1 + corners)]
    return Entry(
        givens,
        format=key,
        placed=None if standing == givens else standing,
        candidates=drawn[0] if drawn[0] and any(drawn[0]) else None,
        corners=drawn[1] if corners and drawn[1] and any(drawn[1]) else None,
    )


@st.composite
def clued(draw: st.DrawFn) -> Entry:
    """Draw a candidate grid in which some lone digits are clues."""
    drawn = draw(masks)
    lone = [cell for cell, mask in enumerate(drawn) if mask.bit_count() == 1]
    clues = set(draw(st.lists(st.sampled_from(lone), unique=True))) if lone else set()
    givens = Grid(bytes(mask.bit_length() if cell in clues else 0 for cell, mask in enumerate(drawn)))
    standing = Grid(
        bytes(clue or digit for clue, digit in zip(givens.digits, solved(drawn).digits, strict=True))
    )
    return Entry(
        givens,
        format="sudokuwiki",
        placed=None if standing == givens else standing,
        candidates=left_open(drawn, standing),
    )


def facts(**values: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries({}, optional=values)


numbers = st.decimals(0, 99, places=1).map(str)
hexes = st.text("0123456789abcdef", min_size=12, max_size=12)
candidate = st.tuples(st.integers(0, 80), st.integers(1, 9))
written = {
    "line": entry("line", comment=st.sampled_from(["", "28 givens", "№ 7: easy"])),
    "block": entry("block"),
    "sdk": st.builds(replace, played("sdk"), facts=facts(author=words, level=words, source=words)),
    "sdm": grids.map(lambda grid: Entry(grid)),
    "simple_sudoku": played("simple_sudoku", several).filter(lambda item: item.candidates is not None),
    "json": st.builds(
        replace,
        played("json"),
        solution=st.none() | grids,
        deleted=st.frozensets(candidate, max_size=9),
        facts=facts(verdict=words, note=prose),
    ),
    "fpuzzles": st.builds(
        replace,
        played("fpuzzles", corners=True),
        solution=st.none() | st.just(Grid(bytes(map(int, SOLVED)))),
        facts=facts(title=prose, author=prose),
    ),
    "sudokupad": st.builds(
        replace,
        played("sudokupad", corners=True),
        solution=st.none() | st.just(Grid(bytes(map(int, SOLVED)))),
        facts=facts(title=prose, author=prose, rules=prose),
    ),
    "sudokuwiki": clued(),
    "sudoku_coach": played("sudoku_coach"),
    "hodoku": st.builds(
        replace,
        played("hodoku").map(lambda item: replace(item, candidates=None)),
        deleted=st.frozensets(candidate, max_size=9),
        facts=st.fixed_dictionaries(
            {"technique": st.sampled_from(["0002", "0310-1", "03111", "0403-x"])},
            optional={"digits": st.just("49"), "eliminations": st.just("436 947"), "extra": st.just("5")},
        ),
    ),
    "csv": entry(
        "csv",
        solution=st.just(Grid(bytes(map(int, SOLVED)))),
        facts=facts(rating=numbers, number=numbers, level=numbers, hardest=words),
    ),
    "puzzle_bank": entry("puzzle_bank", facts=st.fixed_dictionaries({"hash": hexes, "rating": numbers})),
    # At least one cell must list several digits or none, else the grid is a block.
    "pencilmarks": masks.filter(lambda drawn: any(mask.bit_count() != 1 for mask in drawn)).map(
        lambda drawn: from_masks(drawn)
    ),
    "opensudoku": st.builds(
        replace,
        played("opensudoku"),
        comment=st.just("") | st.just("two\nlines") | prose,
        facts=st.fixed_dictionaries({"folder": prose}, optional={"created": numbers, "state": st.just("1")}),
    ),
}


def test_every_format_has_its_law() -> None:
    assert list(written) == list(FORMATS)


def law(key: str) -> Callable[[], None]:
    @given(written[key])
    @laws
    def reads_back(item: Entry) -> None:
        text = "\n".join(filter(None, [FORMATS[key].header, FORMATS[key].write(item)]))
        expected = item
        if key == "sudoku_coach" and item.placed is None and item.candidates is None:
            expected = replace(item, format="line")  # an address with 81 characters
        assert replace(parse_entry(text), line=None) == expected

    return reads_back


@pytest.mark.slow
@pytest.mark.parametrize("key", FORMATS)
def test_what_is_written_reads_back(key: str) -> None:
    law(key)()


@pytest.mark.parametrize("key", ["hodoku", "json"])
def test_a_position_keeps_its_strikes_and_candidates(key: str) -> None:
    start = Position.from_grid(parse(EASY))
    position = start.changed([(27, 8)], [(0, 4), (1, 5)])
    masks = tuple(0 if position.grid[cell] else position.masks[cell] for cell in range(81))
    entry = Entry(start.givens, placed=position.grid, candidates=masks, deleted=frozenset({(8, 9)}))
    assert position_of(parse_entry(FORMATS[key].write(entry))) == position.changed([], [(8, 9)])


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1"])
def test_a_cell_is_no_formula(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert f"'{text}" in FORMATS["csv"].write(Entry(parse(EASY), facts={"level": text}))
    assert [cell(value) for value in ("1-1", "", -3, None)] == ["1-1", "", -3, None]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "'=1", "'"])
def test_what_looks_like_a_formula_reads_back(text: str) -> None:
    table = FORMATS["csv"]
    row = table.write(Entry(parse(EASY), facts={"level": text}))
    assert parse_entry(f"{table.header}\n{row}").facts["level"] == text
