"""Positions along the path of puzzles where rare techniques have a step, each step proved by two other
methods.

`python -m tests.wild KEY ... --sets SET ... [--most N]` reads sets of NINEFOLD_DATA and prints a row for each
technique and set: puzzles read, those with a step, steps proved, faults. The complete solver fills the board
from the pencil marks with the opposite of each effect and must fail; if a proof assumes that the solution is
unique, it may only find other fillings. The checker proves the step from its facts alone. `generated:N` are N
minimal puzzles made here, `kept` those that exercises keep for the technique.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import engine
from engine import Grid, Position
from engine.generation.exercises import met_rarely
from engine.geometry import Candidate
from engine.steps.step import Step
from engine.techniques import TECHNIQUES
from engine.techniques.keys import NUMBER
from tests import step_checker
from tests.soundness import lines_of

EASY: Final = NUMBER["naked_triple"]  # up to here a position has many other steps
LAST: Final = NUMBER["x_cycle"]  # where the path ends: nets take long
STEPS: Final = 2  # proved of those in one position
EFFECTS: Final = 4  # tried of those of one step


def positions(puzzle: Grid) -> Iterator[Position]:
    """Return positions on the path of hints whose next step is harder than a subset, up to chains."""
    position = Position.from_grid(puzzle)
    while not position.solved:
        step = engine.next_step(position)
        if step is None:
            return
        if NUMBER[step.technique] > EASY:
            yield position
        if NUMBER[step.technique] >= LAST:
            return
        position = position.after(step)


def faults(position: Position, step: Step) -> list[str]:
    """Return the errors that the complete solver and the checker find in a step."""
    unique = TECHNIQUES[step.technique].needs_unique
    found = [] if step.placements or step.eliminations else ["no effect"]
    for effect in sorted(step.eliminations)[:EFFECTS]:
        if _can_be(position, [effect], []) and not (unique and _wrong(position, effect)):
            found.append(f"a filling has {effect}")
    for cell, digit in sorted(step.placements)[:EFFECTS]:
        if _can_be(position, [], [(cell, digit)]) and not unique:
            found.append(f"a filling lacks {(cell, digit)}")
    return found + step_checker.faults(position, step)


def _can_be(position: Position, placed: Iterable[Candidate], removed: Iterable[Candidate]) -> bool:
    return engine.solution_count(position.changed(placed, removed), 1) > 0


def _wrong(position: Position, effect: Candidate) -> bool:
    assert position.solution is not None
    cell, digit = effect
    return position.solution[cell] != digit


def puzzles(name: str, key: str) -> Iterable[Grid]:
    """Return the puzzles of a set: a file of NINEFOLD_DATA, or one of those the module names."""
    if name == "kept":
        return met_rarely().get(key, ())
    if name.startswith("generated:"):
        count = int(name.partition(":")[2])
        return (engine.generate(engine.Recipe(minimal=True), seed).grid for seed in range(count))
    folder = Path(os.environ["NINEFOLD_DATA"])
    return map(engine.parse, lines_of(folder, name, sys.maxsize))


def main(arguments: list[str]) -> int:
    """Print the table and every fault; exit with 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.wild")
    parser.add_argument("keys", nargs="+", metavar="KEY")
    parser.add_argument("--sets", nargs="+", metavar="SET", required=True)
    parser.add_argument("--most", type=int, default=20, help="puzzles with a step, of each technique and set")
    options = parser.parse_args(arguments)
    print("| technique | set | puzzles | with a step | steps proved | faults |\n|---|---|---|---|---|---|")
    at_fault = False
    for name in options.sets:
        read, met, proved, wrong = _look(options.keys, name, options.most)
        for key in options.keys:
            print(
                f"| {key} | {name} | {read[key]:,} | {met[key]} | {proved[key]} | {wrong[key]} |", flush=True
            )
            at_fault = at_fault or bool(wrong[key])
    return int(at_fault)


def _look(keys: list[str], name: str, most: int) -> tuple[dict[str, int], ...]:
    read, met, proved, wrong = (dict.fromkeys(keys, 0) for _ in range(4))
    for key in keys:
        shared = name != "kept" and len(keys) > 1
        for puzzle in puzzles(name, key):
            open_keys = [each for each in (keys if shared else [key]) if met[each] < most]
            if not open_keys:
                break
            for each in open_keys:
                read[each] += 1
            waiting = set(open_keys)
            for position in positions(puzzle):
                for each in sorted(waiting):
                    steps = engine.find(position, each)[:STEPS]
                    if steps:
                        waiting.remove(each)
                        met[each] += 1
                    for step in steps:
                        proved[each] += 1
                        found = faults(position, step)
                        wrong[each] += len(found)
                        for text in found:
                            print(f"{each}: {text}: {position!r}", file=sys.stderr, flush=True)
                if not waiting:
                    break
        if shared:
            break
    return read, met, proved, wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
