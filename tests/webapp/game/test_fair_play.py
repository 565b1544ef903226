"""The rules of fair play on the logs of simulated players, and the evidence each rule uses."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from benchmarks.fair import doubts_of, solve_of
from benchmarks.logs import puzzles
from benchmarks.players import KINDS, Game, Kind_, champion, games, ordinary, typed_in_order
from tests.thorough import amount
from webapp.game.fair_play import rules
from webapp.game.fair_play.solve import Solve, Source
from webapp.game.moves import Kind, Move

HONEST = amount("HONEST", 4, 100)  # games of each honest kind


@pytest.fixture(scope="module")
def game() -> Game:
    """An honest game."""
    return ordinary(random.Random(1), puzzles()[0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_honest_players_are_left_alone_and_what_the_rules_stop_is_stopped(kind: Kind_) -> None:
    found = [doubts_of(game) for game in games(kind, HONEST if kind.honest else 10, 7)]
    if kind.honest:
        assert sum(map(rules.under_review, found)) <= max(1, HONEST // 100)
    elif kind.stopped:
        assert sum(map(bool, found)) >= 6  # of ten; `make bench NAME=fair` counts more


def test_how_fast_a_solve_was_is_no_doubt() -> None:
    fast = champion(random.Random(3), next(each for each in puzzles() if each.level == 1))
    assert fast.received[-1] < 0.5 * fast.puzzle.expected_seconds
    assert doubts_of(fast) == []


def test_digits_faster_than_typing_are_doubted(game: Game) -> None:
    number = len(game.puzzle.empty)
    for seconds, doubted in ((0.39 * number, True), (0.41 * number, False)):
        squeezed = replace(game, received=[at * seconds / game.received[-1] for at in game.received])
        assert ("hand" in doubts_of(squeezed)) == doubted


def test_a_sweep_is_doubted_and_one_after_a_long_silence_has_no_rank() -> None:
    typed = typed_in_order(random.Random(2), puzzles()[9])
    assert "order" in doubts_of(typed)
    silence = 2 * max(typed.received[-1], typed.puzzle.expected_seconds)
    late = replace(typed, received=[silence + at for at in typed.received])
    assert doubts_of(late) == [rules.PAPER]
    assert not rules.under_review([rules.PAPER])


@pytest.mark.parametrize(
    ("early", "late", "wrong", "doubted"),
    [(4, 0, 0, True), (3, 0, 0, False), (3, 1, 0, False), (4, 0, 1, False), (5, 0, 1, True)],
)
def test_four_digits_before_their_reason_are_early(early: int, late: int, wrong: int, doubted: bool) -> None:
    """Each while six others were to be seen, and none among the last fourteen."""
    untold = SimpleNamespace(source=Source.OPEN, singles=[0] * rules.EASY_OPEN)
    plain = SimpleNamespace(source=Source.OPEN, singles=[0] * (rules.EASY_OPEN - 1))
    steps = [*[plain, untold] * early, *[untold] * late, *[plain] * (rules.LAST - late)]
    assert rules.early(cast("Solve", SimpleNamespace(steps=steps, wrong=wrong))) == doubted


def test_a_step_of_the_servers_clock_is_doubted(game: Game) -> None:
    solve = solve_of(game)
    for seconds, doubted in ((4, False), (60, True), (-60, True)):
        stepped = replace(solve, step=timedelta(seconds=seconds))
        assert ("clock" in rules.doubts(stepped)) == doubted


def test_a_copy_is_doubted_by_its_order(game: Game) -> None:
    assert rules.doubts(solve_of(game), copy=True) == [rules.ALIKE]


@pytest.mark.parametrize(
    ("seconds", "others", "source"), [(30, 1, Source.MARKED), (30, 0, None), (5, 1, None)]
)
def test_a_mark_explains_a_digit_only_with_another_and_some_time_before(
    seconds: float, others: int, source: Source | None
) -> None:
    """The last row is empty except for its last cell, and nothing else determines the digits."""
    solve = solve_of(typed_in_order(random.Random(4), puzzles()[9]))
    first = next(step for step in solve.steps if step.source in (Source.OPEN, Source.WIDE))
    digit = int(solve.answer[first.cell])
    before = solve.placings[first.cell] - timedelta(seconds=seconds)
    digits = [digit, *[digit % 9 + 1] * others]
    marks = [(Move(0, Kind.CORNER, (first.cell,), (), each), before) for each in digits]
    at = next(number for number, (_move, received) in enumerate(solve.log) if received > before)
    noted = replace(solve, log=[*solve.log[:at], *marks, *solve.log[at:]])
    assert {step.cell: step.source for step in noted.steps}[first.cell] == (source or first.source)
    assert solve.steps[-1].source == Source.SINGLE


def test_there_are_at_most_seven_rules_with_a_sentence_each() -> None:
    assert len(rules.RULES) <= 7
    sentences = [rules.words(key) for key in rules.RULES]
    assert len({*sentences}) == len(rules.RULES)
    assert rules.words("no longer there") not in sentences
