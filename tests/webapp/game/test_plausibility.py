"""The rules that doubt a solve: each on a log that breaks it alone, and all on logs made without them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest

from benchmarks.fair import solve_of
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
from tests.thorough import amount
from webapp.game import plausibility
from webapp.game.evidence.score import WEIGHTS
from webapp.game.evidence.solve import Solve
from webapp.game.moves import Kind, Move
from webapp.game.plausibility import FLOOR, PAPER, RULES, SLOW, judge

IN_ORDER = amount("IN_ORDER", 3, 8)  # puzzles of each level


def doubts(solve: Solve) -> list[str]:
    return judge(solve).doubts


def under_review(logs: Iterable[Log]) -> list[Log]:
    return [log for log in logs if doubts(solve_of(log))]


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
    assert doubts(played(puzzle, thinking(puzzle))) == []


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_the_floor_is_a_time_a_digit_of_the_level(level: int) -> None:
    puzzle = of_level(level)
    solve = played(puzzle, thinking(puzzle))
    least = FLOOR[level - 1] * len(puzzle.empty)
    assert plausibility.too_fast(replace(solve, elapsed=timedelta(seconds=least - 0.1)))
    assert not plausibility.too_fast(replace(solve, elapsed=timedelta(seconds=least + 0.1)))


@pytest.mark.parametrize("wobble", [0, 0.1, 0.3, 0.5])
def test_an_even_beat_is_doubted_but_for_slow_solves_as_with_a_switch(wobble: float) -> None:
    puzzle, rng = of_level(2), random.Random(2)
    waits = [rng.uniform(1 - wobble, 1 + wobble) for _ in puzzle.empty]
    for pace, expected in ((SLOW - 0.1, ["cadence"]), (SLOW + 0.1, [])):
        unit = pace * puzzle.expected_seconds / sum(waits)
        assert doubts(played(puzzle, [unit * wait for wait in waits])) == expected


def test_a_solve_that_came_whole_has_no_beat() -> None:
    puzzle = of_level(2)
    waits = [900.0, *[0.0] * (len(puzzle.empty) - 1)]
    assert doubts(played(puzzle, waits)) == []


@pytest.mark.parametrize("backwards", [False, True])
def test_the_rows_one_after_the_other_are_doubted(backwards: bool) -> None:
    puzzle = of_level(2)
    cells = puzzle.empty[::-1] if backwards else puzzle.empty
    assert "order" in doubts(played(puzzle, thinking(puzzle, middle=16), cells))


@pytest.mark.slow
@pytest.mark.parametrize("order", ROUNDS)
@pytest.mark.parametrize("level", DAILY_LEVELS)
def test_going_over_the_board_in_order_is_not_doubted(order: str, level: int) -> None:
    """Round after round, called for, each placing; what is not waits until a round finds nothing."""
    for puzzle in [puzzle for puzzle in puzzles() if puzzle.level == level][:IN_ORDER]:
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


def test_digits_that_nothing_asks_for_are_doubted() -> None:
    puzzle = max(
        (puzzle for puzzle in puzzles() if puzzle.level == 3), key=lambda each: each.expected_seconds
    )
    cells = random.Random(4).sample(puzzle.empty, len(puzzle.empty))
    assert "leaps" in doubts(played(puzzle, thinking(puzzle, middle=24), cells))


def test_whoever_types_from_paper_is_asked_and_not_doubted() -> None:
    puzzle, rng = of_level(3), random.Random(3)
    waits = [puzzle.expected_seconds, *(rng.uniform(0.4, 1.2) for _cell in puzzle.empty[1:])]
    assert doubts(played(puzzle, waits, puzzle.empty)) == [PAPER]
    at_once = [1.0, *waits[1:]]
    assert PAPER not in doubts(played(puzzle, at_once, puzzle.empty))


def test_the_order_of_an_earlier_game_is_doubted_and_a_shared_device_alone_is_not() -> None:
    solve = played(of_level(2), thinking(of_level(2)))
    assert judge(solve, 0.95).doubts == ["alike"]
    assert judge(solve, 0.7).doubts == []
    assert judge(solve, shared=True).doubts == []


def test_a_player_who_is_suddenly_much_faster_is_doubted() -> None:
    solve = played(of_level(2), thinking(of_level(2)))
    assert solve.pace is not None
    assert doubts(replace(solve, paces=[3 * solve.pace] * 6)) == ["own_pace"]
    assert doubts(replace(solve, paces=[3 * solve.pace] * 4)) == []  # too few to tell
    assert doubts(replace(solve, paces=[1.3 * solve.pace] * 6)) == []


def test_without_compiled_techniques_the_plain_rules_are_asked() -> None:
    puzzle = of_level(2)
    slow = played(puzzle, thinking(puzzle, middle=16), puzzle.empty)
    assert judge(slow, compiled=False).doubts == ["order"]


@pytest.mark.parametrize(
    ("seconds", "doubted"), [(-3600, True), (3600, True), (-20, True), (4, False), (-4, False)]
)
def test_a_step_of_the_servers_clock_is_doubted(seconds: float, doubted: bool) -> None:
    puzzle = of_level(2)
    solve = replace(played(puzzle, thinking(puzzle)), step=timedelta(seconds=seconds))
    assert doubts(solve) == (["clock"] if doubted else [])


def test_a_pause_is_no_thought() -> None:
    puzzle = of_level(2)
    solve = played(puzzle, [5.0] * len(puzzle.empty))
    late = solve.log[20][1] + timedelta(minutes=2)
    log = [*solve.log[:20], (Move(21, Kind.PAUSE), solve.log[19][1]), (Move(22, Kind.RESUME), late)]
    log += [(move, at + timedelta(minutes=2)) for move, at in solve.log[20:]]
    assert "cadence" in doubts(replace(solve, log=log))


def test_every_rule_has_words_and_an_unknown_key_too() -> None:
    keys = [*RULES, PAPER, *(weight.key for weight in WEIGHTS if weight.key not in RULES), "marks", "gone"]
    assert len({plausibility.words(key) for key in keys}) == len(keys)


@pytest.mark.slow
def test_programs_are_put_under_review_and_people_are_not() -> None:
    """The promise: at least 95 % and at most 1 %. The logs know nothing of the rules."""
    count = 100
    assert len(under_review(programs(count, 1))) >= 0.95 * count
    assert len(under_review(people(count, 1))) <= 0.01 * count


def test_the_level_of_a_log_is_one_of_the_dailies() -> None:
    rng = random.Random(1)
    assert {log.puzzle.level for log in people(9, 1)} == set(DAILY_LEVELS)
    assert human(rng, of_level(2)).human
