"""Logic tries the techniques in order, and uniqueness only if the puzzle is known to be unique."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

import engine
from engine import techniques
from engine.position import Position
from engine.rating.explainer import PRICES
from engine.steps.choice import choices
from engine.steps.logic import ASKED_BESIDE, ASKED_TOGETHER
from engine.techniques.keys import NUMBER

PUZZLE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# The same near its end, small enough for kernels as plain Python: every technique runs, nested chains too.
LATE = "9..78512375192368428.16479.812456937479231856.6.89741.12734956859867234163..1827."

# Four cells hold 79: two solutions, and no technique applies to them.
TWO_SOLUTIONS = ".46.85123.51.23684283164795812456937479231856365897412127349568598672341634518279"


@cache
def _all_steps(position: Position) -> list[engine.Step]:
    """Return all steps, cached, since it runs each technique on the whole board."""
    return engine.all_steps(position, techniques=engine.TECHNIQUES, distinct=False)


def _effect(step: engine.Step) -> tuple[object, object]:
    return step.placements, step.eliminations


positions = pytest.mark.parametrize(
    "position",
    [
        pytest.param(Position.from_grid(engine.parse(PUZZLE)), id="start"),
        pytest.param(Position.from_grid(engine.parse(LATE)), id="late", marks=pytest.mark.kernel),
    ],
)


def test_the_techniques_are_in_the_order_of_their_keys() -> None:
    from engine.techniques.keys import KEYS

    assert [*engine.TECHNIQUES] == [*KEYS]


@pytest.mark.slow
@positions
def test_the_next_step_is_the_first_of_all_steps(position: Position) -> None:
    assert engine.next_step(position) == _all_steps(position)[0]


@positions
def test_distinct_steps_are_the_first_of_each_effect(position: Position) -> None:
    steps = engine.all_steps(position, up_to="xyz_wing", distinct=False)
    seen = set()
    firsts = []
    for step in steps:
        if (step.placements, step.eliminations) not in seen:
            seen.add((step.placements, step.eliminations))
            firsts.append(step)
    assert engine.all_steps(position, up_to="xyz_wing") == firsts


def test_the_explainer_s_techniques_below_nine_are_asked_by_default() -> None:
    asked = {*engine.techniques.keys.KEYS[: NUMBER[ASKED_TOGETHER] + 1], *ASKED_BESIDE}
    assert {key for key, (base, *_) in PRICES.items() if base < 90} <= asked
    assert not {key for key, (base, *_) in PRICES.items() if base >= 90} & asked


@pytest.mark.slow
@positions
def test_by_default_the_effects_are_those_of_the_techniques_asked(position: Position) -> None:
    asked = {*engine.techniques.keys.KEYS[: NUMBER[ASKED_TOGETHER] + 1], *ASKED_BESIDE}
    every = [step for step in _all_steps(position) if step.technique in asked]
    assert {_effect(step) for step in engine.all_steps(position)} == {_effect(step) for step in every}


@positions
def test_up_to_alone_asks_all_before_it(position: Position) -> None:
    up_to = engine.all_steps(position, up_to="xyz_wing")
    asked = engine.techniques.keys.KEYS[: NUMBER["xyz_wing"] + 1]
    assert up_to == engine.all_steps(position, techniques=asked)


def test_a_solved_position_has_no_next_step() -> None:
    solution = engine.solution(engine.parse(PUZZLE))
    assert engine.next_step(Position.from_grid(solution)) is None


def test_an_unknown_technique_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        engine.find(Position.from_grid(engine.parse(PUZZLE)), "telepathy")


@pytest.mark.slow
@positions
def test_each_set_of_effects_is_found_once(position: Position) -> None:
    effects = [(step.technique, step.placements, step.eliminations) for step in _all_steps(position)]
    assert len(effects) == len(set(effects))


@positions
def test_all_steps_are_those_of_each_technique_in_turn(position: Position) -> None:
    for key in ("hidden_single", "naked_pair", "xy_chain"):
        assert engine.find(position, key) == [step for step in _all_steps(position) if step.technique == key]


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Give a technique the lowest bound for one test."""

    def change(key: str) -> None:
        monkeypatch.setitem(techniques._techniques.entries, key, replace(engine.TECHNIQUES[key], bound=1))

    return change


@pytest.mark.slow
def test_a_technique_past_its_bound_costs_no_step_of_the_others(bounded: Callable[[str], None]) -> None:
    position = Position.from_grid(engine.parse(PUZZLE))
    others = [step for step in _all_steps(position) if step.technique != "finned_mutant_jellyfish"]
    bounded("finned_mutant_jellyfish")
    with pytest.raises(engine.GaveUp) as raised:
        engine.all_steps(position, techniques=engine.TECHNIQUES, distinct=False)
    assert raised.value.keys == ("finned_mutant_jellyfish",)
    assert list(raised.value.steps) == others


def test_logic_is_at_its_end_only_where_no_technique_was_passed_over(bounded: Callable[[str], None]) -> None:
    grid = engine.parse(TWO_SOLUTIONS)
    assert engine.next_step(Position.from_grid(grid)) is None
    assert engine.solve_path(grid).gave_up == ()
    bounded("remote_pair")
    with pytest.raises(engine.GaveUp, match=r"remote_pair.*bound") as raised:
        engine.next_step(Position.from_grid(grid))
    assert raised.value.keys == ("remote_pair",)
    path = engine.solve_path(grid)
    assert (path.steps, path.solved, path.gave_up) == ((), False, ("remote_pair",))


# ER 11.6, with nested chains on its path.
EASTER_MONSTER = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
LAST_RESORTS = {"trial", "brute_force"}


def _nested() -> Position:
    """Return a position of Easter Monster where only nested chains are left."""
    position = Position.from_grid(engine.parse(EASTER_MONSTER))
    for step in engine.solve_path(position).steps:
        if step.technique == "nested_forcing_chain":
            break
        position = position.after(step)
    return position


@pytest.mark.slow
def test_what_the_explainer_rates_is_solved_without_a_last_resort() -> None:
    grid = engine.parse(EASTER_MONSTER)
    path = engine.solve_path(grid)
    assert engine.rate(grid, schemes=["explainer"]).scores["explainer"] is not None
    assert path.solved and not LAST_RESORTS & {step.technique for step in path.steps}


def test_nested_chains_come_before_a_last_resort() -> None:
    position = _nested()
    step = engine.next_step(position)
    assert step is not None and step.technique == "nested_forcing_chain"
    assert {each.technique for each in choices(position)} == {"nested_forcing_chain"}


def test_a_last_resort_comes_where_no_proof_is_within_the_bound(bounded: Callable[[str], None]) -> None:
    position = _nested()
    bounded("nested_forcing_chain")
    step = engine.next_step(position)
    assert step is not None and step.technique in LAST_RESORTS


def test_a_path_takes_no_step_where_a_cell_has_no_candidate() -> None:
    start = Position.from_grid(engine.parse(PUZZLE))
    cell = next(cell for cell in range(81) if start.candidates(cell))
    broken = start.changed([], [(cell, digit) for digit in start.candidates(cell)])
    assert engine.next_step(broken) is not None
    assert engine.solve_path(broken).steps == ()
