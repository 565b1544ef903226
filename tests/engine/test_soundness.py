"""A few puzzles of the campaign `soundness`, and the faults it reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine import Grid, Position, Recipe
from engine.steps.step import Step
from tests import soundness
from tests.soundness import PLANS, Plan, Tally, fault, look

PUZZLE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


def _looked_at(lines: list[str], plan: Plan) -> Tally:
    tally = Tally()
    for number, line in enumerate(lines):
        tally.add(look(line, number, plan))
    assert tally.counts["puzzles"] == len(lines)
    assert tally.counts["paths"] == len(lines) * len(soundness.PATHS)
    return tally


def test_paths_and_finds_on_puzzles_of_our_own_are_sound_and_proved() -> None:
    puzzles = [str(engine.generate(Recipe(minimal=True), seed).grid) for seed in range(6)]
    tally = _looked_at([*puzzles, PUZZLE], Plan(7, find_every=3, prove_every=1))
    assert tally.faults == []
    assert tally.counts["proved"] > tally.counts["steps"] > 0 < tally.counts["found"]


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", [name for name in PLANS if not name.startswith("hardest")])
def test_paths_and_finds_on_shared_puzzles_are_sound_and_proved(name: str, data: Path) -> None:
    lines = soundness.lines_of(data, name, 4)
    assert len(lines) == 4
    assert _looked_at(lines, replace(PLANS[name], find_every=4, prove_every=1)).faults == []


def _start() -> tuple[Position, Grid]:
    position = Position.from_grid(engine.parse(PUZZLE))
    assert position.solution is not None
    return position, position.solution


def _step(placements: set[tuple[int, int]], eliminations: set[tuple[int, int]]) -> Step:
    return Step("trial", frozenset(placements), frozenset(eliminations), (), (), (), (), 0, 0)


def test_wrong_effects_are_faults() -> None:
    position, solution = _start()
    cell = next(cell for cell in range(81) if len(position.candidates(cell)) > 1)
    right = solution[cell]
    wrong = next(digit for digit in position.candidates(cell) if digit != right)
    absent = next(digit for digit in range(1, 10) if digit not in position.candidates(cell))
    assert fault(position, solution, _step({(cell, right)}, set())) is None
    assert fault(position, solution, _step(set(), {(cell, wrong)})) is None
    for placements, eliminations, words in (
        (set(), set(), "changes nothing"),
        ({(cell, wrong)}, set(), "places a wrong digit"),
        ({(cell, absent)}, set(), "places an absent candidate"),
        (set(), {(cell, right)}, "removes the solution"),
        (set(), {(cell, absent)}, "removes an absent candidate"),
    ):
        found = fault(position, solution, _step(placements, eliminations))
        assert found is not None and found.startswith(words)


def test_the_steps_that_are_followed_are_those_of_the_walk() -> None:
    position, solution = _start()
    for order in soundness.PATHS.values():
        keys = [step.technique for _, step in order().follow(position)]
        assert keys == [engine.techniques.keys.KEYS[row[0]] for row in order().walk(position).log.tolist()]
        *_, (before, last) = order().follow(position)
        assert before.after(last).grid == solution
