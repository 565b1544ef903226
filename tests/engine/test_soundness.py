"""A few puzzles of the campaign `soundness`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine import Position, Recipe
from tests import soundness
from tests.soundness import PLANS, Plan, Tally, look

WHOLE = os.environ.get("SOUNDNESS") == "all"
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
    assert (tally.faults, tally.counts["not finished"]) == ([], 0)
    assert tally.counts["proved"] > tally.counts["steps"] > 0 < tally.counts["found"]


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", PLANS if WHOLE else [each for each in PLANS if "hardest" not in each])
def test_paths_and_finds_on_shared_puzzles_are_sound_and_proved(name: str, data: Path) -> None:
    plan = PLANS[name] if WHOLE else replace(PLANS[name], puzzles=4, find_every=4, prove_every=1)
    lines = soundness.lines_of(data, name, plan.puzzles)
    tally = _looked_at(lines, plan)
    print(name, dict(tally.counts))
    assert tally.faults == []


def test_the_steps_that_are_followed_are_those_of_the_walk() -> None:
    position = Position.from_grid(engine.parse(PUZZLE))
    for order in soundness.PATHS.values():
        keys = [step.technique for _, step in order().follow(position)]
        assert keys == [engine.techniques.keys.KEYS[row[0]] for row in order().walk(position).log.tolist()]
        *_, (before, last) = order().follow(position)
        assert before.after(last).grid == position.solution
