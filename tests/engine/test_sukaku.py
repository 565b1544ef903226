"""Sukaku: a puzzle of candidates is solved, counted, rated and explained like one of digits."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import Grid, Position, Verdict
from engine.formats import parse_entry
from engine.rating import explainer
from tests.step_checker import faults

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


# 240 candidates with one solution.
CANDIDATES = (Path(__file__).parents[1] / "data" / "sukaku.txt").read_text().replace("\n", "")


@cache
def puzzle() -> Position:
    return Position.from_pencilmarks(CANDIDATES)


@cache
def solved() -> Grid:
    return engine.solution(puzzle())


def test_a_sukaku_has_one_solution_and_no_digit() -> None:
    assert puzzle().givens == puzzle().grid == Grid(bytes(81))
    assert engine.verdict(puzzle()) is Verdict.UNIQUE
    assert sum(len(puzzle().candidates(cell)) for cell in range(81)) == 240
    assert all(digit in puzzle().candidates(cell) for cell, digit in enumerate(solved().digits))


def test_candidates_decide_how_many_solutions_there_are() -> None:
    position = Position.from_grid(engine.parse(EASY))
    assert engine.solution_count(position) == 1
    full = engine.solution(position)
    gone = position.changed([], [(0, full[0])])
    assert engine.solution_count(gone) == 0
    assert engine.solution(gone) is None
    assert not engine.solve_many([gone])[0].any()
    assert engine.solution_count(Position.from_grid(Grid(bytes(81))), 5) == 5


def test_its_path_leads_to_its_solution_and_every_step_is_proved() -> None:
    path = engine.solve_path(puzzle())
    position = puzzle()
    for step in path.steps:
        assert not any(solved()[cell] == digit for cell, digit in step.eliminations)
        assert not engine.TECHNIQUES[step.technique].needs_unique
        if step.technique not in ("trial", "brute_force"):
            assert faults(position, step) == []
        position = position.after(step)
    assert path.solved
    assert path.end.grid == solved()


def test_it_is_rated_by_the_schemes_that_make_sense_of_candidates() -> None:
    rating = engine.rate(puzzle())
    assert rating.verdict is Verdict.UNIQUE
    assert set(rating.scores) == {
        "explainer",
        "explainer_pearl",
        "explainer_diamond",
        "weighted_rules",
    }
    found = explainer.rating_of(explainer.order().walk(puzzle()))
    assert rating.scores["explainer"] == found.rating
    assert rating.level is not None
    assert rating.expected_seconds is None


def test_a_position_is_rated_from_where_it_stands() -> None:
    start = Position.from_grid(engine.parse(EASY))
    whole = engine.rate(start, schemes="all")
    assert whole == engine.rate(engine.parse(EASY), schemes="all")
    path = engine.solve_path(start)
    late = start
    for step in path.steps[:40]:
        late = late.after(step)
    rest = engine.rate(late, schemes="all")
    assert sum(rest.counts.values()) == len(path.steps) - 40
    scores = [rating.scores["step_score"] for rating in (rest, whole)]
    assert None not in scores
    assert scores == sorted(scores, key=lambda score: score or 0)
    assert scores[0] != scores[1]


def test_a_position_that_contradicts_its_puzzle_has_no_rating() -> None:
    start = Position.from_grid(engine.parse(EASY))
    full = engine.solution(start)
    assert engine.rate(start.changed([], [(0, full[0])])).verdict is Verdict.NONE


def test_single_schemes_are_rated_alone() -> None:
    rating = engine.rate(engine.parse(EASY), schemes=["step_level", "explainer"])
    assert dict(rating.scores) == {"explainer": 1.5, "step_level": 1}
    assert rating.level is None
    with pytest.raises(engine.ArgumentError, match=r"^schemes: expected one of explainer"):
        engine.rate(engine.parse(EASY), schemes=["telepathy"])


def test_a_full_grid_is_rated_at_nothing() -> None:
    full = engine.solution(engine.parse(EASY))
    rating = engine.rate(full, schemes="all")
    assert (rating.verdict, rating.level, rating.hardest) == (Verdict.UNIQUE, 1, None)
    assert (rating.scores["explainer"], rating.scores["step_score"]) == (0, 0)


def test_commands_read_candidates(run: Any) -> None:
    # The same candidates, with a second one beside each lone one, so that no digit is placed.
    line = puzzle().pencilmarks()
    entry = parse_entry(line)
    assert engine.verdict(entry.givens) is Verdict.MULTIPLE
    out, err, status = run("solve", given=line)
    assert (out, err, status) == (f"{solved()}\n", "", 0)
    assert run("check", given=line)[0] == f"{line} # unique\n"
    out, _, _ = run("rate", given=line)
    assert out.startswith(f"{line} # level ")
    out, _, _ = run("explain", given=line)
    assert out.startswith(f"{line}\n  1. ")


@pytest.mark.parametrize("command", ["canon", "vary", "solve --solver propagation"])
def test_commands_that_take_givens_only_refuse_candidates(run: Any, command: str) -> None:
    out, err, status = run(*command.split(), given=f"{puzzle().pencilmarks()}\n{EASY}")
    assert "line 1: expected givens with one solution, found a Sukaku" in err
    assert (len(out.splitlines()), status) == (1, 1)


def test_texts_are_read_and_written_with_their_candidates() -> None:
    position = Position.from_grid(engine.parse(EASY)).changed([(27, 8)], [(0, 4), (1, 5)])
    for form in ("hodoku", "json", "sudokuwiki"):
        assert engine.parse_position(engine.write(position, form)) == position
    assert engine.parse_position(engine.write(puzzle(), "json")) == puzzle()
    assert engine.write(position) == engine.write(position.givens) == EASY
    assert engine.parse_position(EASY) == Position.from_grid(engine.parse(EASY))


def test_a_library_line_is_rated_from_its_position(run: Any) -> None:
    digits = engine.solution(engine.parse(EASY))
    grid = "".join(
        given if given != "." or cell == 80 else f"+{digit}"
        for cell, (given, digit) in enumerate(zip(EASY, str(digits), strict=True))
    )
    out, _, _ = run("rate", given=f":0000:x:{grid}::::\n{EASY}\n")
    late, start = out.splitlines()
    assert "hardest full_house" in late
    assert "hardest hidden_single" in start


def test_a_line_that_fails_leaves_the_others_alone(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    digits = engine.solution(engine.parse(EASY))
    out, _, status = run("rate", given=f"{digits}\n{EASY}\n")
    assert (len(out.splitlines()), status) == (2, 0)

    def broken(position: Position, **_: object) -> object:
        if position.solved:
            raise ZeroDivisionError("nothing to rate")
        return engine.rate(position)

    monkeypatch.setattr("engine.commands.rate.rate", broken)
    out, err, status = run("rate", given=f"{digits}\n{EASY}\n")
    assert "line 1: a bug in ninefold, please report it: ZeroDivisionError: nothing to rate" in err
    assert (len(out.splitlines()), status) == (1, 1)


@pytest.mark.parametrize(
    ("command", "broken"),
    [
        ("solve", "engine.commands.solve.solve_many"),
        ("check", "engine.commands.solve.solve_many"),
        ("canon", "engine.commands.canon.canonical_forms"),
        ("vary", "engine.commands.vary.vary"),
    ],
)
def test_a_line_that_fails_in_a_batch_leaves_the_others_alone(
    run: Any, monkeypatch: pytest.MonkeyPatch, command: str, broken: str
) -> None:
    module, name = broken.rsplit(".", 1)
    real = getattr(sys.modules[module], name)
    digits = str(engine.solution(engine.parse(EASY)))

    def fails(asked: Any, *rest: Any, **named: Any) -> Any:
        rows = np.atleast_2d(asked.array() if isinstance(asked, engine.Grid) else asked)
        if rows.all(axis=1).any():  # a full grid among them
            raise ZeroDivisionError("nothing to do")
        return real(asked, *rest, **named)

    monkeypatch.setattr(broken, fails)
    out, err, status = run(*command.split(), given=f"{EASY}\n{digits}\n{EASY}\n")
    assert "line 2: a bug in ninefold, please report it: ZeroDivisionError: nothing to do" in err
    assert (len(out.splitlines()), status) == (2, 1)
