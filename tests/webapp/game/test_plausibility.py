"""The rules that doubt a solve: each on a log that breaks it alone, and all on logs made without them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from benchmarks.plausibility import COUNT, START, solve_of, under_review
from tests.logs import (
    DAILY_LEVELS,
    ROUNDS,
    Log,
    Timed,
    human,
    openings,
    path,
    people,
    programs,
    puzzles,
    solution,
)
from webapp.game import plausibility
from webapp.game.moves import Kind, Move
from webapp.game.plausibility import FLOOR, RULES, Solve


def of_level(level: int) -> Timed:
    return next(puzzle for puzzle in puzzles() if puzzle.level == level)


def played(puzzle: Timed, waits: list[float], cells: list[int] | None = None) -> Solve:
    """The digits of a puzzle, by the path of logic unless told otherwise, each after its wait."""
    answer = solution(puzzle)
    moves, received, at = [], [], 0.0
    for seq, (cell, wait) in enumerate(zip(cells or way(puzzle), waits, strict=True), 1):
        moves.append(Move(seq, Kind.DIGIT, (cell,), digit=int(answer[cell])))
        at += wait
        received.append(at)
    return solve_of(Log("made", False, puzzle, moves, received))


def way(puzzle: Timed) -> list[int]:
    return [placing.cell for placing in path(puzzle)]


def thinking(puzzle: Timed, seed: int = 1, middle: float = 8.0) -> list[float]:
    rng = random.Random(seed)
    return [middle * rng.lognormvariate(0, 0.9) for _ in puzzle.empty]


def test_a_thoughtful_solve_along_logic_is_not_doubted() -> None:
    puzzle = of_level(2)
    assert plausibility.doubts(played(puzzle, thinking(puzzle))) == []


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_the_floor_is_a_time_a_digit_of_the_level(level: int) -> None:
    puzzle = of_level(level)
    solve = played(puzzle, thinking(puzzle))
    least = FLOOR[level - 1] * len(puzzle.empty)
    assert plausibility.too_fast(replace(solve, elapsed=timedelta(seconds=least - 0.1)))
    assert not plausibility.too_fast(replace(solve, elapsed=timedelta(seconds=least + 0.1)))


@pytest.mark.parametrize("wobble", [0, 0.1, 0.3, 0.5])
def test_an_even_beat_is_doubted_at_any_pace(wobble: float) -> None:
    puzzle, rng = of_level(2), random.Random(2)
    waits = [9 * rng.uniform(1 - wobble, 1 + wobble) for _ in puzzle.empty]
    assert plausibility.doubts(played(puzzle, waits)) == ["cadence"]


def test_a_solve_that_came_whole_has_no_beat() -> None:
    puzzle = of_level(2)
    waits = [900.0, *[0.0] * (len(puzzle.empty) - 1)]
    assert plausibility.doubts(played(puzzle, waits)) == []


@pytest.mark.parametrize("backwards", [False, True])
def test_the_rows_one_after_the_other_are_doubted(backwards: bool) -> None:
    puzzle = of_level(2)
    cells = puzzle.empty[::-1] if backwards else puzzle.empty
    assert plausibility.doubts(played(puzzle, thinking(puzzle, middle=16), cells)) == ["order"]


@pytest.mark.slow
@pytest.mark.parametrize("order", ROUNDS)
@pytest.mark.parametrize("level", DAILY_LEVELS)
def test_going_over_the_board_in_order_is_not_doubted(order: str, level: int) -> None:
    """Round after round, called for, each placing; what is not waits until a round finds nothing."""
    for puzzle in (puzzle for puzzle in puzzles() if puzzle.level == level):
        cells = in_rounds(puzzle, order)
        assert not plausibility.swept(played(puzzle, thinking(puzzle), cells))


def in_rounds(puzzle: Timed, order: str) -> list[int]:
    answer = solution(puzzle)
    digits = [int(char) if char != "." else 0 for char in puzzle.givens]
    cells: list[int] = []

    def place(cell: int) -> None:
        digits[cell] = int(answer[cell])
        cells.append(cell)

    while 0 in digits:
        before = len(cells)
        for cell in sorted(puzzle.empty, key=lambda cell: ROUNDS[order](answer, cell)):
            if not digits[cell] and cell in openings(digits):
                place(cell)
        if len(cells) == before:
            place(next(cell for cell in way(puzzle) if not digits[cell]))
    return cells


def test_fast_digits_that_nothing_asks_for_are_doubted() -> None:
    puzzle = max(
        (puzzle for puzzle in puzzles() if puzzle.level == 3), key=lambda each: each.expected_seconds
    )
    cells = random.Random(4).sample(puzzle.empty, len(puzzle.empty))
    fast = played(puzzle, thinking(puzzle, middle=2.5), cells)
    assert plausibility.doubts(fast) == ["uncalled"]
    assert plausibility.doubts(played(puzzle, thinking(puzzle, middle=24), cells)) == []


def test_an_expectation_that_nobody_measured_makes_no_solve_fast() -> None:
    puzzle = max(
        (puzzle for puzzle in puzzles() if puzzle.level == 3), key=lambda each: each.expected_seconds
    )
    cells = random.Random(4).sample(puzzle.empty, len(puzzle.empty))
    solve = played(puzzle, thinking(puzzle, middle=24), cells)
    assert plausibility.doubts(replace(solve, expected_seconds=3600.0)) == []


def test_marks_prepare_a_digit_that_nothing_asks_for() -> None:
    puzzle = max(
        (puzzle for puzzle in puzzles() if puzzle.level == 3), key=lambda each: each.expected_seconds
    )
    cells = random.Random(4).sample(puzzle.empty, len(puzzle.empty))
    solve = played(puzzle, thinking(puzzle, middle=2.5), cells)
    marks = [(Move(seq, Kind.CORNER, (cells[0],), digit=1), START) for seq in range(1, 31)]
    assert plausibility.doubts(replace(solve, log=[*marks, *solve.log])) == []


def test_a_puzzle_that_needs_chains_needs_a_mark() -> None:
    puzzle = of_level(5)
    solve = played(puzzle, thinking(puzzle, middle=16))
    assert plausibility.doubts(solve) == ["marks"]
    marked = [(Move(1, Kind.FILL), START), *solve.log]
    assert plausibility.doubts(replace(solve, log=marked)) == []
    assert plausibility.doubts(replace(solve, explainer=None)) == ["marks"]


@pytest.mark.parametrize(
    ("seconds", "doubted"), [(-3600, True), (3600, True), (-20, True), (4, False), (-4, False)]
)
def test_a_step_of_the_servers_clock_is_doubted(seconds: float, doubted: bool) -> None:
    puzzle = of_level(2)
    solve = replace(played(puzzle, thinking(puzzle)), step=timedelta(seconds=seconds))
    assert plausibility.doubts(solve) == (["clock"] if doubted else [])


def test_a_pause_is_no_thought() -> None:
    puzzle = of_level(2)
    solve = played(puzzle, [5.0] * len(puzzle.empty))
    late = solve.log[20][1] + timedelta(hours=9)
    log = [*solve.log[:20], (Move(21, Kind.PAUSE), solve.log[19][1]), (Move(22, Kind.RESUME), late)]
    log += [(move, at + timedelta(hours=9)) for move, at in solve.log[20:]]
    assert "cadence" in plausibility.doubts(replace(solve, log=log))


def test_every_rule_has_words_and_an_unknown_key_too() -> None:
    words = {plausibility.words(key) for key in [*RULES, "gone"]}
    assert len(words) == len(RULES) + 1


@pytest.mark.slow
def test_programs_are_put_under_review_and_people_are_not() -> None:
    """The promise: of 200 each, at least 95 % and at most 1 %. The logs know nothing of the rules."""
    assert len(under_review(programs(COUNT, 1))) >= 0.95 * COUNT
    assert len(under_review(people(COUNT, 1))) <= 0.01 * COUNT


def test_the_level_of_a_log_is_one_of_the_dailies() -> None:
    rng = random.Random(1)
    assert {log.puzzle.level for log in people(9, 1)} == set(DAILY_LEVELS)
    assert human(rng, of_level(2)).human
