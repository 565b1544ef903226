"""The commands `rate`, `explain` and `find`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine import TECHNIQUES, Position, techniques
from engine.cli import main
from engine.formats import FORMATS, Entry

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# Four cells hold 79.
TWO_SOLUTIONS = ".46.85123.51.23684283164795812456937479231856365897412127349568598672341634518279"


def _lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY}\n{TWO_SOLUTIONS}\n{EASY}\n")
    return str(path)


def test_rate_answers_each_puzzle_in_order_on_any_number_of_cores(
    capsys: pytest.CaptureFixture[str], puzzles: str
) -> None:
    alone = _lines(capsys, "rate", puzzles, "--json")
    assert _lines(capsys, "rate", puzzles, "--json", "--jobs", "2") == alone
    first, several, _ = (json.loads(line) for line in alone)
    assert list(first) == [
        "puzzle",
        "verdict",
        "level",
        "scores",
        "counts",
        "hardest",
        "expected_seconds",
        "gave_up",
    ]
    assert first["puzzle"] == EASY
    assert several["verdict"] == "multiple"
    assert several["level"] is None


def test_rate_in_words_names_the_level(capsys: pytest.CaptureFixture[str], puzzles: str) -> None:
    first, several, _ = _lines(capsys, "rate", puzzles)
    assert first.startswith(f"{EASY} # level ")
    assert several.endswith("# multiple")


@pytest.mark.slow
def test_explain_prints_a_step_a_line_until_the_puzzle_is_solved(
    capsys: pytest.CaptureFixture[str], puzzles: str
) -> None:
    lines = _lines(capsys, "explain", puzzles)
    assert lines[0] == EASY
    assert all(" => " in line for line in lines[1:54])
    answer = json.loads(_lines(capsys, "explain", puzzles, "--json")[0])
    assert sum(len(step["placements"]) for step in answer["steps"]) == 81 - 28


@pytest.mark.slow
def test_explain_gives_the_verdict_where_there_is_not_one_solution(
    capsys: pytest.CaptureFixture[str], puzzles: str
) -> None:
    assert f"{TWO_SOLUTIONS} # multiple" in _lines(capsys, "explain", puzzles)
    answers = [json.loads(line) for line in _lines(capsys, "explain", puzzles, "--json")]
    assert [answer.get("verdict") for answer in answers] == [None, "multiple", None]


def test_find_lists_one_technique_only(capsys: pytest.CaptureFixture[str], puzzles: str) -> None:
    answer = json.loads(_lines(capsys, "find", puzzles, "--technique", "hidden_single", "--json")[0])
    assert answer["steps"]
    assert {step["technique"] for step in answer["steps"]} == {"hidden_single"}


ALL_12 = 81 * "12......."  # more remote pairs than anyone wants to see
BY_RECTANGLE = "..38.5.1...6.....9.4.1..7........4...9.....58.68..4...1..7.2....8.9...........5.2"
COMMANDS = (("rate",), ("explain",), ("find", "--technique", "naked_single"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bad_line_is_reported_and_the_others_are_answered(
    command: tuple[str, ...], jobs: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{EASY}\n{EASY[:-1]}x\n{EASY}\n")
    assert main([*command, str(file), "--json", "--jobs", jobs]) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line)["puzzle"] for line in out.splitlines()] == [EASY, EASY]
    assert err == "ninefold: line 2, r9c9: expected 1-9, 0 or '.', found 'x'\n"


def test_a_contradictory_grid_is_no_error_of_rate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"77{79 * '.'}\n")
    answer = json.loads(_lines(capsys, "rate", str(file), "--json")[0])
    assert (answer["verdict"], answer["level"], answer["scores"]) == ("none", None, {})


def test_find_says_where_it_gave_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"{ALL_12}\n{EASY}\n")
    first, second = _lines(capsys, "find", str(file), "--technique", "remote_pair", "--json")
    assert json.loads(first)["steps"] is None
    assert json.loads(second)["steps"] == []
    assert _lines(capsys, "find", str(file), "--technique", "remote_pair")[0].endswith(" # gave up")


def test_explain_says_where_a_bound_ended_the_path(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = replace(TECHNIQUES["remote_pair"], bound=1)
    monkeypatch.setitem(techniques._techniques.entries, "remote_pair", hasty)
    (line,) = _lines_of(capsys, tmp_path, TWO_SOLUTIONS, "explain", "--json")
    assert json.loads(line)["gave_up"] == ["remote_pair"]
    (line,) = _lines_of(capsys, tmp_path, TWO_SOLUTIONS, "explain")
    assert line.endswith(" # multiple, gave up")


def test_explain_can_do_without_uniqueness(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{BY_RECTANGLE}\n")
    used = {}
    for switch in ([], ["--no-uniqueness"]):
        (line,) = _lines(capsys, "explain", str(file), "--json", *switch)
        used[bool(switch)] = [TECHNIQUES[step["technique"]] for step in json.loads(line)["steps"]]
    assert any(technique.needs_unique for technique in used[False])
    assert used[True] and not any(technique.needs_unique for technique in used[True])


def _lines_of(capsys: pytest.CaptureFixture[str], folder: Path, text: str, *arguments: str) -> list[str]:
    """Run a command on a text in a file. Returns its output."""
    file = folder / "text.txt"
    file.write_text(f"{text}\n")
    return _lines(capsys, arguments[0], str(file), *arguments[1:])


def _standing(position: Position) -> Entry:
    """Write the position as the text formats do: digits placed and candidates left."""
    masks = (sum(1 << (digit - 1) for digit in position.candidates(cell)) for cell in range(81))
    return Entry(position.givens, placed=position.grid, candidates=tuple(masks))


def test_explain_goes_on_from_where_the_position_stands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    position = Position.from_grid(engine.parse(BY_RECTANGLE))
    path = engine.solve_path(position).steps
    done = next(number for number, step in enumerate(path, 1) if step.eliminations)
    for step in path[:done]:
        position = position.after(step)
    assert position.grid != position.givens
    text = FORMATS["simple_sudoku"].write(_standing(position))
    (line,) = _lines_of(capsys, tmp_path, text, "explain", "--json")
    (whole,) = _lines_of(capsys, tmp_path, BY_RECTANGLE, "explain", "--json")
    assert json.loads(line) == {"puzzle": BY_RECTANGLE, "steps": json.loads(whole)["steps"][done:]}


@pytest.mark.parametrize("command", COMMANDS[1:], ids=lambda command: command[0])
def test_contradictions_of_the_solution_are_reported(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # A 4 stands in r1c1, so there is none in r5c1, where it belongs; the 4 of r1c2 is struck.
    position = f":0003::+4{EASY[1:]}:412:::"
    (line,) = _lines_of(capsys, tmp_path, position, *command, "--json")
    assert json.loads(line)["wrong"] == [[0, 4], [1, 4], [36, 4]]
    assert _lines_of(capsys, tmp_path, position, *command)[0] == f"{EASY} # wrong: r1c1(4) r1c2(4) r5c1(4)"


@pytest.mark.parametrize("command", COMMANDS[1:], ids=lambda command: command[0])
def test_nothing_is_said_of_a_position_where_nothing_is_wrong(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    position = f":0003::+9{EASY[1:]}:512:::"
    (line,) = _lines_of(capsys, tmp_path, position, *command, "--json")
    assert list(json.loads(line)) == ["puzzle", "steps"]
    assert _lines_of(capsys, tmp_path, position, *command)[0] == EASY


def test_explain_as_json_has_what_proves_each_step_and_its_price(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    puzzle = "52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3.."
    (line,) = _lines_of(capsys, tmp_path, puzzle, "explain", "--json")
    steps = json.loads(line)["steps"]
    path = engine.solve_path(engine.parse(puzzle)).steps
    assert len(steps) == len(path)
    for answer, step in zip(steps, path, strict=True):
        assert answer["text"] == engine.sentence(step)
        assert [(each["cell"], tuple(each["digits"])) for each in answer["cells"]] == [
            (fact.cell, fact.digits) for fact in step.cells
        ]
        assert len(answer["houses"]) == len(step.houses)
        assert bool(answer["links"]) == bool(step.links)
        for link in answer["links"]:
            cells, digit, on = link["to"]
            assert set(cells) <= set(range(81))
            assert 1 <= digit <= 9
            assert on in (True, False)
    prices = {answer["technique"]: answer["price"] for answer in steps}
    assert prices["hidden_pair"] == 3.4
