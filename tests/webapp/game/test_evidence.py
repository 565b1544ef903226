"""The figures of a log: leaps, sweeps, likeness, and what becomes of a few made-up players of each kind."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import cache
from statistics import fmean

import pytest

import engine
from benchmarks.fair import NEW_FOR, OTHER_SEED, START, Day, beside_others, came_of, outcome, solve_of
from tests.logs import Script
from tests.players import CHEATS, HONEST, NEWCOMERS, OTHERS, PLAYERS, STRANGERS, Log, logs, puzzles
from tests.thorough import amount
from webapp.game.evidence import likeness, score
from webapp.game.evidence.figures import SILENT, figures
from webapp.game.evidence.leaps import LAST, How, _prompt, leaps
from webapp.game.evidence.order import choices, longest_run, nearness, togetherness
from webapp.game.evidence.sight import Sight
from webapp.game.moves import Kind, Move
from webapp.game.plausibility import PAPER, judge

KEY_OF_FORTY = -533687438284043299  # the first key of 0 to 39 at puzzle 7
EACH = amount("FAIR_LOGS", 1, 60)


@cache
def one(name: str, seed: int = 3) -> Log:
    return logs(PLAYERS[name], 1, seed)[0]


def test_a_solution_typed_at_random_leaps_and_a_persons_solve_does_not() -> None:
    program, person = (leaps(solve_of(one(name))) for name in ("lognormal_at_random", "scanner_by_box"))
    assert person.bold == person.absurd == 0
    assert program.bold_uncalled > 3


def test_where_no_single_is_left_a_person_waits_and_one_who_asks_a_program_does_not() -> None:
    puzzle = next(each for each in puzzles() if each.level == 5)
    asker, person = (PLAYERS[name].play(puzzle, 3) for name in ("asks_when_stuck", "bivalue_marker"))
    assert (leaps(solve_of(asker)).stalled or 9) < 1.4 < (leaps(solve_of(person)).stalled or 0)


def test_sight_is_what_the_engine_sees() -> None:
    """Its singles are the engine's naked and hidden ones, at every stage of a path."""
    puzzle = next(each for each in puzzles() if each.level == 2)
    sight, position = Sight(puzzle.givens), engine.Position.from_grid(engine.parse(puzzle.givens))
    for step in engine.solve_path(engine.parse(puzzle.givens)).steps:
        found = {
            cell
            for key in ("full_house", "naked_single", "hidden_single")
            if key in engine.TECHNIQUES
            for each in engine.find(position, key)
            for cell, _digit in each.placements
        }
        if found:
            assert {*sight.singles(puzzle.solution)} == found
        for cell, digit in step.placements:
            sight.place(cell, digit)
        sight.strike(step.eliminations)
        position = position.after(step)


def typed(order: list[int], log: Log, seconds: float = 5.0) -> Log:
    """The solution in this order, a digit every so many seconds."""
    script = Script()
    for cell in order:
        script.wait(seconds)
        script.do(Kind.DIGIT, cell, log.puzzle.solution[cell])
    return replace(log, moves=script.moves(), received=script.times())


def by_singles(log: Log) -> list[int]:
    """The cells of an easy puzzle in an order of singles: the first of the board at each time."""
    sight, order = Sight(log.puzzle.givens), []
    while singles := sight.singles(log.puzzle.solution):
        order.append(singles[0])
        sight.place(singles[0], int(log.puzzle.solution[singles[0]]))
    assert len(order) == len(log.puzzle.empty)
    return order


def test_the_last_digits_may_come_in_any_order_where_singles_lead_to_the_end() -> None:
    log = one("scanner_by_box")
    order = by_singles(log)
    for last in (LAST, 2 * LAST):
        mixed = [*order[:-last], *sorted(order[-last:])[::-1]]
        found = figures(solve_of(typed(mixed, log))).leaps
        assert (found.bold_uncalled > 0) == (last > LAST)
    swept = [*order[:-LAST], *sorted(order[-LAST:])]
    assert longest_run(solve_of(typed(swept, log))) >= LAST - 1
    assert longest_run(solve_of(typed(swept, log)), LAST) < LAST - 1


def test_a_log_without_a_right_digit_has_figures_too() -> None:
    found = figures(replace(solve_of(one("instant")), log=[]))
    assert (found.leaps.how, found.leaps.leaps, found.togetherness) == ({}, 0, None)


@pytest.mark.parametrize(("pause", "bold"), [(0.1, False), (30.0, True)])
def test_digits_typed_in_one_go_may_come_in_any_order(pause: float, bold: bool) -> None:
    """Six are found in the mind and typed backwards: each may come before what leads to it."""
    log, script = one("scanner_by_box"), Script()
    order = by_singles(log)
    for first in range(0, len(order), 6):
        script.wait(30)
        for cell in order[first : first + 6][::-1]:
            script.do(Kind.DIGIT, cell, log.puzzle.solution[cell])
            script.wait(pause)
    backwards = replace(log, moves=script.moves(), received=script.times())
    assert (leaps(solve_of(backwards)).bold_uncalled > 0) == bold


def test_a_leap_into_the_open_is_wild_and_one_between_two_candidates_is_not() -> None:
    """The most open digit of a hard board comes first; then a digit of a cell with two candidates."""
    log = next(log for log in logs(PLAYERS["slow_program"], 60, 3) if log.puzzle.level == 5)
    sight, answer = Sight(log.puzzle.givens), log.puzzle.solution
    while sight._look_closer():
        pass
    choices = {cell: sight.choices(cell, int(answer[cell])) for cell in log.puzzle.empty}
    for many, wild in ((max(choices.values()), 1), (2, 0)):
        cell = next(each for each in log.puzzle.empty if choices[each] == many)
        few = replace(solve_of(log), log=solve_of(typed([cell], log)).log)
        assert (leaps(few).leaps, leaps(few).wild) == (1, wild)


def test_people_go_on_nearby_and_a_program_picks_its_singles_anywhere() -> None:
    program, person = (
        [
            far
            for log in logs(PLAYERS[name], 12, 5)
            if (far := togetherness(choices(solve_of(log)))) is not None
        ]
        for name in ("lognormal_at_random", "scanner_by_box")
    )
    assert len(program) == len(person) == 12
    assert fmean(program) < 0.8 < 2.5 < fmean(person)
    (log,) = logs(PLAYERS["instant"], 1, 5)
    assert togetherness(choices(replace(solve_of(log), log=[]))) is None


def test_who_thinks_for_long_at_hard_places_may_have_followed_chains_in_the_mind() -> None:
    found = figures(solve_of(one("program_in_turns")))
    for stalled, counted in ((2.9, 3), (3.0, SILENT), (None, 3)):
        assert replace(found, leaps=replace(found.leaps, leaps=3, stalled=stalled)).unmarked == counted
    marked = replace(found, marks=1)
    assert marked.unmarked is None


@pytest.mark.parametrize(("seconds", "prompt"), [(5.0, 0), (2.9, 1)])
def test_a_wait_is_short_beside_those_of_digits_that_came_alone(seconds: float, prompt: int) -> None:
    """Here three singles share 15 seconds, as behind a bad connection; the last digit comes alone."""
    log = one("scanner_by_box")
    order, after = by_singles(log)[-4:], (15.0, 15.0, 15.0, 15.0 + seconds)
    moves = [
        Move(at, Kind.DIGIT, (cell,), digit=int(log.puzzle.solution[cell])) for at, cell in enumerate(order)
    ]
    received = [START + timedelta(seconds=each) for each in after]
    solve = replace(solve_of(log), log=list(zip(moves, received, strict=True)))
    assert _prompt(solve, order[-1:], dict.fromkeys(order, How.SINGLE)) == prompt


def test_a_sweep_is_a_run_and_the_order_of_a_person_is_not() -> None:
    swept = one("exponential_by_columns")
    assert longest_run(solve_of(swept)) >= len(swept.order) - 2
    assert longest_run(solve_of(one("scanner_by_box"))) < 10


def test_an_order_is_near_itself_and_a_shuffled_one_is_not() -> None:
    order = list(range(50))
    swapped = [cell ^ 1 for cell in order]  # every two neighbors
    assert nearness(order, order) == nearness(order, swapped) == 1
    assert nearness(order, random.Random(1).sample(order, 50)) < 0.3
    assert nearness(order, []) == 0


@pytest.mark.parametrize("name", ["replay_with_jitter", "replay_with_swaps", "turned_replay"])
def test_a_copy_is_found_by_its_keys_even_turned_and_relabeled(name: str) -> None:
    copy = one(name)
    day = Day(copy.before)
    assert day.nearest(copy, solve_of(copy)) > 0.88
    assert "alike" in judge(solve_of(copy), day.nearest(copy, solve_of(copy))).doubts


def test_moves_that_come_after_a_lost_connection_were_not_played_in_a_moment() -> None:
    solve = solve_of(one("steady_marker"))
    digits = [move for move, _at in solve.log if move.kind is Kind.DIGIT][:12]
    seconds = [20.0, *(300 + 0.1 * number for number in range(10)), 302.0]
    received = [solve.started_at + timedelta(seconds=each) for each in seconds]
    caught_up = replace(solve, log=list(zip(digits, received, strict=True)))
    assert [round(thought, 1) for thought in caught_up.thoughts.values()] == [20.0, *[280.0] * 11]
    few = replace(solve, log=caught_up.log[:5])
    assert [round(thought, 1) for thought in few.thoughts.values()] == [20.0, 280.0, 0.1, 0.1, 0.1]


def test_signs_of_knowing_the_digits_weigh_double_in_a_fast_solve() -> None:
    for shares in ({"leaps": 0.5}, {"leaps": 0.3, "quick": 0.2}, {"leaps": 0.3, "pace": 0.4}):
        assert score.doubted(shares, score.FAST)
        assert not score.doubted(shares, score.FAST + 0.01)
        assert not score.doubted(shares, None)
    assert not score.doubted({"pace": 0.5, "order": 0.49}, 0.1)
    assert score.doubted({"leaps": 1.0}, 2.0)


def test_a_single_prompt_digit_speaks_against_a_first_place_but_for_no_review() -> None:
    asker = one("program_in_turns")
    found = figures(solve_of(asker))
    once = replace(found, leaps=replace(found.leaps, stalls=3, stalled=20.0, shortest=0.6, tried=0))
    shares = score.shares(score.measured(once))
    share = shares["stalled_once"]
    assert share >= score.TOLD
    assert "stalled" not in shares
    assert score.weighed({"stalled_once": share}, 0.3) == share  # not even a fast solve is doubted for it
    assert not score.doubted({"stalled_once": 1.0, "leaps": 0.9}, None)


def test_marks_for_show_come_just_before_the_digit_of_their_cell_and_a_persons_do_not() -> None:
    program, person = (
        figures(solve_of(one(name, 4))).posed_marks for name in ("decorated_program", "steady_marker")
    )
    assert program == 1
    assert person is not None
    assert person < 0.1


@pytest.mark.parametrize(("more", "share"), [(0, None), (1, 1.0)])
def test_a_digit_that_was_marked_by_mistake_is_no_mark_for_show(more: int, share: float | None) -> None:
    """Six times the digit, or it and the next ones, are marked before it is entered."""
    log, script = one("slow_program"), Script()
    for number, cell in enumerate(log.puzzle.empty):
        digit = int(log.puzzle.solution[cell])
        for other in range(digit, digit + more + 1) if number < 6 else ():
            script.do(Kind.CORNER, cell, (other - 1) % 9 + 1)
        script.wait(5)
        script.do(Kind.DIGIT, cell, digit)
    log = replace(log, moves=script.moves(), received=script.times())
    assert figures(solve_of(log)).posed_marks == share


def test_whoever_began_first_is_no_copy() -> None:
    copy = one("replay_with_jitter")
    (original,) = copy.before
    assert Day([copy]).nearest(original, solve_of(original)) == 0


def test_keys_belong_to_a_puzzle_and_stay_the_same() -> None:
    order = list(range(40))
    assert likeness.keys(order, 1) == likeness.keys(order, 1)
    assert not {*likeness.keys(order, 1)} & {*likeness.keys(order, 2)}
    assert likeness.keys([], 1) == []
    assert all(-(2**63) <= key < 2**63 for key in likeness.keys(order, 1))
    assert likeness.keys(order, 7)[0] == KEY_OF_FORTY  # stored keys are compared with new ones


@pytest.mark.slow
def test_what_becomes_of_made_up_players() -> None:
    """The promise of benchmarks/fair.md with few logs of a kind; FAIR_LOGS=60 or THOROUGH=1 has as many."""
    day = Day(())
    honest, cheats = Counter[str](), Counter[str]()
    found = [each for player in (*HONEST, *CHEATS) for each in came_of(player, EACH, OTHER_SEED, day)]
    for player in HONEST:
        came = Counter(each.outcome for each in found if each.kind == player.name)
        if player.name.startswith("from_paper"):
            assert came["asked"] == EACH
        else:
            assert came["asked"] == 0
            assert came["review"] <= max(1, 0.01 * EACH), player.name
            honest += came
    placed, first = beside_others(found, histories=True)
    cheats += Counter(each.outcome for each in placed if not each.honest)
    assert EACH < 60 or not first  # with fewer logs boards are nearly empty
    assert honest["review"] <= 0.01 * honest.total()
    assert cheats["board"] <= (0.12 if EACH < 20 else 0.05) * cheats.total()


@pytest.mark.slow
def test_honest_players_whom_others_made_are_hardly_ever_doubted() -> None:
    """Of all their kinds together 1%, and of each 3%; FAIR_LOGS or THOROUGH as above."""
    came = {
        player.name: Counter(each.outcome for each in came_of(player, EACH, OTHER_SEED, Day(())))
        for player in (*OTHERS, *STRANGERS, *NEWCOMERS)
        if player.honest
    }
    assert [name for name, outcomes in came.items() if outcomes["review"] > max(1, 0.03 * EACH)] == []
    total = sum(came.values(), Counter[str]())
    assert total["review"] <= max(1, 0.01 * total.total())
    assert total["asked"] == 0


def test_second_accounts_that_copy_a_log_made_by_hints_are_not_on_the_board() -> None:
    for copy in logs(PLAYERS["hinted_guest_replayed"], amount("FAIR_COPIES", 4, 100), 500):
        judgment = judge(solve_of(copy), Day(copy.before).nearest(copy, solve_of(copy)), shared=True)
        assert len(copy.account.past) < NEW_FOR
        assert judgment.doubts != [PAPER]
        assert outcome(copy, judgment) == "review"
