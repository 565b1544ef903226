"""What solves show together: nothing of people, and much of programs that have always played an account."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

import engine
from benchmarks.fair import solve_of
from tests.players import PLAYERS, Log, logs, puzzles
from webapp.game.evidence.figures import figures
from webapp.game.evidence.habits import FEWEST, SPAN, Habits, harder_first, unlinked, unsearched, unstopped
from webapp.game.evidence.score import ENOUGH
from webapp.game.evidence.sight import BOXES, Sight
from webapp.game.plausibility import judge


def of_one_player(name: str, count: int = SPAN, seed: int = 13) -> list[Log]:
    """Solves of one player of a kind, each of another puzzle."""
    player = PLAYERS[name]
    to_play = [puzzle for puzzle in puzzles() if puzzle.level in player.levels][:: 60 // count]
    return [player.again(to_play[0], seed, puzzle) for puzzle in to_play]


@cache
def shown(name: str) -> tuple[Habits, ...]:
    return tuple(figures(solve_of(log)).habits for log in of_one_player(name))


def effort(step: engine.Step) -> int:
    """How hard the engine's single is to see."""
    if step.technique == "hidden_single":
        return 2 if step.houses[0].house >= BOXES else 3
    return {"full_house": 1, "naked_single": 4}[step.technique]


def test_the_effort_of_a_single_is_that_of_the_easiest_technique_that_finds_it() -> None:
    puzzle = next(each for each in puzzles() if each.level == 2)
    answer = puzzle.solution
    sight, position = Sight(puzzle.givens), engine.Position.from_grid(engine.parse(puzzle.givens))
    told = set[int]()
    for step in engine.solve_path(engine.parse(puzzle.givens)).steps:
        found: dict[int, int] = {}
        for key in ("full_house", "hidden_single", "naked_single"):
            for each in engine.find(position, key):
                ((cell, _digit),) = each.placements
                found[cell] = min(found.get(cell, 9), effort(each))
        assert {cell: sight.effort(cell, int(answer[cell])) for cell in found} == found
        told.update(found.values())
        for cell, digit in step.placements:
            sight.place(cell, digit)
        sight.strike(step.eliminations)
        position = position.after(step)
    assert told == {1, 2, 3, 4}


@pytest.mark.parametrize("name", ["scanner_by_digit", "quick_veteran", "contest_winner", "snyder_player"])
def test_of_people_nothing_is_said(name: str) -> None:
    latest = shown(name)
    for figure in (unsearched, unlinked, unstopped):
        odds = figure(latest)
        assert odds is not None
        assert odds < 0
    missed = harder_first(latest)
    assert missed is None or missed > 0.2


@pytest.mark.parametrize("name", ["candidates_first", "open_singles", "thinks_then_bursts"])
def test_who_waits_no_longer_where_it_is_harder_stands_out_over_twenty_solves(name: str) -> None:
    assert (unsearched(shown(name)) or 0) > 3


@pytest.mark.parametrize("name", ["asks_when_stuck", "program_in_turns"])
def test_who_goes_on_where_no_single_is_left_stands_out_over_twenty_solves(name: str) -> None:
    assert (unstopped(shown(name)) or 0) > 3


@pytest.mark.parametrize("name", ["open_singles", "two_at_one_board"])
def test_who_jumps_around_stands_out_over_twenty_solves(name: str) -> None:
    assert (unlinked(shown(name)) or 0) > 3


def test_a_program_never_leaves_the_easiest_single_out_and_an_expert_marks_and_errs() -> None:
    missed = harder_first(shown("easiest_first"))
    assert missed is not None
    assert missed < 0.03
    expert = shown("path_expert")
    assert sum(each.harder for each in expert) < 0.05 * sum(each.choices for each in expert)
    assert harder_first(expert) is None


def test_waits_of_who_tries_digits_out_say_nothing() -> None:
    tried = [(figures(solve_of(log)), log) for log in of_one_player("what_if", 10)]
    assert any(found.leaps.tried > 1 for found, _log in tried)
    for found, _log in tried:
        if found.leaps.tried > 1:
            assert found.habits.searched is found.habits.linked is None


def test_habits_are_kept_and_read_by_other_versions_too() -> None:
    found = Habits(searched=1.25, linked=-0.5, stopped=None, choices=40, harder=12, plain=True)
    assert Habits.read({**found.stored(), "of_a_later_version": 1}) == found
    assert Habits.read({"choices": 3}) == Habits(choices=3)


@pytest.mark.parametrize("figure", [unsearched, unlinked, unstopped, harder_first])
def test_fewer_than_five_solves_say_nothing(figure: object) -> None:
    assert callable(figure)
    latest = [Habits(1.0, 1.0, 1.0, 30, 10, plain=True)] * FEWEST
    assert figure(latest) is not None
    assert figure(latest[1:]) is None


def test_waits_that_are_all_the_same_say_nothing_of_the_search() -> None:
    log = of_one_player("fixed_delay", 20)[0]
    even = replace(log, received=[5.0 * at for at, _move in enumerate(log.moves, 1)])
    assert figures(solve_of(even)).habits.searched is None


def test_what_earlier_solves_showed_can_put_a_solve_under_review() -> None:
    """Its own log says too little."""
    log, earlier = of_one_player("where_to_look")[0], shown("where_to_look")[1:]
    alone, together = judge(solve_of(log)), judge(solve_of(log), earlier=earlier)
    assert "unsearched" not in alone.shares
    assert together.shares["unsearched"] >= ENOUGH
    assert together.doubts == ["unsearched"]
    assert together.habits == alone.habits == shown("where_to_look")[0]


def test_of_one_kind_not_all_players_are_alike_but_of_none_much_is_said() -> None:
    """Three players each of some honest kinds, ten solves each."""
    for name in ("steady_marker", "speed_solver", "digit_first", "tunnel_commuter", "mass_marker"):
        for log in logs(PLAYERS[name], 3, 70):
            player = PLAYERS[name]
            others = [each for each in puzzles() if each.level in player.levels][::5]
            latest = [figures(solve_of(player.again(log.puzzle, 70, other))).habits for other in others[:10]]
            for figure in (unsearched, unlinked, unstopped):
                assert (figure(latest) or 0) < 1.5, name
