"""Logs that come from another log of the puzzle: replays, second accounts, somebody who shouts digits."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import engine
from engine.geometry import PEERS
from tests.logs import Script, each_at_once
from tests.players.honest import anybody, hand_of, pace_of, solve
from tests.players.log import Account, Log, Standing, script_of
from tests.players.person import Person, acts, perform, quick
from tests.players.programs import QUICKEST, scaled, some_marks, typed, with_marks
from tests.players.puzzles import Puzzle, image
from tests.players.stage import PLAYERS, Scene, player, sender
from webapp.game.moves import Kind

COPIED = (
    "scanner_by_digit",
    "scanner_by_box",
    "bivalue_marker",
    "steady_marker",
    "path_expert",
    "keyboard_racer",
)
LEAST = (0.03, 0.4)  # seconds between two moves that came in one request


def an_honest_log(puzzle: Puzzle, rng: random.Random) -> Log:
    """Somebody's own solve of a puzzle."""
    able = [name for name in COPIED if puzzle.level in PLAYERS[name].levels]
    return PLAYERS[rng.choice(able)].play(puzzle, rng.getrandbits(32))


def original(scene: Scene) -> Log:
    """The log that is copied: one of the scene's, otherwise an honest one made for it."""
    at_hand = [log for log in scene.others if not log.assisted]
    return scene.rng.choice(at_hand) if at_hand else an_honest_log(scene.puzzle, scene.rng)


def retimed(script: Script, factor: float, jitter: float, rng: random.Random) -> Script:
    """The same moves with waits times `factor`, each times a lognormal of that spread."""
    out, was = Script(), 0.0
    for at, kind, cell, digit in script.done:
        wait = factor * (at - was) * rng.lognormvariate(0, jitter)
        out.wait(max(wait, rng.uniform(*LEAST)))
        out.do(kind, cell, digit)
        was = at
    return out


def swapped(script: Script, chance: float, rng: random.Random) -> Script:
    """The same moves, some with the one after it swapped; the times stay, and so does the last move."""
    done, at = list(script.done), 0
    while at < len(done) - 2:
        (one_at, *one), (other_at, *other) = done[at : at + 2]
        apart = one[0] is other[0] is Kind.DIGIT and one[1] != other[1] and rng.random() < chance
        if apart:
            done[at] = (one_at, Kind.DIGIT, str(other[1]), str(other[2]))
            done[at + 1] = (other_at, Kind.DIGIT, str(one[1]), str(one[2]))
        at += 2 if apart else 1
    return Script(script.at, done)


def placings(log: Log) -> tuple[list[int], list[float]]:
    """The cells in the order of the digits that stayed, and when they came."""
    last = {
        cell: at
        for at, move in zip(log.received, log.moves, strict=True)
        if move.kind is Kind.DIGIT
        for cell in move.cells
    }
    return log.order, [last[cell] for cell in log.order]


def cleaned(puzzle: Puzzle, order: list[int], times: list[float]) -> Script:
    """The solution in that order at those times, and nothing else."""
    return typed(puzzle, order, [times[0], *(after - at for at, after in pairwise(times))])


@player(honest=False)
def replay_with_jitter(scene: Scene) -> Log:
    """Plays another player's log again, move by move, each wait up or down by a little."""
    rng, copied = scene.rng, original(scene)
    script = retimed(script_of(copied), rng.uniform(0.9, 1.05), rng.uniform(0.05, 0.3), rng)
    return scene.log(script, scene.anyone(copied.pace), each_at_once, (copied,))


@player(honest=False)
def replay_faster(scene: Scene) -> Log:
    """Plays another player's log again in 0.4 of its time."""
    rng, copied = scene.rng, original(scene)
    script = retimed(script_of(copied), 0.4, rng.uniform(0, 0.15), rng)
    return scene.log(script, scene.anyone(0.4 * copied.pace), sender(rng), (copied,))


@player(honest=False)
def replay_with_swaps(scene: Scene) -> Log:
    """Plays another player's log with neighbors in its order swapped and new waits."""
    rng, copied = scene.rng, original(scene)
    script = script_of(copied)
    if any(
        move.kind is Kind.UNDO for move in copied.moves
    ):  # in another order it would take back other digits
        script = cleaned(scene.puzzle, *placings(copied))
    script = swapped(script, rng.uniform(0.3, 0.9), rng)
    script = retimed(script, rng.uniform(0.5, 0.95), rng.uniform(0.2, 0.5), rng)
    return scene.log(script, scene.anyone(copied.pace), sender(rng), (copied,))


@player(honest=False)
def turned_replay(scene: Scene) -> Log:
    """Copies the log of a player who has the puzzle turned and relabeled, cell by cell through the turn."""
    rng = scene.rng
    turn = engine.Transformation.random(rng.randrange)
    copied = an_honest_log(image(scene.puzzle, turn), rng)
    order, times = placings(copied)
    script = cleaned(scene.puzzle, [turn.source(cell) for cell in order], times)
    script = retimed(script, rng.uniform(0.5, 0.95), rng.uniform(0.1, 0.4), rng)
    return scene.log(script, scene.anyone(copied.pace), sender(rng), (copied,))


def by_hints(scene: Scene) -> Log:
    """A guest who has the site's hints solve the puzzle; nothing ranked comes of it."""
    rng = scene.rng
    who = Person("near", hand=hand_of(rng), slips=0.01, hints=rng.uniform(0.5, 1.0))
    script = solve(scene, who, pace_of(rng, 0.3, 0.9))
    log = scene.log(script, scene.fresh(Standing.GUEST))
    return replace(log, kind="guest_with_hints", honest=True)


@player(honest=False)
def hinted_guest_replayed(scene: Scene) -> Log:
    """A guest solves with hints; then a new account on the same device replays it 2.5 times faster."""
    rng = scene.rng
    guest = by_hints(scene)
    script = retimed(script_of(guest), 0.4, rng.uniform(0.05, 0.3), rng)
    account = scene.fresh(Standing.AFTER_GUEST, guest.account.device)
    return scene.log(
        script, account, sender(rng), (guest,), guest.begins + guest.seconds + rng.uniform(20, 1800)
    )


def second_of(scene: Scene, first: Account) -> Account:
    """The second account of somebody."""
    return scene.fresh(Standing.SECOND, first.device)


@player(honest=False)
def second_account_record(scene: Scene) -> Log:
    """A second account in a person's order, with ten marks, in record time."""
    rng = scene.rng
    first = original(scene)
    who = quick(Person(rng.choice(("digit", "box", "near"))))
    cells = [int(act.cell) for act in acts(scene.puzzle, who, rng) if act.kind is Kind.DIGIT]
    seconds = rng.uniform(0.13, 0.3) * scene.puzzle.expected_seconds
    script = typed(scene.puzzle, cells, scaled([rng.lognormvariate(0, 0.6) for _ in cells], seconds))
    script = with_marks(script, some_marks(scene, script, 10), rng, 0.4)
    return scene.log(script, second_of(scene, first.account), sender(rng), (first,))


@player(honest=False)
def second_account_knowing(scene: Scene) -> Log:
    """Solves slowly with the first account, then with a second one by hand, the same way but fast."""
    rng = scene.rng
    who, pace = anybody(scene)
    first = scene.log(solve(scene, who, pace), scene.established(pace))
    first = replace(first, kind="first_account", honest=True)
    again = acts(scene.puzzle, quick(who), rng)
    seconds = rng.uniform(0.3, 0.5) * scene.puzzle.expected_seconds * min(pace, 1.2)
    script = perform(again, seconds, rng, 0.2)
    return scene.log(script, second_of(scene, first.account), before=(first,))


@player(honest=False)
def shouted(scene: Scene) -> Log:
    """Types what a friend beside them shouts, seconds after the friend has it; both started together."""
    rng, friend = scene.rng, original(scene)
    order, times = placings(friend)
    lag = rng.uniform(1.5, 4)
    heard = sorted(
        (at + lag * rng.lognormvariate(0, 0.5), cell) for at, cell in zip(times, order, strict=True)
    )
    late = rng.uniform(0, 12)  # they start that much later, so that their own clock shows less
    known: set[int] = set()
    script = Script()
    for at, cell in heard:
        script.at = max(script.at + rng.uniform(0.25, 0.9), at - late)
        if rng.random() < 0.1:
            near = [peer for peer in PEERS[cell] if peer in scene.puzzle.empty and peer not in known]
            if near:
                script.do(Kind.CORNER, rng.choice(near), rng.randint(1, 9))
                script.wait(rng.uniform(0.3, 1))
        script.do(Kind.DIGIT, cell, scene.puzzle.solution[cell])
        known.add(cell)
    account = scene.anyone(max(friend.pace, 0.3))
    return scene.log(script, account, before=(friend,), begins=friend.begins + late)


@player(honest=False)
def own_record_replayed(scene: Scene) -> Log:
    """A second account replays the first one's own solve without its slips and marks, as fast as may pass."""
    rng = scene.rng
    first = original(scene)
    order, times = placings(first)
    pace = rng.uniform(*QUICKEST)
    script = cleaned(scene.puzzle, order, times)
    factor = pace * scene.puzzle.expected_seconds / script.at
    return scene.log(
        retimed(script, factor, rng.uniform(0.1, 0.4), rng),
        second_of(scene, first.account),
        sender(rng),
        (first,),
    )
