"""The command line as its users meet it: arguments, a file or pipe, output, errors and a status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import canonical_form, is_minimal, parse, rate, solution, verdict
from engine.cli import main, make_parser
from engine.commands import SUMMARIES
from engine.generation.methods import METHODS
from engine.verdicts import Verdict
from tests.engine.command_line import interrupted, talking

LINE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
SOLVED = "946785123751923684283164795812456937479231856365897412127349568598672341634518279"
EMPTY = "." * 81
CLASH = "77" + "." * 79
BLOCK = "\n".join(LINE[start : start + 9] for start in range(0, 81, 9))


@pytest.fixture
def told(run: Any) -> Any:
    """Run the command line in this process on some input; returns what its JSON says, errors and status."""

    def tell(*arguments: str, given: str = "") -> tuple[list[Any], str, int]:
        out, err, status = run(*arguments, "--json", given=given)
        return [json.loads(line) for line in out.splitlines()], err, status

    return tell


def test_solve_gives_puzzle_verdict_and_solution(told: Any) -> None:
    answers, err, status = told("solve", given=f"{LINE}\n{EMPTY}\n{CLASH}\n")
    assert answers == [
        {"puzzle": LINE, "verdict": "unique", "solution": SOLVED},
        {"puzzle": EMPTY, "verdict": "multiple", "solution": None},
        {"puzzle": CLASH, "verdict": "none", "solution": None},
    ]
    assert (err, status) == ("", 0)


def test_solve_without_json_gives_a_line_a_puzzle(run: Any) -> None:
    out = f"{SOLVED}\n{EMPTY} # multiple\n{CLASH} # none\n"
    assert run("solve", given=f"{LINE}\n{EMPTY}\n{CLASH}\n") == (out, "", 0)


def test_check_gives_verdict_faults_and_minimality(told: Any) -> None:
    answers, _, status = told("check", given=f"{LINE}\n{SOLVED}\n{EMPTY}\n{CLASH}\n")
    assert [(answer["verdict"], answer["minimal"]) for answer in answers] == [
        ("unique", is_minimal(parse(LINE))),
        ("unique", False),
        ("multiple", None),
        ("none", None),
    ]
    assert [answer["faults"] for answer in answers[:3]] == [[], [], []]
    assert answers[3]["faults"] == [
        {"house": "row 1", "digit": 7, "cells": ["r1c1", "r1c2"]},
        {"house": "box 1", "digit": 7, "cells": ["r1c1", "r1c2"]},
    ]
    assert list(answers[0]) == ["puzzle", "verdict", "faults", "minimal"]
    assert status == 0


def test_canon_gives_one_form_for_equivalents_and_none_without_one_solution(told: Any) -> None:
    transposed = "".join(LINE[9 * row + column] for column in range(9) for row in range(9))
    answers, _, status = told("canon", given=f"{LINE}\n{transposed}\n{EMPTY}\n")
    form = str(canonical_form(parse(LINE)))
    assert answers == [
        {"puzzle": LINE, "canonical": form},
        {"puzzle": transposed, "canonical": form},
        {"puzzle": EMPTY, "canonical": None},
    ]
    assert status == 0


@pytest.mark.slow
def test_a_process_reads_standard_input_and_reports_bad_lines_beside_its_answers() -> None:
    given = f"{LINE}\nrubbish\n{LINE[:80]}\n{LINE[:4]}q{LINE[5:]}\n{LINE}\n"
    command = [sys.executable, "-m", "engine", "solve", "--json"]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120)
    assert [json.loads(line)["solution"] for line in done.stdout.splitlines()] == [SOLVED, SOLVED]
    assert done.stderr.splitlines() == [
        "ninefold: line 2: expected 81 cells, found the text 'rubbish'",
        "ninefold: line 3: expected 81 cells, found 80",
        "ninefold: line 4, r1c5: expected 1-9, 0 or '.', found 'q'",
    ]
    assert done.returncode == 1


def test_a_dash_is_standard_input_as_no_file_is() -> None:
    """A dash means standard input, as no file name does in the test above."""
    assert make_parser().parse_args(["solve"]).file == make_parser().parse_args(["solve", "-"]).file == "-"


def test_a_file_may_hold_blocks(told: Any) -> None:
    answers, _, status = told("solve", given=f"{BLOCK}\n\n{BLOCK}\n")
    assert ([answer["puzzle"] for answer in answers], status) == ([LINE, LINE], 0)


def test_answers_keep_the_order_of_more_puzzles_than_a_batch_holds(told: Any) -> None:
    lines = [EMPTY if at % 3 else LINE for at in range(100)]
    answers, _, _ = told("solve", "--jobs", "2", given="\n".join(lines))
    assert [answer["puzzle"] for answer in answers] == lines


def test_a_picture_is_refused_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    assert main(["solve", str(tmp_path / "picture.png")]) == 1
    assert capsys.readouterr() == ("", "ninefold: expected UTF-8 text, found a PNG image\n")


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "no-such-file.txt"]) == 2
    assert capsys.readouterr().err == "ninefold: no-such-file.txt: No such file or directory\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "guess",
        "solve --jobs many",
        "solve --most-nodes 0",
        "generate --count -1",
        "generate --method luck",
        "generate --er hard",
        "generate --budget 0",
        "generate --budget inf",
        "generate --givens 3-x",
        "find - --technique telepathy",
        "draw --size 0",
        "draw --step 0",
        "draw --theme sepia",
        "draw --next --technique x_wing",
    ],
)
def test_wrong_use_ends_with_status_2(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    assert ended.value.code == 2
    assert "usage: ninefold" in capsys.readouterr().err


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out = capsys.readouterr().out
    assert all(name in out for name in SUMMARIES)


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_has_help_with_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert f"  ninefold {name} " in out.split("examples:")[1]


def test_generate_gives_puzzles_with_one_solution_and_the_seeds_that_make_them_again(told: Any) -> None:
    answers, _, status = told("generate", "--count", "5", "--seed", "20240229")
    assert [answer["seed"] for answer in answers] == [20240229, 20240230, 20240231, 20240232, 20240233]
    assert all(verdict(parse(answer["puzzle"])) is Verdict.UNIQUE for answer in answers)
    assert {tuple(answer) for answer in answers} == {("puzzle", "seed", "method")}
    assert told("generate", "--seed", "20240232")[0] == answers[3:4]
    assert status == 0


def test_generate_without_a_seed_draws_one(told: Any) -> None:
    assert told("generate")[0][0]["seed"] != told("generate")[0][0]["seed"]


def test_generate_at_a_level_prints_level_and_milliseconds(told: Any) -> None:
    answers, _, _ = told("generate", "--level", "3", "--seed", "1", "--count", "2")
    assert all(answer["level"] == 3 and answer["ms"] > 0 for answer in answers)


def test_generate_rates_what_it_makes_when_asked(told: Any) -> None:
    answers, _, _ = told("generate", "--rate", "--seed", "1", "--count", "2")
    for answer in answers:
        rating = rate(parse(answer["puzzle"]))
        assert (answer["level"], answer["scores"]) == (rating.level, rating.scores)
        assert (answer["hardest"], answer["expected_seconds"]) == (rating.hardest, rating.expected_seconds)
        assert list(answer) == [
            "puzzle", "seed", "method", "level", "scores", "hardest", "expected_seconds", "ms"
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("wish", "holds"),
    [
        (["--er", "3.0-3.4"], lambda rating: 3.0 <= rating.scores["explainer"] <= 3.4),
        (["--hardest", "naked_pair"], lambda rating: rating.hardest == "naked_pair"),
    ],
)
def test_generate_to_order_meets_the_order(told: Any, wish: list[str], holds: Any) -> None:
    answers, err, status = told("generate", *wish, "--seed", "1", "--count", "2", "--jobs", "2")
    assert (len(answers), err, status) == (2, "", 0)
    assert all(holds(rate(parse(answer["puzzle"]))) for answer in answers)


def test_generate_prints_what_was_made_when_its_budget_ends(told: Any) -> None:
    answers, err, status = told(
        "generate", "--level", "3", "--count", "100000", "--budget", "1", "--seed", "1"
    )
    assert 0 < len(answers) < 100_000
    assert err == f"made {len(answers)} of 100000 puzzles in 1 s\n"
    assert status == 0


def test_generate_names_the_nearest_puzzle_where_its_budget_ends_without_one(told: Any) -> None:
    answers, err, _ = told("generate", "--er", "11.9-12", "--budget", "3", "--seed", "1")
    assert answers == []
    *_compiling, said = err.splitlines()  # kernels of rare orders are compiled when one comes
    head, near = said.split("; the nearest found was ")
    assert head == "made 0 of 1 puzzles in 3 s"
    puzzle, _, errors = near.partition(" ")
    rating = rate(parse(puzzle))
    words = f"({parse(puzzle).givens} givens, ER {rating.scores['explainer']:g}, hardest {rating.hardest})"
    assert errors == words


def test_generate_on_several_cores_gives_the_same_puzzles(told: Any) -> None:
    one, two = (told("generate", "--count", "200", "--seed", "7", "--jobs", jobs)[0] for jobs in "12")
    assert one == two


@pytest.mark.parametrize("method", METHODS)
def test_generate_knows_every_method_and_its_own_levels(told: Any, method: str) -> None:
    arguments = ["--paper-level", "1"] if METHODS[method].level_count else []
    answers, _, status = told("generate", "--method", method, *arguments, "--seed", "3")
    assert ([answer["method"] for answer in answers], status) == ([method], 0)


def test_generate_makes_minimal_puzzles_with_a_symmetry(told: Any) -> None:
    answers, _, _ = told("generate", "--minimal", "--symmetry", "half_turn", "--count", "3", "--seed", "3")
    for grid in (parse(answer["puzzle"]) for answer in answers):
        assert is_minimal(grid)
        assert all(bool(grid[cell]) == bool(grid[80 - cell]) for cell in range(81))


@pytest.mark.parametrize(("asked", "givens"), [("30-31", (30, 31)), ("30", (30,))])
def test_generate_keeps_to_bounds(told: Any, asked: str, givens: tuple[int, ...]) -> None:
    answers, _, _ = told("generate", "--givens", asked, "--count", "3", "--seed", "3")
    assert all(parse(answer["puzzle"]).givens in givens for answer in answers)


def test_a_recipe_that_contradicts_itself_ends_with_status_1_and_its_reason(told: Any) -> None:
    answers, err, status = told("generate", "--level", "9")
    assert (answers, status) == ([], 1)
    assert err.startswith("ninefold: level: ")


def test_commands_can_be_chained(told: Any) -> None:
    made, _, _ = told("generate", "--count", "3", "--seed", "1")
    solved, _, _ = told("solve", given="\n".join(map(json.dumps, made)))
    assert len(solved) == 3
    assert [solution(parse(answer["puzzle"])) for answer in solved] == [
        parse(answer["solution"]) for answer in solved
    ]


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_us_without_a_word() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "engine", "generate", "--count", "1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 141)
    process.stderr.close()


@pytest.mark.slow
def test_an_interrupt_ends_a_process_of_several_cores_without_a_word() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "generate", "--count", "1000000", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 130)


def test_an_interrupt_ends_one_core_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert interrupted("generate", "--count", "1000000") == 130
    assert capsys.readouterr() == ("", "")


def test_answers_come_while_the_input_is_still_open() -> None:
    with talking("solve") as process:
        process.ask.write(f"{LINE}\n" * 100)
        process.ask.flush()
        assert process.answer.readline() == SOLVED + "\n"


def test_a_library_line_is_solved_from_its_givens(told: Any) -> None:
    answers, _, _ = told("solve", given=f":0003:9:{LINE[:27]}+8{LINE[28:]}:442::947:")
    assert (answers[0]["puzzle"], answers[0]["solution"]) == (LINE, SOLVED)


def test_jobs_are_a_number_of_cores_or_all_of_them() -> None:
    found = [make_parser().parse_args(["solve", "--jobs", jobs]).jobs for jobs in ("1", "3", "0")]
    assert found == [1, 3, os.cpu_count()]


@pytest.mark.parametrize("command", ["rate", "explain", "find --technique naked_single"])
def test_slow_answers_come_one_by_one_while_the_input_goes_on(command: str) -> None:
    with talking(*command.split(), "--json") as process:
        for _ in range(3):
            process.ask.write(f"{LINE}\n")
            process.ask.flush()
            assert json.loads(process.answer.readline())["puzzle"] == LINE
        process.ask.close()
        assert process.status.result(60) == 0
