"""People who play themselves, and let a program do what is hard."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from tests.logs import Script
from tests.players.copies import an_honest_log, placings
from tests.players.honest import SPREAD, anybody, pace_of
from tests.players.log import Log
from tests.players.person import Person, acts, perform, quick
from tests.players.programs import by_column, shuffled, typed
from tests.players.puzzles import puzzles
from tests.players.stage import Scene, player, sender
from webapp.game.moves import Kind

HARD = (3, 4, 5)  # levels where singles are not enough


def instead(scene: Scene, who: Person, asks: str, pace: float) -> Script:
    """How this person solves where a program is asked, at their usual pace for the rest."""
    seed = scene.rng.getrandbits(32)
    alone = acts(scene.puzzle, who, random.Random(seed))
    helped = acts(scene.puzzle, replace(who, asks=asks), random.Random(seed))
    seconds = pace * scene.puzzle.expected_seconds * scene.rng.lognormvariate(0, SPREAD)
    return perform(helped, seconds, scene.rng, model=alone)


@player(honest=False, levels=HARD)
def asks_when_stuck(scene: Scene) -> Log:
    """Plays honestly while singles last, and asks a program at each hard step, which takes two seconds."""
    who, pace = anybody(scene)
    return scene.log(instead(scene, who, "each", pace), scene.anyone(0.6 * pace))


@player(honest=False, levels=HARD)
def one_lookup(scene: Scene) -> Log:
    """Takes one digit from a program at the hardest point, and solves the rest with marks."""
    who, pace = anybody(scene)
    who = replace(who, marks=scene.rng.choice(("full", "bivalue")))
    return scene.log(instead(scene, who, "hardest", pace), scene.anyone(pace))


@player(honest=False)
def half_from_solution(scene: Scene) -> Log:
    """Solves the first half and takes the second from the solution."""
    rng = scene.rng
    who, pace = anybody(scene)
    own = perform(acts(scene.puzzle, replace(who, slips=0.0), rng), pace * scene.puzzle.expected_seconds, rng)
    script = Script()
    placed: set[int] = set()
    half = len(scene.puzzle.empty) // 2
    for at, kind, named, digit in own.done:
        if len(placed) == half:
            break
        script.at = at
        script.do(kind, named, digit)
        if kind is Kind.DIGIT:
            placed.add(int(named))
    left = rng.choice((scene.puzzle.empty, by_column(scene.puzzle.empty), shuffled(scene)))
    wait = rng.uniform(0.7, 3)
    script.wait(rng.uniform(3, 30))
    for cell in left:
        if cell not in placed:
            script.wait(wait * rng.lognormvariate(0, 0.4))
            script.do(Kind.DIGIT, cell, scene.puzzle.solution[cell])
    return scene.log(script, scene.anyone(0.6 * pace))


@player(honest=False)
def pace_mimic(scene: Scene) -> Log:
    """Draws its waits from the cheat's own honest solves, and fills cells from the solution."""
    rng, puzzle = scene.rng, scene.puzzle
    waits: list[float] = []
    alike = [other for other in puzzles() if other.level == puzzle.level and other != puzzle]
    for other in rng.sample(alike, 2):
        own = an_honest_log(other, rng)
        _order, times = placings(own)
        over = puzzle.expected_seconds / other.expected_seconds
        waits += [over * (after - at) for at, after in pairwise(times)]
    cells = rng.choice((puzzle.empty, by_column(puzzle.empty), shuffled(scene)))
    script = typed(puzzle, cells, [max(0.3, rng.choice(waits)) for _cell in cells], rng.uniform(1, 8))
    return scene.log(script, scene.established(script.at / puzzle.expected_seconds), sender(rng))


@player(honest=False)
def sudden_improvement(scene: Scene) -> Log:
    """Takes 0.3 of their own usual time from one day to the next, in a person's order."""
    rng = scene.rng
    who, _pace = anybody(scene)
    usual = pace_of(rng, 0.9, 1.9)
    if scene.past:
        usual = sorted(past.pace for past in scene.past)[len(scene.past) // 2]
    who = replace(quick(who), hand=rng.uniform(0.25, 0.4))
    seconds = 0.3 * usual * scene.puzzle.expected_seconds
    return scene.log(perform(acts(scene.puzzle, who, rng), seconds, rng, 0.2), scene.established(usual))


@player(honest=False, levels=HARD)
def program_in_turns(scene: Scene) -> Log:
    """Marks nothing and never errs: a program says the digit wherever singles end, at once."""
    rng = scene.rng
    who, pace = anybody(scene)
    who = replace(quick(who), marks="none", look="near", asks="each")
    alone = acts(scene.puzzle, replace(who, asks=""), rng)
    seconds = pace * scene.puzzle.expected_seconds
    shown = perform(acts(scene.puzzle, who, rng), rng.uniform(0.5, 0.9) * seconds, rng, model=alone)
    return scene.log(shown, scene.anyone(0.5 * pace))
