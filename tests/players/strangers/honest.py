"""People who play themselves, each with a habit of looking, noting and typing."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.logs import through_the_outbox
from tests.players.helped import HARD
from tests.players.log import Log
from tests.players.stage import Scene, Send, player
from tests.players.strangers.mind import Habit, Mind, account, drawn, perform, today
from webapp.game.moves import Kind


def solved(scene: Scene, habit: Habit, send: Send = through_the_outbox) -> Log:
    """The log of somebody who solves the puzzle alone; what varies in them is drawn before."""
    rng, pace = scene.rng, drawn(scene)
    habit = replace(habit, keen=rng.uniform(0.5, 0.9), spread=rng.uniform(0.35, 0.75))
    script = perform(Mind(scene.puzzle, habit, rng).run(), today(scene, pace), rng)
    return scene.log(script, account(scene, pace), send)


@player(honest=True, paces=(0.8, 1.9))
def thumb_on_the_train(scene: Scene) -> Log:
    """Plays on a phone with the thumb, notes pairs, and loses the connection for a while."""
    rng = scene.rng
    habit = Habit(notes="pairs", hand=rng.uniform(0.7, 1.2), slips=rng.uniform(0.01, 0.04))
    begins, share = rng.uniform(60, 300), rng.uniform(20, 120)

    def send(times: list[float], chance: random.Random) -> list[float]:
        return through_the_outbox(times, chance, (begins, begins + share))

    return solved(scene, habit, send)


@player(honest=True, paces=(0.5, 1.3))
def arrow_keys(scene: Scene) -> Log:
    """Goes from cell to cell with the arrow keys, so that what is near comes first; thinks in silence."""
    rng = scene.rng
    return solved(scene, Habit(hand=rng.uniform(0.25, 0.45), travel=rng.uniform(0.08, 0.18), slips=0.015))


@player(honest=True, paces=(0.5, 1.4))
def closing_sweep(scene: Scene) -> Log:
    """Fills the last 8 to 12 cells quickly in reading order, once all is clear."""
    rng = scene.rng
    notes = "house" if scene.puzzle.level in HARD else "none"
    return solved(scene, Habit(notes=notes, hand=rng.uniform(0.3, 0.6), sweep=rng.randint(8, 12)))


@player(honest=True, levels=HARD, paces=(0.6, 1.6))
def hardest_house_jotter(scene: Scene) -> Log:
    """Jots candidates only in the most crowded house of what is in the way."""
    rng = scene.rng
    pen, hand = rng.choice((Kind.CORNER, Kind.CENTRE)), rng.uniform(0.25, 0.6)
    return solved(scene, Habit("box", "house", pen, hand=hand, slips=rng.uniform(0, 0.02)))


@player(honest=True, paces=(0.45, 1.4))
def digit_cycler(scene: Scene) -> Log:
    """Looks for one digit after the other, round and round, and marks nothing."""
    rng = scene.rng
    return solved(scene, Habit("digit", hand=rng.uniform(0.3, 0.8), slips=rng.uniform(0, 0.02)))


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.8, 1.9))
def mass_marker(scene: Scene) -> Log:
    """Marks everything at once, each digit in many cells by one move, and strikes as it goes."""
    rng = scene.rng
    pen = rng.choice((Kind.CORNER, Kind.CENTRE))
    return solved(scene, Habit("roam", "all", pen, hand=rng.uniform(0.3, 0.6), slips=0.008))


@player(honest=True, paces=(0.8, 2.0))
def late_error_finder(scene: Scene) -> Log:
    """Errs, goes on from the error, and erases what followed once it does not fit."""
    rng = scene.rng
    notes = "pairs" if scene.puzzle.level in HARD else "none"
    slips, late = rng.uniform(0.03, 0.08), rng.uniform(0.6, 0.9)
    return solved(scene, Habit("roam", notes, hand=rng.uniform(0.4, 0.9), slips=slips, late=late))


@player(honest=True, paces=(0.5, 1.5))
def burst_player(scene: Scene) -> Log:
    """Finds up to six digits before typing them in one go."""
    rng = scene.rng
    eye = rng.choice(("box", "digit", "roam"))
    notes = "house" if scene.puzzle.level in HARD else "none"
    return solved(scene, Habit(eye, notes, hand=rng.uniform(0.3, 0.6), burst=rng.randint(4, 6)))


@player(honest=True, paces=(0.6, 1.4))
def coffee_breaks(scene: Scene) -> Log:
    """Is called away a few times while the clock goes on."""
    rng = scene.rng
    notes = "pairs" if scene.puzzle.level in HARD else "none"
    eye = rng.choice(("row", "box", "roam"))
    return solved(scene, Habit(eye, notes, hand=rng.uniform(0.4, 0.9), breaks=rng.uniform(0.02, 0.06)))


@player(honest=True, levels=HARD, paces=(0.6, 1.8))
def silent_thinker(scene: Scene) -> Log:
    """Never marks: sits in front of a hard step for minutes, then goes on."""
    rng = scene.rng
    eye = rng.choice(("row", "box", "roam"))
    return solved(scene, Habit(eye, hand=rng.uniform(0.4, 0.8), tires=rng.uniform(0.2, 0.8), slips=0.004))


@player(honest=True, paces=(0.32, 0.6))
def quick_veteran(scene: Scene) -> Log:
    """Quick by keyboard, with the pairs of a box noted in passing."""
    rng = scene.rng
    notes = "pairs" if scene.puzzle.level > 1 else "none"
    hand, eye = rng.uniform(0.15, 0.3), rng.choice(("digit", "box", "roam"))
    return solved(scene, Habit(eye, notes, hand=hand, tires=0.1, slips=rng.uniform(0, 0.015)))


@player(honest=True, paces=(1.5, 3.0))
def unhurried(scene: Scene) -> Log:
    """Goes row by row, slowly and ever more tired, and jots a house where nothing is seen."""
    rng = scene.rng
    hand, tires = rng.uniform(0.7, 1.3), rng.uniform(0.3, 1.0)
    return solved(scene, Habit("row", "house", hand=hand, tires=tires, slips=0.03, late=0.4))
