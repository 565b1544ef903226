"""Programs that play in somebody's place, written in an evening or with care."""

from __future__ import annotations

import math

from tests.logs import Script, each_at_once, through_the_outbox
from tests.players.honest import pace_of
from tests.players.log import Log
from tests.players.newcomers.helped import game_of_another
from tests.players.newcomers.mind import Rounds, anyone, member, timed
from tests.players.person import STUCK, Act
from tests.players.puzzles import Puzzle, puzzles
from tests.players.sight import Sight
from tests.players.stage import Scene, player, sender
from tests.players.strangers.mind import Logic, apart
from webapp.game.moves import Kind


@player(honest=False)
def search_on_the_board(scene: Scene) -> Log:
    """Runs the search from a textbook on the live board, which tries digits and takes them back at a beat."""
    rng = scene.rng
    beat, wobble, send = rng.uniform(0.06, 0.6), rng.uniform(0, 0.3), sender(rng)
    account = member(scene, 80 * beat / scene.puzzle.expected_seconds)
    script = Script()
    script.wait(rng.uniform(0.5, 4))

    def press(kind: Kind, cell: int, digit: int | str = "") -> None:
        script.wait(beat * rng.uniform(1 - wobble, 1 + wobble))
        script.do(kind, cell, digit)

    def search(sight: Sight) -> bool:
        if not sight.empty:
            return True
        cell = min(sight.empty, key=lambda each: sight.open[each].bit_count())
        for digit in sight.left(cell):
            press(Kind.DIGIT, cell, digit)
            ahead = sight.copy()
            ahead.place(cell, digit)
            if search(ahead):
                return True
            press(Kind.ERASE, cell)
        return False

    assert search(Sight(scene.puzzle.givens))
    return scene.log(script, account, send)


@player(honest=False)
def serpentine_macro(scene: Scene) -> Log:
    """Lets a keyboard macro walk to and fro over the rows with the arrow keys and type the solution."""
    rng, puzzle = scene.rng, scene.puzzle
    key, wobble, before = rng.uniform(0.05, 0.9), rng.uniform(0, 0.25), rng.uniform(5, 90)
    account = member(scene, (before + 130 * key) / puzzle.expected_seconds)
    script = Script()
    script.wait(before * rng.uniform(0.8, 1.25))
    for step in range(81):
        row, column = divmod(step, 9)
        cell = 9 * row + (8 - column if row % 2 else column)
        script.wait(key * rng.uniform(1 - wobble, 1 + wobble))
        if puzzle.givens[cell] == ".":
            script.wait(key * rng.uniform(1 - wobble, 1 + wobble))
            script.do(Kind.DIGIT, cell, puzzle.solution[cell])
    return scene.log(script, account)


def gaps(log: Log) -> list[tuple[int, float]]:
    """The cells in their order, and how long each took since the one before."""
    when = {
        cell: at
        for at, move in zip(log.received, log.moves, strict=True)
        if move.kind is Kind.DIGIT
        for cell in move.cells
    }
    times = [when[cell] for cell in log.order]
    return [(cell, at - was) for cell, at, was in zip(log.order, times, [0.0, *times], strict=False)]


@player(honest=False)
def waits_reshuffled(scene: Scene) -> Log:
    """Replays somebody's digits in their order, with their waits dealt out anew and made shorter."""
    rng = scene.rng
    haste, most, send = rng.uniform(0.55, 0.95), rng.uniform(6, 15), sender(rng)
    account = member(scene, haste)
    theirs = game_of_another(scene)
    order = gaps(theirs)
    average = sum(wait for _cell, wait in order) / len(order)
    waits = [min(wait, most * average) for _cell, wait in order]
    rng.shuffle(waits)
    script = Script()
    for (cell, _wait), wait in zip(order, waits, strict=True):
        script.wait(haste * (0.7 * wait + 0.3 * average) * rng.uniform(0.85, 1.15))
        script.do(Kind.DIGIT, cell, scene.puzzle.solution[cell])
    return scene.log(script, account, send, before=(theirs,))


@player(honest=False)
def pointer_bot(scene: Scene) -> Log:
    """Chooses an easy and near single, thinks longer where it is hard, aims a pointer, and mistypes."""
    rng = scene.rng
    near, shape, typos = rng.uniform(0.1, 0.5), rng.uniform(1.2, 3), rng.uniform(0.005, 0.03)
    stops, pace = rng.uniform(0, 0.04), pace_of(rng, 0.4, 0.8)
    account = member(scene, pace)
    logic, acts = Logic(scene.puzzle), list[Act]()
    at, thought, cell = 40, 0.0, None
    while logic.sight.empty:
        singles = logic.sight.singles()
        if singles:
            far = {each: near * apart(at, each) + rng.expovariate(1.5) for each in singles}
            cell = min(singles, key=lambda each: far[each] - 2 * math.log(singles[each][1]))
            thought += rng.gammavariate(shape, 1 / shape) * (1 / (0.5 + singles[cell][1]) + 3 / len(singles))
        else:
            stage = logic.stage()
            thought += rng.gammavariate(shape, 1 / shape) * STUCK[stage.tier if stage else 5]
            for each, digit in logic.news(stage) if stage else ():
                logic.sight.strike(each, digit)
            empty = [each for each, _digit in stage.placements] if stage else [logic.fewest()]
            cell = next((each for each in empty if not logic.sight.digits[each]), None)
        if cell is None:
            continue
        thought *= 5 if rng.random() < stops else 1
        aim = 0.25 + 0.13 * math.log2(1 + apart(at, cell))
        right = logic.answer[cell]
        if rng.random() < typos and len(logic.sight.empty) > 3:
            acts.append(Act(thought, aim, Kind.DIGIT, str(cell), str(right - 1 or 2)))
            thought, aim = 0.3, rng.uniform(0.5, 1.2)
        acts.append(Act(thought, aim * rng.lognormvariate(0, 0.2), Kind.DIGIT, str(cell), str(right)))
        logic.sight.place(cell, right)
        at, thought, cell = cell, 0.0, None
    return scene.log(timed(scene, acts, pace), account, through_the_outbox)


def rhythm(puzzle: Puzzle, script: Script) -> list[list[float]]:
    """The waits before the digits of a game, by how many singles were open: none or few, some, many."""
    sight, since = Sight(puzzle.givens), 0.0
    pools: list[list[float]] = [[], [], []]
    for at, kind, cell, digit in script.done:
        if kind is Kind.DIGIT and digit == puzzle.solution[int(cell)] and not sight.digits[int(cell)]:
            pools[min(2, len(sight.singles()) // 3)].append(at - since)
            sight.place(int(cell), int(digit))
            since = at
    return pools


@player(honest=False)
def own_rhythm_bot(scene: Scene) -> Log:
    """Has a program wait as its owner once did with as many singles open, and go to the nearest one."""
    rng = scene.rng
    way, pace, haste = anyone(rng), pace_of(rng, 0.7, 1.4), rng.uniform(0.4, 0.8)
    scatter, send = rng.uniform(0, 3), rng.choice((each_at_once, through_the_outbox))
    account = member(scene, pace * haste)
    once = rng.choice([each for each in puzzles() if each.level == scene.puzzle.level])
    other = Scene(scene.player, once, rng)
    pools = rhythm(once, timed(other, Rounds(other, way).solve(), pace))
    every = [wait for pool in pools for wait in pool]
    logic, script, at = Logic(scene.puzzle), Script(), 40
    while logic.sight.empty:
        singles = logic.sight.singles()
        far = {each: apart(at, each) + rng.uniform(0, scatter) for each in singles}
        stage = None if singles else logic.stage()
        open_now = list(singles) or ([c for c, _digit in stage.placements] if stage else [logic.fewest()])
        for each, digit in logic.news(stage) if stage else ():
            logic.sight.strike(each, digit)
        left = [each for each in open_now if not logic.sight.digits[each]]
        if left:
            at = min(left, key=lambda each: far.get(each, 0))
            script.wait(haste * rng.choice(pools[min(2, len(singles) // 3)] or every))
            script.do(Kind.DIGIT, at, logic.answer[at])
            logic.sight.place(at, logic.answer[at])
    return scene.log(script, account, send)
