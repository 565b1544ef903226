"""Choose the positions of lessons and practice: `python -m benchmarks positions [TECHNIQUE ...]`.

Walks the solution paths of generated puzzles and keeps, for each technique of the path, the PER_TECHNIQUE
plainest positions where the technique comes next: no single is open there, and nothing easier
applies. Rewrites webapp/learn/positions.txt; near misses, the lines with a fifth field, stay.
The smallest run looks at a few puzzles and writes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from tqdm import tqdm

import engine
from benchmarks.tables import SMALLEST
from engine import HouseRole, Role
from engine.geometry import HOUSES, Candidate
from engine.steps import effort
from engine.techniques import Family
from webapp.learn import positions
from webapp.learn.lessons import pictures
from webapp.learn.lessons.path import techniques

PER_TECHNIQUE: Final = 8
DRAWN: Final = 30  # positions of the typical shape to choose from
FULL: Final = {1: 200, 2: 300, 3: 800, 4: 1500, 5: 6000}
POOL: Final = dict.fromkeys(FULL, 2) if SMALLEST else FULL  # puzzles of each level
TO_ORDER: Final = 1 if SMALLEST else 400  # puzzles made for a technique that the pool has too rarely
MOST_STEPS: Final = 3  # of the technique in a position
MOST_IN_SETS: Final = 2  # cells of almost locked sets in a grouped AIC: few have none
OPEN: Final = 24  # empty cells around a hidden single
_SINGLES: Final = ("full_house", "hidden_single", "naked_single")

Rank = tuple[float, ...]


def steps_on_the_way(grid: engine.Grid) -> Iterator[tuple[str, engine.Position]]:
    """Yield the technique of each step of a puzzle's path, and the position before it."""
    position = engine.Position.from_grid(grid)
    for step in engine.solve_path(position).steps:
        yield step.technique, position
        position = position.after(step)


def rank(key: str, position: engine.Position) -> Rank | None:
    """Return what speaks against a position, less first; None where the law for positions doesn't hold."""
    with suppress(engine.GaveUp):
        steps = engine.find(position, key)
        if not steps or len(steps) > 3 * MOST_STEPS or breach(key, position, steps):
            return None
        return (
            any(not typical(step, position) for step in steps),
            len(steps) > MOST_STEPS,
            max(len(step.cells) - len({fact.cell for fact in step.cells}) for step in steps),
            max(effort(step, position) for step in steps),
        )
    return None


def breach(technique: str, position: engine.Position, steps: Sequence[engine.Step]) -> str:
    """Return how a position with these steps breaks the law for positions; empty if it doesn't.

    Beyond singles, no single is open. Nothing easier comes first. Each base house of a fish has at least two
    places for its digit.
    """
    if engine.TECHNIQUES[technique].family is not Family.SINGLES:
        for key in _SINGLES:
            if engine.find(position, key):
                return f"{key} is open"
    first = engine.next_step(position)
    if first is None or first.technique != technique:
        return "something easier comes first"
    if engine.TECHNIQUES[technique].family is Family.FISH:
        for step in steps:
            for fact in step.houses:
                places = sum(step.digits[0] in position.candidates(cell) for cell in HOUSES[fact.house])
                if fact.role is HouseRole.BASE and places < 2:
                    return "a base house has one place"
    return ""


def line_of(technique: str, position: engine.Position) -> str:
    """Format a line of the file."""
    full = engine.Position.from_grid(position.grid)
    struck = (
        (cell, digit)
        for cell in range(81)
        for digit in full.candidates(cell)
        if digit not in position.candidates(cell)
    )
    return "|".join((technique, str(position.givens), str(position.grid), _text(struck)))


def _text(candidates: Iterable[Candidate]) -> str:
    """Format candidates as digit, row and column, as HoDoKu does: '347 829'."""
    return " ".join(f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in sorted(candidates))


def typical(step: engine.Step, position: engine.Position) -> bool:
    """Whether a step has the shape that its technique is known by."""
    shape = _SHAPES.get(step.technique)
    return shape is None or shape(step, position)


def _links(number: int) -> Callable[[engine.Step, engine.Position], bool]:
    return lambda step, position: len(step.branches(position)[0].inferences) == number


def _one_fish(step: engine.Step, _position: engine.Position) -> bool:
    return step.variant != 1 and not step.cells_of(Role.ENDO_FIN)


def _grouped(step: engine.Step, position: engine.Position) -> bool:
    claims = [claim for branch in step.branches(position) for claim in branch.claims]
    in_sets = sum(fact.role >= Role.ALS for fact in step.cells)
    return any(len(claim.cells) > 1 for claim in claims) and in_sets <= MOST_IN_SETS


_SHAPES: Final[Mapping[str, Callable[[engine.Step, engine.Position], bool]]] = {
    "hidden_single": lambda step, position: (
        step.houses[0].house >= 18
        and str(position.grid).count(".") >= OPEN
        and all(len(position.candidates(cell)) > 1 for cell, _ in step.placements)
    ),
    # With two cells at the crossing, these four would be a WXYZ-Wing, which comes first.
    "sue_de_coq": lambda step, _: all(len(step.cells_of(role)) == 1 for role in (Role.ALS, Role.ALS + 1)),
    "aic": _links(5),
    "x_chain": _links(5),
    "xy_chain": _links(7),
    "grouped_aic": _grouped,
    "finned_swordfish": _one_fish,
    "sashimi_swordfish": _one_fish,
}


def picture_of(step: engine.Step) -> str:
    """Return the picture of a step: the cells of its pattern, those of its houses, and what it does."""
    claims = [
        claim
        for branch in step.branches()
        for claim in (branch.assumption, *(each.result for each in branch.inferences))
    ]
    pattern = {fact.cell for fact in step.cells}.union(*(claim.cells for claim in claims))
    bases = [fact.house for fact in step.houses if fact.role is HouseRole.BASE]
    shared = [house for house, cells in enumerate(HOUSES) if pattern <= set(cells)]
    houses = bases or [fact.house for fact in step.houses] or shared
    gone, placed = ({cell for cell, _digit in spots} for spots in (step.eliminations, step.placements))
    return pictures.drawn(houses, pattern, gone, placed)


def draw_pictures() -> None:
    """Draw the examples of the path anew."""
    found = dict(pictures.pictures())
    for key in techniques():
        found[key] = picture_of(positions.of(key).example.steps[0])
    lines = (f"{key} {found[key]}\n" for key in engine.TECHNIQUES if key in found)
    pictures.FILE.write_text("".join(lines))


def main() -> None:
    """Write the file, or the lines of the techniques that the command names."""
    keys = [key for key in techniques() if key in sys.argv] or list(techniques())
    drawn: dict[str, dict[str, tuple[Rank, str]]] = {key: {} for key in keys}

    def enough(key: str) -> bool:
        return sum(not against[0] for against, _line in drawn[key].values()) >= DRAWN

    def look(grid: engine.Grid) -> None:
        seen: set[str] = set()
        for key, position in steps_on_the_way(grid):
            if key in drawn and key not in seen and not enough(key):
                against = rank(key, position)
                if against is not None:
                    seen.add(key)
                    drawn[key][str(grid)] = against, line_of(key, position)

    for level, count in POOL.items():
        for seed in tqdm(range(count), desc=f"level {level}", disable=None):
            look(engine.generate(level=level, seed=seed).grid)
    for key in keys:
        for seed in tqdm(range(TO_ORDER), desc=key, disable=None):
            if enough(key):
                break
            with suppress(engine.EngineError):
                look(engine.generate(engine.Recipe(must=(key,)), seed=10_000 + seed).grid)
    former = positions.FILE.read_text().splitlines()
    used = {line.split("|")[1] for line in former if "|" in line and line.split("|")[0] not in keys}
    chosen: dict[str, list[str]] = {}
    for key in sorted(keys, key=lambda key: len(drawn[key])):  # the rarest first: no puzzle serves two
        best = sorted(entry for grid, entry in drawn[key].items() if grid not in used)[:PER_TECHNIQUE]
        chosen[key] = [line for _rank, line in best]
        used |= {line.split("|")[1] for line in chosen[key]}
        print(f"{key}: {len(best)} of {len(drawn[key])}, {sum(bool(entry[0][0]) for entry in best)} unusual")
    if SMALLEST:
        return
    lines = ["# " + positions.FIELDS]
    for key in techniques():
        of_key = [line for line in former if line.startswith(f"{key}|")]
        near = [line for line in of_key if line.count("|") == positions.FIELDS.count("|")]
        lines += [*chosen[key], *near] if key in chosen else of_key
    positions.FILE.write_text("\n".join(lines) + "\n")
    draw_pictures()


if __name__ == "__main__":
    main()
