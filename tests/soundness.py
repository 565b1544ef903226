"""Check every step of every path, and the results of `find` on the way, against the solution.

The campaign `soundness` reads the sets of NINEFOLD_DATA; the suite does a few puzzles of each. A step is at
fault that changes nothing, names an absent candidate, places another digit than the solution's or removes one
of the solution. The sample named in the plan is also proved by the independent checker.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import engine
from engine import Grid, Position
from engine.rating import explainer, hodoku, weighted_rules
from engine.rating.rating import logic_order
from engine.rating.walk import Order
from engine.steps.step import Step
from engine.techniques.keys import NUMBER
from tests import step_checker
from tests.technique_cases import read_case

PATHS: Final[dict[str, Callable[[], Order]]] = {
    "logic": logic_order,
    "explainer": partial(explainer.order, "default"),
    "hodoku": hodoku.order,
    "weighted_rules": weighted_rules.order,
}
# Up to here a position has many other steps, and `find` takes long for little
EASY: Final = NUMBER["naked_triple"]


@dataclass(frozen=True)
class Plan:
    """How much of a set is checked."""

    puzzles: int  # evenly spread over the file
    find_every: int  # on one position of every so many puzzles each technique is run
    prove_every: int  # on every so many puzzles the checker proves each step of each path


PLANS: Final = {
    "rated_random.csv": Plan(3_000, find_every=30, prove_every=1),
    "human_times.csv": Plan(1_022, find_every=30, prove_every=1),
    "clues17.txt": Plan(5_000, find_every=100, prove_every=10),
    "technique_cases.txt": Plan(582, find_every=10, prove_every=1),
    "rated_by_level.csv": Plan(2_981, find_every=50, prove_every=1),
    "top1465.txt": Plan(100, find_every=5, prove_every=1),
    "hardest1106.txt": Plan(50, find_every=10, prove_every=5),
    "hardest1905_sample.txt": Plan(50, find_every=10, prove_every=5),
}
FOUND_AND_PROVED: Final = 2  # steps of each `find`


@dataclass
class Tally:
    """The counts, and the faults found."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the counts of `other`."""
        self.counts.update(other.counts)
        self.faults += other.faults


def fault(position: Position, solution: Grid, step: Step) -> str | None:
    """Return the errors in the effects of `step`."""
    if not step.placements and not step.eliminations:
        return "changes nothing"
    for cell, digit in step.placements:
        if digit not in position.candidates(cell):
            return f"places an absent candidate: {digit} in {cell}"
        if solution[cell] != digit:
            return f"places a wrong digit: {digit} in {cell}"
    for cell, digit in step.eliminations:
        if digit not in position.candidates(cell):
            return f"removes an absent candidate: {digit} in {cell}"
        if solution[cell] == digit:
            return f"removes the solution: {digit} in {cell}"
    return None


def look_at_paths(position: Position, solution: Grid, tally: Tally, prove: bool) -> None:
    """Follow every path from `position`, step by step."""
    for name, order in PATHS.items():
        end = position
        for before, step in order().follow(position):
            look_at(before, solution, step, name, tally, prove=prove)
            tally.counts["steps"] += 1
            end = before.after(step)
        tally.counts["paths"] += 1
        tally.counts["not finished"] += not end.solved
        if end.solved and end.grid != solution:
            tally.faults.append(f"{name}: another end than the solution: {position!r}")


def look_at(position: Position, solution: Grid, step: Step, where: str, tally: Tally, *, prove: bool) -> None:
    """Record the errors of one step."""
    found = fault(position, solution, step)
    wrong = [found] if found else []
    if prove:
        tally.counts["proved"] += 1
        wrong += step_checker.faults(position, step)
    tally.faults += [f"{where}: {step.technique} {text}: {position!r}" for text in wrong]


def look_at_finds(position: Position, solution: Grid, tally: Tally, prove: int) -> None:
    """Run each technique on `position`; the first `prove` steps of each are proved."""
    tally.counts["positions"] += 1
    for key in engine.TECHNIQUES:
        try:
            steps = engine.find(position, key)
        except engine.GaveUp:
            tally.counts["finds given up"] += 1
            continue
        tally.counts["found"] += len(steps)
        for index, step in enumerate(steps):
            look_at(position, solution, step, "find", tally, prove=index < prove)


def beyond_the_easy(position: Position, steps: int) -> Position:
    """Return the position on the logic path before the first harder step, or up to `steps` after it."""
    left = steps
    for before, step in logic_order().follow(position):
        position = before
        if NUMBER[step.technique] > EASY or left < steps:
            if left == 0:
                break
            left -= 1
    return position


def look(line: str, number: int, plan: Plan) -> Tally:
    """Check the puzzle, or the technique case, of a line with that number as the plan says."""
    tally = Tally()
    case = read_case(line) if line.startswith(":") else None
    position = case.position if case else Position.from_grid(engine.parse(line))
    solution = position.solution
    assert solution is not None and not position.wrong(), line
    look_at_paths(position, solution, tally, prove=number % plan.prove_every == 0)
    if number % plan.find_every == 0:
        if not case:
            position = beyond_the_easy(position, number // plan.find_every % 4)
        look_at_finds(position, solution, tally, prove=FOUND_AND_PROVED)
    tally.counts["puzzles"] += 1
    return tally


def lines_of(folder: Path, name: str, most: int) -> list[str]:
    """Return up to `most` puzzles or technique cases of a file, evenly spread over it."""
    lines = (folder / name).read_text().splitlines()
    if name.endswith(".csv"):
        lines = [row["puzzle"] for row in csv.DictReader(lines)]
    elif name.startswith("technique"):
        lines = [line for line in lines if line.startswith(":") and read_case(line)]
    most = min(most, len(lines))
    return [lines[number * len(lines) // most] for number in range(most)]
