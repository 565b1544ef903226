"""Programs that know the solution and need nothing but an order and a clock."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from engine.geometry import PEERS
from tests.logs import Script, all_together, each_at_once
from tests.players.log import Log
from tests.players.person import STUCK
from tests.players.puzzles import Puzzle, path
from tests.players.sight import Sight
from tests.players.stage import Scene, player, sender
from webapp.game.moves import Kind

QUICKEST = (0.22, 0.5)  # times the expected time: what a cheat who wants a record may hope to pass with


def scaled(waits: list[float], seconds: float) -> list[float]:
    """The waits, so that they sum to that many seconds."""
    whole = sum(waits)
    return [wait * seconds / whole for wait in waits]


def typed(puzzle: Puzzle, cells: Iterable[int], waits: Iterable[float], start: float = 0.0) -> Script:
    """The solution in that order with those waits."""
    script = Script()
    script.wait(start)
    for cell, wait in zip(cells, waits, strict=True):
        script.wait(wait)
        script.do(Kind.DIGIT, cell, puzzle.solution[cell])
    return script


def shuffled(scene: Scene) -> list[int]:
    cells = scene.puzzle.empty
    scene.rng.shuffle(cells)
    return cells


def by_column(cells: list[int]) -> list[int]:
    return sorted(cells, key=lambda cell: (cell % 9, cell))


def simple(scene: Scene, cells: list[int], wait: Callable[[], float], start: float = 0.0) -> Log:
    """A program that needs no more than an order and a way to wait."""
    script = typed(scene.puzzle, cells, [wait() for _cell in cells], start)
    pace = script.at / scene.puzzle.expected_seconds
    return scene.log(script, scene.anyone(max(pace, 0.3)), sender(scene.rng))


def along_the_path(puzzle: Puzzle) -> list[tuple[int, float]]:
    """The cells in the order of the engine's path, each with how hard it was to find, in units."""
    found: list[tuple[int, float]] = []
    done, waiting = set(), 0.0
    for stage in path(puzzle):
        waiting += STUCK[stage.tier] if not stage.placements else stage.tier
        for cell, _digit in stage.placements:
            if cell not in done:
                done.add(cell)
                found.append((cell, waiting))
                waiting = 0.5
    return found + [(cell, 3.0) for cell in puzzle.empty if cell not in done]


def path_script(scene: Scene, pace: float) -> Script:
    """The engine's path, with waits that follow its difficulty."""
    rng, found = scene.rng, along_the_path(scene.puzzle)
    waits = [units * rng.lognormvariate(0, 0.4) for _cell, units in found]
    seconds = pace * scene.puzzle.expected_seconds
    return typed(scene.puzzle, [cell for cell, _units in found], scaled(waits, seconds))


def with_marks(
    script: Script, marks: list[tuple[int, int, int]], rng: random.Random, wait: float = 1.0
) -> Script:
    """The script with corner marks: (before which of its moves, cell, digit), `wait` seconds ahead of it."""
    out = Script()
    before: dict[int, list[tuple[int, int]]] = {}
    for index, cell, digit in marks:
        before.setdefault(index, []).append((cell, digit))
    for index, (at, kind, cells, number) in enumerate(script.done):
        here = before.get(index, [])
        for place, (cell, digit) in enumerate(here):
            ahead = wait * (len(here) - place) * rng.uniform(0.7, 1.3)
            out.at = max(out.at, at - ahead)
            out.do(Kind.CORNER, cell, digit)
        out.at = max(out.at, at)
        out.do(kind, cells, number)
    return out


def some_marks(scene: Scene, script: Script, count: int) -> list[tuple[int, int, int]]:
    """Candidates of random cells, to be noted before these cells are filled."""
    rng, sight, marks = scene.rng, Sight(scene.puzzle.givens), []
    for at in sorted(rng.sample(range(len(script.done)), count)):
        cell = int(script.done[at][2])
        marks.append((rng.randint(0, at), cell, rng.choice(sight.left(cell))))
    return sorted(marks)


@player(honest=False)
def instant(scene: Scene) -> Log:
    """The whole solution in as few requests as hold it."""
    cells = scene.puzzle.empty
    script = typed(scene.puzzle, cells, [0.01] * len(cells), scene.rng.uniform(0.1, 3))
    return scene.log(script, scene.anyone(0.6), all_together)


@player(honest=False)
def fixed_delay(scene: Scene) -> Log:
    """One digit after the other, in the order of the cells, at one beat."""
    beat = scene.rng.choice((0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0))
    return simple(scene, scene.puzzle.empty, lambda: beat)


@player(honest=False)
def exponential_by_rows(scene: Scene) -> Log:
    """Row by row with exponential waits."""
    mean = scene.rng.uniform(0.8, 8)
    return simple(scene, scene.puzzle.empty, lambda: scene.rng.expovariate(1 / mean))


@player(honest=False)
def exponential_by_columns(scene: Scene) -> Log:
    """Column by column with exponential waits."""
    mean = scene.rng.uniform(0.8, 8)
    return simple(scene, by_column(scene.puzzle.empty), lambda: scene.rng.expovariate(1 / mean))


@player(honest=False)
def exponential_at_random(scene: Scene) -> Log:
    """Random cells with short exponential waits."""
    mean = scene.rng.uniform(0.8, 3)
    return simple(scene, shuffled(scene), lambda: scene.rng.expovariate(1 / mean))


@player(honest=False)
def lognormal_at_random(scene: Scene) -> Log:
    """Random cells with lognormal waits, three quarters of the expected time to all of it."""
    rng, cells = scene.rng, shuffled(scene)
    pace, spread = rng.uniform(0.75, 1.0), rng.uniform(0.5, 1.0)
    waits = scaled([rng.lognormvariate(0, spread) for _ in cells], pace * scene.puzzle.expected_seconds)
    return scene.log(typed(scene.puzzle, cells, waits), scene.anyone(pace), sender(rng))


@player(honest=False)
def path_by_difficulty(scene: Scene) -> Log:
    """The engine's path, waiting longer where a step is harder."""
    pace = scene.rng.uniform(0.4, 1.0)
    return scene.log(path_script(scene, pace), scene.anyone(pace), sender(scene.rng))


@player(honest=False)
def path_with_marks(scene: Scene) -> Log:
    """The engine's path with waits by difficulty and twelve corner marks, as fast as may pass."""
    pace = scene.rng.uniform(*QUICKEST)
    script = path_script(scene, pace)
    marked = with_marks(script, some_marks(scene, script, 12), scene.rng)
    return scene.log(marked, scene.anyone(pace), sender(scene.rng))


@player(honest=False)
def solution_as_marks(scene: Scene) -> Log:
    """Random cells, many noted as a corner mark with their own digit beforehand, as fast as may pass."""
    rng, cells = scene.rng, shuffled(scene)
    pace = rng.uniform(*QUICKEST)
    waits = scaled([rng.lognormvariate(0, 0.7) for _ in cells], pace * scene.puzzle.expected_seconds)
    script = typed(scene.puzzle, cells, waits)
    ahead = rng.randint(0, 4)
    share = rng.choice((0.25, 0.5, 1.0))
    marks = [
        (max(0, at - ahead), cell, int(scene.puzzle.solution[cell]))
        for at, cell in enumerate(cells)
        if rng.random() < share
    ]
    return scene.log(with_marks(script, marks, rng, 0.4), scene.anyone(pace), sender(rng))


@player(honest=False)
def pasted_marks(scene: Scene) -> Log:
    """All candidates at once, as a program computes them, then singles in order at an even pace."""
    rng, puzzle = scene.rng, scene.puzzle
    sight, script = Sight(puzzle.givens), Script()
    script.wait(rng.uniform(1, 6))
    for cell in puzzle.empty:
        for digit in sight.left(cell):
            script.wait(rng.uniform(0.005, 0.06))
            script.do(Kind.CORNER, cell, digit)
    pace = rng.uniform(0.3, 0.8)
    cells = [cell for cell, _units in along_the_path(puzzle)]
    seconds = pace * puzzle.expected_seconds
    for cell, wait in zip(cells, scaled([rng.lognormvariate(0, 0.4) for _ in cells], seconds), strict=True):
        script.wait(wait)
        script.do(Kind.DIGIT, cell, puzzle.solution[cell])
    return scene.log(script, scene.anyone(pace), each_at_once)


@player(honest=False)
def slow_program(scene: Scene) -> Log:
    """At the pace of an average player, cells near each other, lognormal waits, no marks."""
    rng, puzzle = scene.rng, scene.puzzle
    left, cells = set(puzzle.empty), [rng.choice(puzzle.empty)]
    left.discard(cells[0])
    while left:
        near = [cell for cell in PEERS[cells[-1]] if cell in left]
        cells.append(rng.choice(near or sorted(left)))
        left.discard(cells[-1])
    pace = rng.uniform(0.95, 1.1)
    waits = scaled([rng.lognormvariate(0, 0.8) for _ in cells], pace * puzzle.expected_seconds)
    return scene.log(typed(puzzle, cells, waits), scene.anyone(pace), sender(rng))


@player(honest=False)
def decorated_program(scene: Scene) -> Log:
    """Throws in marks, wrong digits and undos, so as to look like a person."""
    rng, puzzle, script = scene.rng, scene.puzzle, Script()
    cells = rng.choice((shuffled(scene), [cell for cell, _units in along_the_path(puzzle)]))
    pace = rng.uniform(0.35, 0.9)
    wait = pace * puzzle.expected_seconds / len(cells) / 1.3
    sight = Sight(puzzle.givens)
    for index, cell in enumerate(cells):
        script.wait(wait * rng.lognormvariate(0, 0.7) / 1.28)
        if rng.random() < 0.15:
            for digit in rng.sample(range(1, 10), 2):
                script.do(rng.choice((Kind.CORNER, Kind.CENTRE)), cell, digit)
                script.wait(wait * rng.uniform(0.1, 0.4))
        if rng.random() < 0.08 and index < len(cells) - 4:
            others = [digit for digit in sight.left(cell) if str(digit) != puzzle.solution[cell]]
            if others:
                script.do(Kind.DIGIT, cell, rng.choice(others))
                script.wait(wait * rng.uniform(0.4, 2))
                back = rng.choice((Kind.UNDO, Kind.UNDO, Kind.ERASE))
                script.do(back, cell if back is Kind.ERASE else "")
                script.wait(wait * rng.uniform(0.3, 1.5))
        script.do(Kind.DIGIT, cell, puzzle.solution[cell])
        sight.place(cell, int(puzzle.solution[cell]))
    return scene.log(script, scene.anyone(pace), sender(rng))


@player(honest=False)
def clock_games(scene: Scene) -> Log:
    """Waits as long as the puzzle might take, then has it all typed in bursts, at random or by rows."""
    rng = scene.rng
    cells = rng.choice((scene.puzzle.empty, shuffled(scene)))
    pace, bursts = rng.uniform(0.4, 1.0), rng.choice((1, 1, 2, 3, 5))
    breaks = {0, *rng.sample(range(1, len(cells)), bursts - 1)}
    long = pace * scene.puzzle.expected_seconds / bursts
    waits = [
        long * rng.uniform(0.7, 1.3) if index in breaks else rng.uniform(0.05, 0.6)
        for index in range(len(cells))
    ]
    return scene.log(typed(scene.puzzle, cells, waits), scene.anyone(pace), sender(rng))
