"""Replays of another log, and a guest's solve typed again with an account."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.logs import Script, each_at_once
from tests.players.copies import placings
from tests.players.log import Log, Standing, script_of
from tests.players.stage import PLAYERS, Scene, player
from tests.players.strangers.mind import Habit, Mind, perform, today
from tests.players.strangers.programs import sent, typed, with_marks
from webapp.game.moves import Kind

ALONE = ("arrow_keys", "closing_sweep", "digit_cycler", "mass_marker", "burst_player", "late_error_finder")


def original(scene: Scene) -> Log:
    """The log that is copied: one of the scene's, otherwise that of somebody honest."""
    theirs = [log for log in scene.others if not log.assisted]
    if theirs:
        return scene.rng.choice(theirs)
    able = [name for name in ALONE if scene.puzzle.level in PLAYERS[name].levels]
    return PLAYERS[scene.rng.choice(able)].play(scene.puzzle, scene.rng.getrandbits(32))


def retimed(script: Script, factor: float, rng: random.Random) -> Script:
    """The same moves with each wait times about `factor`; those that came together come quickly."""
    out, was, jitter = Script(), 0.0, rng.uniform(0.05, 0.5)
    for at, kind, cell, digit in script.done:
        out.wait(max(factor * (at - was) * rng.lognormvariate(0, jitter), rng.uniform(0.1, 0.6)))
        out.do(kind, cell, digit)
        was = at
    return out


def digits_of(log: Log) -> Script:
    """The digits that stayed, when they came."""
    order, times = placings(log)
    return Script(
        log.seconds,
        [
            (at, Kind.DIGIT, str(cell), log.puzzle.solution[cell])
            for at, cell in zip(times, order, strict=True)
        ],
    )


@player(honest=False)
def replay_retimed(scene: Scene) -> Log:
    """Another player's log move by move, with jitter, as fast as it was or at another speed."""
    rng, copied = scene.rng, original(scene)
    factor = rng.choice((1.0, rng.uniform(0.45, 0.9), rng.uniform(1.1, 1.6)))
    return sent(scene, retimed(script_of(copied), factor, rng), (copied,))


@player(honest=False)
def replay_reordered(scene: Scene) -> Log:
    """Another player's digits, shuffled a few at a time, with jitter."""
    rng, copied = scene.rng, original(scene)
    script, window = digits_of(copied), rng.randint(3, 6)
    mixed = Script()
    for start in range(0, len(script.done), window):
        some = script.done[start : start + window]
        for (at, *_), (_at, kind, cell, digit) in zip(some, rng.sample(some, len(some)), strict=True):
            mixed.at = at
            mixed.do(kind, cell, digit)
    return sent(scene, retimed(mixed, rng.uniform(0.6, 1.1), rng), (copied,))


@player(honest=False)
def replay_own_marks(scene: Scene) -> Log:
    """Another player's digits without their marks, with 8 to 30 of one's own."""
    rng, copied = scene.rng, original(scene)
    script = retimed(digits_of(copied), rng.uniform(0.6, 1.1), rng)
    return sent(scene, with_marks(scene, script, rng.randint(8, 30)), (copied,))


@player(honest=False)
def guest_memory(scene: Scene) -> Log:
    """Solves as a guest with hints, then types it digit by digit with a new account of the same device."""
    rng, pace = scene.rng, scene.rng.uniform(0.5, 1.1)
    habit = Habit(hints=rng.uniform(0.4, 0.9), hand=rng.uniform(0.3, 0.7))
    asked = perform(Mind(scene.puzzle, habit, rng).run(), today(scene, pace), rng)
    guest = replace(scene.log(asked, scene.fresh(Standing.GUEST)), kind="guest_asking", honest=True)
    digits = rng.sample("123456789", 9)
    order = sorted(
        guest.order, key=lambda cell: digits.index(scene.puzzle.solution[cell]) + (rng.random() < 0.1) * 2
    )
    own = scene.fresh(Standing.AFTER_GUEST, guest.account.device)
    return scene.log(typed(scene, order), own, each_at_once, (guest,))
