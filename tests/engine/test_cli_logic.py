"""rate, explain and find on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cli import main

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


def _lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY}\n{'1' + 80 * '.'}\n{EASY}\n")
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


def test_explain_tells_a_step_a_line_until_the_puzzle_is_solved(
    capsys: pytest.CaptureFixture[str], puzzles: str
) -> None:
    lines = _lines(capsys, "explain", puzzles)
    assert lines[0] == EASY
    assert all(" => " in line for line in lines[1:54])
    answer = json.loads(_lines(capsys, "explain", puzzles, "--json")[0])
    assert sum(len(step["placements"]) for step in answer["steps"]) == 81 - 28


def test_find_lists_one_technique_only(capsys: pytest.CaptureFixture[str], puzzles: str) -> None:
    answer = json.loads(_lines(capsys, "find", puzzles, "--technique", "hidden_single", "--json")[0])
    assert answer["steps"]
    assert {step["technique"] for step in answer["steps"]} == {"hidden_single"}


def test_find_refuses_an_unknown_technique(capsys: pytest.CaptureFixture[str], puzzles: str) -> None:
    with pytest.raises(SystemExit):
        main(["find", puzzles, "--technique", "telepathy"])
    assert "invalid choice: 'telepathy'" in capsys.readouterr().err
