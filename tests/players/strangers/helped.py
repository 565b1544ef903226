"""People who solve as usual, but for a few digits of a solver."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.players.helped import HARD
from tests.players.log import Log
from tests.players.stage import Scene, player
from tests.players.strangers.mind import Habit, Mind, account, drawn, perform, today


def helped(scene: Scene, takes: int, whim: float = 0.0) -> Log:
    """Somebody who solves as usual but for the digits they take, and may always have taken some."""
    rng, pace = scene.rng, drawn(scene)
    habit = Habit(
        rng.choice(("roam", "box", "digit")),
        rng.choice(("none", "house", "pairs")),
        hand=rng.uniform(0.3, 0.8),
        slips=rng.uniform(0, 0.02),
    )
    seed = rng.getrandbits(32)
    alone, acts = (
        Mind(scene.puzzle, who, random.Random(seed)).run()
        for who in (habit, replace(habit, takes=takes, whim=whim))
    )
    script = perform(acts, today(scene, pace), rng, alone)
    before = rng.choice((pace, script.at / scene.puzzle.expected_seconds))
    return scene.log(script, account(scene, before))


@player(honest=False, levels=HARD, paces=(0.6, 1.5))
def takes_one(scene: Scene) -> Log:
    """Solves alone but for one digit of a solver, where no single is left."""
    return helped(scene, 1)


@player(honest=False, levels=HARD, paces=(0.6, 1.5))
def takes_three(scene: Scene) -> Log:
    """Takes three digits from a solver, where no single is left or on a whim."""
    return helped(scene, 3, 0.02)


@player(honest=False, levels=(2, 3, 4, 5), paces=(0.6, 1.5))
def takes_ten(scene: Scene) -> Log:
    """Takes ten digits from a solver, where no single is left or on a whim."""
    return helped(scene, 10, 0.15)
