"""What solves show together: nothing of people, and much of programs that have always played an account."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import pytest

import engine
from benchmarks.fair import solve_of
from benchmarks.fair_habits import BY_KEY, doubted, of_one_player
from tests.players import HONEST, NEWCOMERS, OTHERS, STRANGERS, puzzles
from tests.thorough import amount
from webapp.game.evidence.figures import figures
from webapp.game.evidence.habits import (
    FEWEST,
    MOST,
    SPAN,
    Habits,
    harder_first,
    searched,
    unhalted,
    unlinked,
)
from webapp.game.evidence.score import ENOUGH, HABITS, WEIGHTS, against
from webapp.game.evidence.sight import BOXES, Sight
from webapp.game.plausibility import PAPER, judge

OF_A_KIND = amount("HABITS", 1, 3)
SEED = 13


@cache
def shown(name: str) -> list[Habits]:
    return [figures(solve_of(log)).habits for log in of_one_player(name, None, SPAN, SEED)]


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
def test_of_people_figures_are_known_and_none_is_a_doubt(name: str) -> None:
    latest = shown(name)
    assert searched(latest) is not None
    assert unlinked(latest) is not None
    assert doubted(latest) == {}


def test_people_halt_at_hard_digits() -> None:
    score = unhalted(shown("silent_thinker"))
    assert score is not None
    assert score < -5


@pytest.mark.slow
@pytest.mark.parametrize("level", [None, 1])
def test_no_honest_player_is_doubted_for_habits_whatever_they_play(level: int | None) -> None:
    """People who only play easy dailies, too, where waits differ little; twenty solves each.

    Every third kind; all of them with THOROUGH=1.
    """
    everybody = (*HONEST, *OTHERS, *STRANGERS, *NEWCOMERS)
    kinds = [each for each in everybody if each.honest and level in (None, *each.levels)]
    kinds = kinds if OF_A_KIND > 1 else kinds[::3]
    told = {
        (player.name, seed): found
        for player in kinds
        for seed in range(OF_A_KIND)
        if (
            found := doubted(
                [figures(solve_of(log)).habits for log in of_one_player(player.name, level, SPAN, seed)]
            )
        )
        and not player.name.startswith("from_paper")
    }
    assert {who for who, found in told.items() if max(found.values()) >= ENOUGH} == set()
    assert len(told) <= 0.05 * len(kinds) * OF_A_KIND


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("where_to_look", "searched"),
        ("open_singles", "searched"),
        ("open_singles", "unlinked"),
        ("two_at_one_board", "unlinked"),
        ("program_in_turns", "unhalted"),
        ("easiest_first", "easiest"),
    ],
)
def test_a_cheat_who_always_plays_so_stands_out_over_twenty_solves(name: str, key: str) -> None:
    assert doubted(shown(name)).get(key, 0) >= ENOUGH


def test_an_expert_who_takes_the_easiest_first_marks_and_errs() -> None:
    expert = shown("path_expert")
    assert sum(each.harder for each in expert) < 0.05 * sum(each.choices for each in expert)
    assert harder_first(expert) is None


def test_a_slow_hand_hides_no_search() -> None:
    """A switch or a screen reader adds 6 to 18 s to every receipt."""
    rng, slow = random.Random(1), []
    for log in of_one_player("scanner_by_box", None, SPAN, SEED):
        late, received, before = 0.0, [], -1.0
        for at in log.received:
            late += rng.uniform(6, 18) * (at > before)
            received.append(at + late)
            before = at
        slow.append(figures(solve_of(replace(log, received=received))).habits)
    assert doubted(slow) == {}


def test_who_tries_digits_out_or_notes_all_candidates_is_not_asked_how_they_search() -> None:
    tried = [figures(solve_of(log)) for log in of_one_player("what_if", None, 10, SEED)]
    assert any(found.leaps.tried > 1 for found in tried)
    for found in tried:
        if found.leaps.tried > 1:
            assert (found.habits.waits, found.habits.linked, found.habits.halted) == (0, None, None)
    noted = [figures(solve_of(log)) for log in of_one_player("mass_marker", None, 5, SEED)]
    assert [each.habits.waits for each in noted if each.leaps.weighed > 30] == [0] * 5


def test_habits_are_kept_and_read_by_other_versions_too() -> None:
    found = Habits(waits=30, efforts=12.345, grown=1.25, varied=9.0, linked=-0.5, choices=40, plain=True)
    assert Habits.read({**found.stored(), "of_a_later_version": 1}) == found
    assert Habits.read({"choices": 3}) == Habits(choices=3)


@pytest.mark.parametrize("figure", BY_KEY.values(), ids=BY_KEY)
def test_fewer_than_five_solves_say_nothing(figure: Callable[[Sequence[Habits]], float | None]) -> None:
    latest = [Habits(20, 5.0, 2.0, 10.0, 1.0, 1.0, 30, 10, plain=True)] * FEWEST
    assert figure(latest) is not None
    assert figure(latest[1:]) is None


@pytest.mark.parametrize("figure", [unlinked, unhalted])
def test_one_solve_changes_a_score_by_little(figure: Callable[[Sequence[Habits]], float | None]) -> None:
    latest = [Habits(linked=1.4, halted=0.6)] * FEWEST
    assert figure(latest) == pytest.approx(0)
    for wild in (-40.0, 40.0):
        found = figure([*latest, Habits(linked=wild, halted=wild)])
        assert found == pytest.approx(MOST if wild < 0 else -MOST)


@pytest.mark.parametrize("cells", range(25, 33))
def test_waits_that_are_all_the_same_have_grown_by_nothing(cells: int) -> None:
    log = of_one_player("open_singles", 2, 1, SEED)[0]
    even = replace(log, received=[5.3 * at for at, _move in enumerate(log.moves, 1)])
    few = replace(solve_of(even), log=solve_of(even).log[:cells])
    found = figures(few).habits
    assert found.waits > 0
    assert abs(found.grown) < 1e-9
    assert found.varied < 1e-9


def test_habits_put_a_solve_under_review_but_are_not_held_against_it_by_itself() -> None:
    log, earlier = of_one_player("where_to_look", None, 1, SEED)[0], shown("where_to_look")[1:]
    alone, together = judge(solve_of(log)), judge(solve_of(log), earlier=earlier)
    assert HABITS.isdisjoint(alone.shares)
    assert together.doubts == ["searched"]
    assert against(together.shares, log.pace) == against(alone.shares, log.pace) < ENOUGH
    assert together.habits == alone.habits == shown("where_to_look")[0]
    assert {weight.key for weight in WEIGHTS} > HABITS


def test_what_was_typed_from_paper_shows_no_habits() -> None:
    (log,) = of_one_player("from_paper_by_rows", None, 1, SEED)
    judgment = judge(solve_of(log))
    assert judgment.doubts == [PAPER]
    assert judgment.habits is None
