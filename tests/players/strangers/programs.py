"""Programs that have the solution, an order and waits, and at times something for show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.geometry import BOX_OF
from tests.logs import Script
from tests.players.log import Log
from tests.players.puzzles import Puzzle
from tests.players.sight import Sight
from tests.players.stage import Scene, player, sender
from tests.players.strangers.mind import Logic, account, apart
from webapp.game.moves import Kind

AIMS = (0.5, 0.75, 1.0)  # times the expected time: what a program may aim at


def aim(scene: Scene) -> float:
    return scene.rng.choice(AIMS) * scene.rng.lognormvariate(0, 0.05)


def lognormal(scene: Scene, count: int) -> list[float]:
    """Waits as a developer draws them."""
    spread = scene.rng.uniform(0.4, 1.0)
    return [scene.rng.lognormvariate(0, spread) for _wait in range(count)]


def typed(scene: Scene, cells: Sequence[int], waits: Sequence[float] | None = None) -> Script:
    """The solution in that order, with those waits (or lognormal ones) stretched to a time aimed at."""
    waits = waits or lognormal(scene, len(cells))
    unit = aim(scene) * scene.puzzle.expected_seconds / sum(waits)
    script = Script()
    for cell, wait in zip(cells, waits, strict=True):
        script.wait(max(0.05, wait * unit))
        script.do(Kind.DIGIT, cell, scene.puzzle.solution[cell])
    return script


def sent(scene: Scene, script: Script, before: tuple[Log, ...] = ()) -> Log:
    """The log of a program, whose earlier ones took about as long."""
    pace = script.at / scene.puzzle.expected_seconds
    return scene.log(script, account(scene, pace), sender(scene.rng), before)


def shuffled(scene: Scene) -> list[int]:
    return scene.rng.sample(scene.puzzle.empty, len(scene.puzzle.empty))


def by_digit(scene: Scene) -> list[int]:
    return sorted(scene.puzzle.empty, key=lambda cell: scene.puzzle.solution[cell])


def by_box(scene: Scene) -> list[int]:
    return sorted(scene.puzzle.empty, key=lambda cell: BOX_OF[cell])


def spiral(scene: Scene) -> list[int]:
    """From the corner inwards, or from the middle outwards."""
    rows = [[9 * row + column for column in range(9)] for row in range(9)]
    cells: list[int] = []
    while rows:
        cells += rows.pop(0)
        rows = [list(row) for row in zip(*rows, strict=True)][::-1]
    empty = set(scene.puzzle.empty)
    return [cell for cell in cells[:: scene.rng.choice((1, -1))] if cell in empty]


def nearest(scene: Scene) -> list[int]:
    """Always the empty cell that is nearest to the one before."""
    left = shuffled(scene)
    cells = [left.pop()]
    while left:
        cells.append(min(left, key=lambda cell: apart(cell, cells[-1])))
        left.remove(cells[-1])
    return cells


Choice = Callable[[Logic, dict[int, tuple[int, float]]], int]


def by_logic(puzzle: Puzzle, choose: Choice) -> tuple[list[int], list[float]]:
    """The cells by singles, each time the one chosen, with a difficulty for each."""
    logic, cells, waits, hard = Logic(puzzle), [], [], 0.0
    while logic.sight.empty:
        singles = logic.sight.singles()
        if not singles and (stage := logic.stage()) is not None:
            hard += 2.0 * stage.tier
            for cell, digit in stage.eliminations:
                logic.sight.strike(cell, digit)
            singles = {cell: (digit, 0.5) for cell, digit in stage.placements if logic.sight.open[cell]}
            if not singles:
                continue
        cell = choose(logic, singles) if singles else logic.fewest()
        cells.append(cell)
        waits.append(hard + 1 / singles[cell][1] if singles else hard + 9.0)
        logic.sight.place(cell, logic.answer[cell])
        hard = 0.0
    return cells, waits


def easiest(_logic: Logic, singles: dict[int, tuple[int, float]]) -> int:
    return max(singles, key=lambda cell: singles[cell][1])


def with_marks(scene: Scene, script: Script, count: int) -> Script:
    """The script with corner marks here and there, each in the wait before one of its digits."""
    rng, out, sight, was = scene.rng, Script(), Sight(scene.puzzle.givens), 0.0
    spots = sorted(rng.choices(range(len(script.done) - 6), k=count))
    for index, (at, kind, cell, digit) in enumerate(script.done):
        here = spots.count(index)
        free = [(each, mark) for each in sight.empty if each != int(cell) for mark in sight.left(each)]
        for place, (each, mark) in enumerate(rng.sample(free, min(here, len(free))), 1):
            out.at = was + (at - was) * place / (here + 1)
            out.do(Kind.CORNER, each, mark)
        out.at = was = at
        out.do(kind, cell, digit)
        sight.place(int(cell), int(digit))
    return out


@player(honest=False)
def random_lognormal(scene: Scene) -> Log:
    """The solution in random order with lognormal waits, in 0.5, 0.75 or 1 of the expected time."""
    return sent(scene, typed(scene, shuffled(scene)))


@player(honest=False)
def easiest_first(scene: Scene) -> Log:
    """The easiest single first, with waits by difficulty."""
    cells, waits = by_logic(scene.puzzle, easiest)
    noise = lognormal(scene, len(cells))
    return sent(scene, typed(scene, cells, [wait * each for wait, each in zip(waits, noise, strict=True)]))


@player(honest=False)
def in_sections(scene: Scene) -> Log:
    """The solution digit by digit or box by box."""
    return sent(scene, typed(scene, scene.rng.choice((by_digit, by_box))(scene)))


@player(honest=False)
def walks(scene: Scene) -> Log:
    """The solution along a spiral, or to the nearest empty cell each time."""
    return sent(scene, typed(scene, scene.rng.choice((spiral, nearest))(scene)))


@player(honest=False)
def twelve_marks(scene: Scene) -> Log:
    """The solution in random order or by boxes, with 12 corner marks here and there."""
    order = scene.rng.choice((shuffled, by_box))(scene)
    return sent(scene, with_marks(scene, typed(scene, order), 12))


@player(honest=False)
def candidates_first(scene: Scene) -> Log:
    """Marks the candidates of every cell, then fills in the solution, the easiest first or at random."""
    rng, sight = scene.rng, Sight(scene.puzzle.givens)
    cells = rng.choice((by_logic(scene.puzzle, easiest)[0], shuffled(scene)))
    digits, script, quick = typed(scene, cells), Script(), rng.uniform(0.15, 0.5)
    for cell in scene.puzzle.empty:
        for digit in sight.left(cell):
            script.wait(quick * rng.lognormvariate(0, 0.4))
            script.do(Kind.CORNER, cell, digit)
    done = [(script.at + at, kind, where, digit) for at, kind, where, digit in digits.done]
    return sent(scene, Script(script.at + digits.at, script.done + done))


@player(honest=False)
def fake_errors(scene: Scene) -> Log:
    """The solution at random or by boxes, with a few wrong digits that are undone or written over."""
    rng = scene.rng
    order = rng.choice((shuffled, by_box, nearest))(scene)
    errors, back = rng.sample(order[3:-3], rng.randint(2, 5)), rng.choice((Kind.UNDO, Kind.DIGIT))
    script, late = Script(), 0.0
    for at, kind, cell, digit in typed(scene, order).done:
        script.at = at + late
        if int(cell) in errors:
            script.do(Kind.DIGIT, cell, int(digit) % 9 + 1)
            script.wait(rng.uniform(0.8, 4))
            if back is Kind.UNDO:
                script.do(Kind.UNDO)
                script.wait(rng.uniform(0.5, 3))
            late = script.at - at
        script.do(kind, cell, digit)
    return sent(scene, script)


@player(honest=False)
def fake_breaks(scene: Scene) -> Log:
    """The solution by boxes, nearest first or at random, with two to four breaks as if to think."""
    rng = scene.rng
    order = rng.choice((by_box, nearest, shuffled))(scene)
    waits = lognormal(scene, len(order))
    for at in rng.sample(range(4, len(order) - 2), rng.randint(2, 4)):
        waits[at] += rng.uniform(0.04, 0.12) * sum(waits)
    return sent(scene, typed(scene, order, waits))


@player(honest=False)
def open_singles(scene: Scene) -> Log:
    """Knows the solution but fills only what is a single, any of those open, with lognormal waits."""
    cells, _waits = by_logic(scene.puzzle, lambda _logic, singles: scene.rng.choice(list(singles)))
    return sent(scene, typed(scene, cells))
