"""The commands `rate`, `explain` and `find`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import engine
from engine import TECHNIQUES, Position, techniques
from engine.formats import FORMATS, Entry

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# Four cells hold 79.
TWO_SOLUTIONS = ".46.85123.51.23684283164795812456937479231856365897412127349568598672341634518279"


@pytest.fixture
def lines(run: Any) -> Any:
    """Run a command that succeeds on some puzzles. Returns the lines of its output."""

    def lines(*arguments: str, given: str = f"{EASY}\n{TWO_SOLUTIONS}\n{EASY}\n") -> list[str]:
        out, _, status = run(*arguments, given=given)
        assert status == 0
        return list(out.splitlines())

    return lines


def test_rate_answers_each_puzzle_in_order_on_any_number_of_cores(lines: Any) -> None:
    alone = lines("rate", "--json")
    assert lines("rate", "--json", "--jobs", "2") == alone
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


def test_rate_in_words_names_the_level(lines: Any) -> None:
    first, several, _ = lines("rate")
    assert first.startswith(f"{EASY} # level ")
    assert several.endswith("# multiple")


@pytest.mark.slow
def test_explain_prints_a_step_a_line_until_the_puzzle_is_solved(lines: Any) -> None:
    first, *steps = lines("explain")
    assert first == EASY
    assert all(" => " in step for step in steps[:53])
    answer = json.loads(lines("explain", "--json")[0])
    assert sum(len(step["placements"]) for step in answer["steps"]) == 81 - 28


@pytest.mark.slow
def test_explain_gives_the_verdict_where_there_is_not_one_solution(lines: Any) -> None:
    assert f"{TWO_SOLUTIONS} # multiple" in lines("explain")
    answers = [json.loads(line) for line in lines("explain", "--json")]
    assert [answer.get("verdict") for answer in answers] == [None, "multiple", None]


def test_find_lists_one_technique_only(lines: Any) -> None:
    answer = json.loads(lines("find", "--technique", "hidden_single", "--json")[0])
    assert answer["steps"]
    assert {step["technique"] for step in answer["steps"]} == {"hidden_single"}


ALL_12 = 81 * "12......."  # more remote pairs than anyone wants to see
BY_RECTANGLE = "..38.5.1...6.....9.4.1..7........4...9.....58.68..4...1..7.2....8.9...........5.2"
COMMANDS = (("rate",), ("explain",), ("find", "--technique", "naked_single"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bad_line_is_reported_and_the_others_are_answered(
    run: Any, command: tuple[str, ...], jobs: str
) -> None:
    given = f"{EASY}\n{EASY[:-1]}x\n{EASY}\n"
    out, err, status = run(*command, "--json", "--jobs", jobs, given=given)
    assert status == 1
    assert [json.loads(line)["puzzle"] for line in out.splitlines()] == [EASY, EASY]
    assert err == "ninefold: line 2, r9c9: expected 1-9, 0 or '.', found 'x'\n"


def test_a_contradictory_grid_is_no_error_of_rate(lines: Any) -> None:
    answer = json.loads(lines("rate", "--json", given="77" + 79 * ".")[0])
    assert (answer["verdict"], answer["level"], answer["scores"]) == ("none", None, {})


def test_find_says_where_it_gave_up(lines: Any) -> None:
    first, second = lines("find", "--technique", "remote_pair", "--json", given=f"{ALL_12}\n{EASY}\n")
    assert json.loads(first)["steps"] is None
    assert json.loads(second)["steps"] == []
    assert lines("find", "--technique", "remote_pair", given=f"{ALL_12}\n{EASY}\n")[0].endswith(" # gave up")


def test_explain_says_where_a_bound_ended_the_path(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = replace(TECHNIQUES["remote_pair"], bound=1)
    monkeypatch.setitem(techniques._techniques.entries, "remote_pair", hasty)
    (line,) = lines("explain", "--json", given=TWO_SOLUTIONS)
    assert json.loads(line)["gave_up"] == ["remote_pair"]
    (line,) = lines("explain", given=TWO_SOLUTIONS)
    assert line.endswith(" # multiple, gave up")


def test_explain_can_do_without_uniqueness(lines: Any) -> None:
    used = {}
    for switch in ([], ["--no-uniqueness"]):
        (line,) = lines("explain", "--json", *switch, given=BY_RECTANGLE)
        used[bool(switch)] = [TECHNIQUES[step["technique"]] for step in json.loads(line)["steps"]]
    assert any(technique.needs_unique for technique in used[False])
    assert used[True] and not any(technique.needs_unique for technique in used[True])


def test_explain_goes_on_from_where_the_position_stands(lines: Any) -> None:
    position = Position.from_grid(engine.parse(BY_RECTANGLE))
    path = engine.solve_path(position).steps
    done = next(number for number, step in enumerate(path, 1) if step.eliminations)
    for step in path[:done]:
        position = position.after(step)
    assert position.grid != position.givens
    masks = tuple(sum(1 << (digit - 1) for digit in position.candidates(cell)) for cell in range(81))
    standing = Entry(position.givens, placed=position.grid, candidates=masks)
    text = FORMATS["simple_sudoku"].write(standing)
    (line,) = lines("explain", "--json", given=text)
    (whole,) = lines("explain", "--json", given=BY_RECTANGLE)
    assert json.loads(line) == {"puzzle": BY_RECTANGLE, "steps": json.loads(whole)["steps"][done:]}


@pytest.mark.parametrize("command", COMMANDS[1:], ids=lambda command: command[0])
def test_contradictions_of_the_solution_are_reported(lines: Any, command: tuple[str, ...]) -> None:
    # A 4 stands in r1c1, so there is none in r5c1, where it belongs; the 4 of r1c2 is struck.
    position = f":0003::+4{EASY[1:]}:412:::"
    (line,) = lines(*command, "--json", given=position)
    assert json.loads(line)["wrong"] == [[0, 4], [1, 4], [36, 4]]
    assert lines(*command, given=position)[0] == f"{EASY} # wrong: r1c1(4) r1c2(4) r5c1(4)"


@pytest.mark.parametrize("command", COMMANDS[1:], ids=lambda command: command[0])
def test_nothing_is_said_of_a_position_where_nothing_is_wrong(lines: Any, command: tuple[str, ...]) -> None:
    position = f":0003::+9{EASY[1:]}:512:::"
    (line,) = lines(*command, "--json", given=position)
    assert list(json.loads(line)) == ["puzzle", "steps"]
    assert lines(*command, given=position)[0] == EASY


def test_explain_as_json_has_what_proves_each_step_and_its_price(lines: Any) -> None:
    puzzle = "52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3.."
    (line,) = lines("explain", "--json", given=puzzle)
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
