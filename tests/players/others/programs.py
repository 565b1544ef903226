"""Programs that play as people do, and somebody who types a program's solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.geometry import BOX_OF
from tests.logs import through_the_outbox
from tests.players.honest import anybody
from tests.players.log import Log
from tests.players.others.mind import BOXES, any_mind, paced, regular
from tests.players.person import acts, perform
from tests.players.stage import Scene, player, sender
from webapp.game.moves import Kind


@player(honest=False)
def eye_model(scene: Scene) -> Log:
    """A program that fills singles, the easier the sooner, with waits of who looks, and of who ponders."""
    rng = scene.rng
    mind = any_mind(scene, hand=rng.uniform(0.15, 0.3), slips=0.0)
    pace = rng.uniform(0.2, 0.42)
    return scene.log(paced(scene, mind.run(), pace, 0.2), regular(scene, pace), sender(rng))


@player(honest=False)
def at_the_edge(scene: Scene) -> Log:
    """A program set just above what looks possible: singles near each other, waits of a hand, a rare slip."""
    rng = scene.rng
    mind = any_mind(
        scene, hand=rng.uniform(0.15, 0.25), spread=rng.uniform(0.35, 0.6), look="near", slips=0.01
    )
    pace = rng.uniform(0.15, 0.25)
    script = paced(scene, mind.run(stuck=lambda: mind.reason(0.4, show=False)), pace, 0.2)
    return scene.log(script, regular(scene, pace), sender(rng))


@player(honest=False)
def program_with_true_pairs(scene: Scene) -> Log:
    """A program that notes real pairs of boxes, some time before they resolve, and fills singles by digit."""
    rng = scene.rng
    mind = any_mind(scene, look="digit", hand=rng.uniform(0.15, 0.35), slips=rng.uniform(0, 0.02))
    keen, pace = rng.uniform(0.1, 0.3), rng.uniform(0.28, 0.6)

    def each() -> None:
        for _ in range(6 if rng.random() < keen else 0):
            box, digit = rng.choice(BOXES), rng.randint(1, 9)
            places = mind.pairs_of(box, digit)
            if len(places) == 2 and not mind.has(mind.pen, places[0], digit):
                mind.note(mind.thought(0.5), places[:1], digit)
                mind.note(mind.thought(0.1), places[1:], digit)
                return

    return scene.log(paced(scene, mind.run(each=each), pace, 0.2), regular(scene, pace), sender(rng))


@player(honest=False)
def open_source_bot(scene: Scene) -> Log:
    """A programmer's bot that simulates a whole person, slips and marks and all, sped up to win."""
    rng = scene.rng
    who, _pace = anybody(scene)
    who = replace(who, hand=rng.uniform(0.18, 0.3), rests=0.0)
    pace = rng.uniform(0.22, 0.45)
    script = perform(acts(scene.puzzle, who, rng), pace * scene.puzzle.expected_seconds, rng, 0.25)
    return scene.log(script, regular(scene, pace), through_the_outbox)


@player(honest=False, levels=(3, 4, 5))
def feigned_guesses(scene: Scene) -> Log:
    """A program that at hard places puts a wrong digit, takes it back, and then has the right one."""
    rng = scene.rng
    mind = any_mind(scene, hand=rng.uniform(0.2, 0.35), slips=0.005)
    pace = rng.uniform(0.3, 0.7)

    def stuck() -> None:
        cell = min(mind.sight.empty, key=lambda c: (mind.sight.open[c].bit_count(), rng.random()))
        other = [d for d in mind.sight.left(cell) if d != mind.answer[cell]]
        if other and rng.random() < 0.5 and len(mind.sight.empty) > 6:
            mind.act(mind.thought(2.5), Kind.DIGIT, cell, rng.choice(other))
            mind.act(mind.thought(2.0), rng.choice((Kind.UNDO, Kind.UNDO)))
        mind.place(mind.thought(2.5), cell)

    return scene.log(paced(scene, mind.run(stuck=stuck), pace, 0.25), regular(scene, pace), sender(rng))


@player(honest=False)
def thinks_then_bursts(scene: Scene) -> Log:
    """A program that waits as if it scanned the board, then types a run of singles, and waits again."""
    rng = scene.rng
    mind = any_mind(scene, hand=rng.uniform(0.25, 0.45), spread=0.4, slips=0.0)
    pace, left = rng.uniform(0.3, 0.7), 0

    def single(singles: dict[int, tuple[int, float]]) -> None:
        nonlocal left
        units = 0.1
        if left <= 0:
            left, units = rng.randint(5, 12), mind.thought(8.0)
        left -= 1
        mind.place(units, mind.pick(singles))

    def stuck() -> None:
        nonlocal left
        left = 0
        mind.place(mind.thought(6.0), rng.choice(mind.sight.empty))

    return scene.log(paced(scene, mind.run(single, stuck), pace, 0.2), regular(scene, pace), sender(rng))


@player(honest=False)
def paper_at_human_rhythm(scene: Scene) -> Log:
    """Has a program's solution on paper and types it with human waits, looking at it now and then."""
    rng, puzzle = scene.rng, scene.puzzle
    ways: tuple[Callable[[int], tuple[int, int]], ...] = (
        lambda c: (int(puzzle.solution[c]), c),
        lambda c: (BOX_OF[c], int(puzzle.solution[c])),
        lambda c: (BOX_OF[c], c),
    )
    mind = any_mind(scene, hand=rng.uniform(0.3, 0.6), spread=rng.uniform(0.6, 0.9), slips=0.0)
    cells = sorted(puzzle.empty, key=rng.choice(ways))
    if rng.random() < 0.5:  # not quite in order
        cells = [
            cell for _at, cell in sorted((at + rng.uniform(0, 4), cell) for at, cell in enumerate(cells))
        ]
    for at, cell in enumerate(cells):
        if rng.random() < 0.03 and at < len(cells) - 3:
            mind.act(mind.thought(1.0), Kind.DIGIT, cell, mind.answer[cell] % 9 + 1)
        mind.place(mind.thought(6.0 if at == 0 or rng.random() < 0.08 else 1.0), cell)
    pace = rng.uniform(0.4, 0.9)
    return scene.log(paced(scene, mind.acts, pace), regular(scene, pace))
