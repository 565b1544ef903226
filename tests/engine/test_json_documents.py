"""JSON documents: every shape with puzzles is read, in pieces, and invalid entries are reported."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from io import BytesIO

import pytest

import engine
from engine import formats
from engine.errors import PuzzleFormatError

PUZZLES = [str(engine.generate(engine.Recipe(fewest_givens=34), seed).grid) for seed in range(3)]


def found(text: str) -> list[formats.Entry | PuzzleFormatError]:
    return list(formats.read(BytesIO(text.encode())))


def puzzles(text: str) -> list[str]:
    return [str(item.givens) if isinstance(item, formats.Entry) else str(item) for item in found(text)]


def numbers(line: str) -> list[int]:
    return [int(cell) if cell != "." else 0 for cell in line]


def rows(line: str) -> list[list[int | None]]:
    return [[number or None for number in numbers(line[at : at + 9])] for at in range(0, 81, 9)]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "shape",
    [
        lambda lines: lines,
        lambda lines: [numbers(line) for line in lines],
        lambda lines: [rows(line) for line in lines],
        lambda lines: [[line[at : at + 9] for at in range(0, 81, 9)] for line in lines],
        lambda lines: {"name": "Mine", "puzzles": [{"givens": line} for line in lines]},
        lambda lines: {"newboard": {"grids": [{"value": rows(line)} for line in lines]}},
        lambda lines: [{"puzzle": line, "level": 3} for line in lines],
    ],
)
def test_every_shape_is_read(shape: Callable[[list[str]], object], indent: int | None) -> None:
    assert puzzles(json.dumps(shape(PUZZLES), indent=indent)) == PUZZLES


def test_one_object_over_several_lines_is_one_puzzle() -> None:
    text = json.dumps({"puzzle": PUZZLES[0], "title": "First"}, indent=2)
    entry = formats.parse_entry(text)
    assert (str(entry.givens), entry.facts["title"]) == (PUZZLES[0], "First")


def test_what_stands_around_a_list_is_a_fact_of_each_puzzle() -> None:
    text = json.dumps({"author": "Ann", "list": [{"grid": PUZZLES[0], "title": "One"}, {"grid": PUZZLES[1]}]})
    facts = [item.facts for item in found(text) if isinstance(item, formats.Entry)]
    assert facts == [{"author": "Ann", "title": "One"}, {"author": "Ann"}]


@pytest.mark.parametrize("around", [lambda many: many, lambda many: {"source": "S", "puzzles": many}])
def test_a_long_document_is_read(around: Callable[[list[str]], object]) -> None:
    text = json.dumps(around(PUZZLES * 1000))
    assert puzzles(text) == PUZZLES * 1000


def test_objects_one_a_line_lose_only_the_broken_line() -> None:
    lines = [json.dumps({"givens": line}) for line in PUZZLES]
    assert puzzles("\n".join([lines[0], "{bad}", *lines[1:]])) == [
        PUZZLES[0],
        "line 2: expected a JSON value, found '{bad}'",
        *PUZZLES[1:],
    ]


def test_a_document_that_breaks_off_says_where() -> None:
    text = json.dumps(PUZZLES * 1000)
    assert puzzles(text[:-100]) == [f"line 1: expected a JSON value, found {text[:40]!r:.40}"]
    assert puzzles("[" + "\n" + text[:-1])[-1].startswith("line 2: expected a JSON value")
    assert puzzles("[" * 20 + "]" * 20)[-1] == "line 1: expected at most 16 lists within each other"
    assert puzzles("[" * 9_000 + "]" * 9_000)[-1].startswith("line 1: expected a JSON value")
    (large,) = puzzles("[" + " " * (9 << 20) + text)
    assert large == "expected at most 8388608 bytes of JSON, found more: write one object a line"


def test_what_is_no_puzzle_is_named_in_its_place() -> None:
    assert puzzles(json.dumps([1, PUZZLES[0], None, {}, "x", [[1] * 8] * 9])) == [
        "expected a puzzle, found 1",
        PUZZLES[0],
        "expected a puzzle, found None",
        "expected a JSON object with a puzzle",
        "expected 81 cells, found 1",
        *["expected a puzzle, found 1"] * 72,
    ]
    assert puzzles(json.dumps([[*numbers(PUZZLES[0])[:80], 12]])) == [
        "r9c9: expected 1-9, 0 or null, found 12"
    ]


@pytest.mark.parametrize("text", ["[" * 400 + "]" * 400, '{"a":' * 400 + "1" + "}" * 400])
def test_nothing_is_nested_deep(text: str) -> None:
    """Whatever printed such a value would run out of stack at some depth of its callers."""
    with pytest.raises(ValueError, match="more than 32 lists"):
        formats.loads(text)
    assert formats.loads('["' + "[" * 400 + '"]') == ["[" * 400]


def test_brackets_on_many_lines_are_read_once() -> None:
    began = time.thread_time()
    (error,) = found("[\n" * 32_500)
    assert isinstance(error, PuzzleFormatError)
    assert time.thread_time() - began < 0.5


def test_a_section_of_another_format_is_no_list() -> None:
    text = "[Puzzle]\n" + "\n".join(PUZZLES[0][at : at + 9] for at in range(0, 81, 9))
    assert puzzles(text) == [PUZZLES[0]]


def test_several_puzzles_on_a_line_are_all_read() -> None:
    one, two, three = PUZZLES
    solved = str(engine.solution(engine.parse(one)))
    text = f"{one} {two}\n{two},{three},{one}\n{three} # was {one}\n{one},{solved}\n"
    items = found(text)
    assert puzzles(text) == [one, two, two, three, one, three, one]
    assert [item.line for item in items] == [1, 1, 2, 2, 2, 3, 4]
