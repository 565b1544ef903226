"""People who play some of it themselves, and have a program for the rest."""

from __future__ import annotations

from engine.geometry import BOX_OF, PEERS
from tests.logs import Script, through_the_outbox
from tests.players.honest import pace_of
from tests.players.log import Log
from tests.players.others.mind import BOXES, Mind, any_mind, paced, regular
from tests.players.person import perform
from tests.players.puzzles import path
from tests.players.stage import Scene, player
from webapp.game.moves import Kind


@player(honest=False, levels=(2, 3, 4, 5))
def easy_ones_by_script(scene: Scene) -> Log:
    """A script in the browser fills what only has one place left, at once; the person finds the rest."""
    rng = scene.rng
    mind = any_mind(scene)
    alone = Mind(scene, mind.look, mind.spread, mind.hand, mind.pen).run()
    least = rng.choice((0.5, 1.0, 2.0, 2.0))  # how easy it must be for the script

    def single(singles: dict[int, tuple[int, float]]) -> None:
        easy = [c for c, (_d, ease) in singles.items() if ease >= least]
        if easy:
            mind.place(0.0, rng.choice(easy) if rng.random() < 0.3 else easy[0], hand=rng.uniform(0.15, 0.5))
        else:
            mind.fill(singles)

    pace = rng.uniform(0.5, 1.1)
    script = perform(mind.run(single), pace * scene.puzzle.expected_seconds, rng, model=alone)
    within = (
        rng.uniform(0.2, 0.35),
        rng.uniform(0.6, 0.9),
    )  # what they let it come to, by the script's own waits
    wanted = min(max(script.at / scene.puzzle.expected_seconds, within[0]), within[1])
    factor = wanted * scene.puzzle.expected_seconds / script.at
    script = Script(
        script.at * factor, [(at * factor, kind, cell, digit) for at, kind, cell, digit in script.done]
    )
    return scene.log(script, regular(scene, script.at / scene.puzzle.expected_seconds), through_the_outbox)


@player(honest=False, levels=(2, 3, 4, 5))
def where_to_look(scene: Scene) -> Log:
    """A solver app shows where the next step is, but not what: searches are short, marks their own."""
    rng = scene.rng
    mind = any_mind(scene, pen=Kind.CENTRE, slips=rng.uniform(0, 0.02))

    def single(singles: dict[int, tuple[int, float]]) -> None:
        mind.place(mind.thought(0.9), mind.pick(singles))

    def stuck() -> None:
        step = mind.stage()
        for cell in step.cells[:6] if step else ():
            if 1 < mind.sight.open[cell].bit_count() < 4:
                for digit in mind.sight.left(cell):
                    mind.note(mind.thought(0.3), [cell], digit)
        for cell, digit in step.eliminations[:4] if step else ():
            mind.note(mind.thought(0.2), [cell], digit)
        mind.reason(0.25)

    pace = rng.uniform(0.4, 0.8)
    return scene.log(paced(scene, mind.run(single, stuck), pace), regular(scene, pace))


@player(honest=False)
def five_from_the_app(scene: Scene) -> Log:
    """Looks three to seven digits up on the phone where the search gets long, and plays the rest alone."""
    rng = scene.rng
    mind = any_mind(scene)
    left = rng.randint(3, 7)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        nonlocal left
        if left and sum(e for _d, e in singles.values()) < 1.0 and rng.random() < 0.7:
            look_up()
        else:
            mind.fill(singles)

    def look_up() -> None:
        nonlocal left
        left -= 1
        near = [c for c in mind.sight.empty if mind.last is not None and c in PEERS[mind.last]]
        mind.away += rng.uniform(3, 8)
        mind.place(mind.thought(0.5), rng.choice(near or mind.sight.empty))

    def stuck() -> None:
        if left:
            look_up()
        else:
            mind.reason()

    pace = rng.uniform(0.5, 0.85)
    return scene.log(paced(scene, mind.run(single, stuck), pace), regular(scene, pace))


@player(honest=False)
def impatient_with_photo(scene: Scene) -> Log:
    """Has a solver's photo of the puzzle; takes what is easy to see, copies a few cells when impatient."""
    rng = scene.rng
    mind = any_mind(scene, look="box")
    patience = rng.uniform(0.8, 2.5)

    def copy_some() -> None:
        units = mind.thought(1.2)
        box = rng.choice([b for b in BOXES if any(not mind.sight.digits[c] for c in b)])
        cells = [c for c in box if not mind.sight.digits[c]]
        for cell in cells[: rng.randint(1, 4)]:
            mind.place(units, cell)
            units = mind.thought(0.3)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        if sum(e for _d, e in singles.values()) < patience and rng.random() < 0.6:
            copy_some()
        else:
            mind.fill(singles)

    pace = rng.uniform(0.4, 0.8)
    return scene.log(paced(scene, mind.run(single, copy_some), pace), regular(scene, pace))


@player(honest=False)
def every_digit_checked(scene: Scene) -> Log:
    """A program says yes or no before a digit is typed: never errs, and guesses safely where it gets hard."""
    rng = scene.rng
    mind = any_mind(scene, slips=0.0)

    def stuck() -> None:
        fewest = min(mind.sight.open[c].bit_count() for c in mind.sight.empty)
        cell = rng.choice([c for c in mind.sight.empty if mind.sight.open[c].bit_count() == fewest])
        if rng.random() < 0.4:
            for digit in mind.sight.left(cell):
                mind.note(mind.thought(0.4), [cell], digit)
        mind.place(mind.thought(1.5 * fewest), cell)

    pace = rng.uniform(0.4, 0.8)
    return scene.log(paced(scene, mind.run(stuck=stuck), pace), regular(scene, pace))


@player(honest=False, levels=(3, 4, 5))
def candidates_from_solver(scene: Scene) -> Log:
    """Notes the candidates a solver leaves after all its strikes, and works off what that makes easy."""
    rng = scene.rng
    mind = any_mind(scene, pen=Kind.CENTRE, hand=rng.uniform(0.25, 0.45), slips=rng.uniform(0, 0.02))
    for step in path(scene.puzzle):
        for cell, digit in step.eliminations:
            mind.sight.strike(cell, digit)
    for cell in mind.sight.empty:
        left = mind.sight.left(cell)
        if 1 < len(left) < 4 and rng.random() < 0.5:
            for at, digit in enumerate(left):
                mind.note(mind.thought(0.4 if at == 0 else 0.1), [cell], digit, hand=0.2)
    pace = rng.uniform(0.4, 0.8)
    return scene.log(paced(scene, mind.run(), pace), regular(scene, pace))


@player(honest=False)
def fake_doubts(scene: Scene) -> Log:
    """Copies a solver's picture, and before many a digit notes it beside another one, as if in doubt."""
    rng = scene.rng
    mind = any_mind(scene, hand=rng.uniform(0.25, 0.5), slips=0.0)
    cells, often = scene.puzzle.empty, rng.uniform(0.15, 0.4)
    cells.sort(key=lambda c: (BOX_OF[c], rng.random()))
    doubts: list[int] = []
    for at, cell in enumerate(cells):
        for ahead in cells[at : at + 6]:
            other = [d for d in mind.sight.left(ahead) if d != mind.answer[ahead]]
            if other and ahead not in doubts and rng.random() < often / 4:
                doubts.append(ahead)
                for digit in sorted((mind.answer[ahead], rng.choice(other))):
                    mind.note(mind.thought(0.5), [ahead], digit)
        mind.place(mind.thought(1.0), cell)
    pace = rng.uniform(0.4, 0.8)
    return scene.log(paced(scene, mind.acts, pace), regular(scene, pace))


@player(honest=False)
def finish_by_program(scene: Scene) -> Log:
    """Plays honestly to about the middle; then a program goes on, in their rhythm without their searches."""
    rng = scene.rng
    mind = any_mind(scene)
    until = int(len(scene.puzzle.empty) * rng.uniform(0.35, 0.65))

    def single(singles: dict[int, tuple[int, float]]) -> None:
        if len(mind.sight.empty) > until:
            mind.fill(singles)
        else:
            mind.place(mind.thought(0.7), mind.pick(singles))

    def stuck() -> None:
        if len(mind.sight.empty) > until:
            mind.reason()
        else:
            mind.place(mind.thought(1.0), rng.choice(mind.sight.empty))

    pace = rng.uniform(0.45, 0.8)
    return scene.log(paced(scene, mind.run(single, stuck), pace), regular(scene, pace))


@player(honest=False)
def slow_history_one_win(scene: Scene) -> Log:
    """Ordinary for months; today a program's digits in the order of singles, in half their usual time."""
    rng = scene.rng
    usual = pace_of(rng, 0.8, 1.6)
    if scene.past:
        usual = sorted(past.pace for past in scene.past)[len(scene.past) // 2]
    mind = any_mind(scene, slips=rng.uniform(0, 0.02))
    pace = usual * rng.uniform(0.45, 0.6)
    done = mind.run(stuck=lambda: mind.place(mind.thought(2.0), rng.choice(mind.sight.empty)))
    return scene.log(paced(scene, done, pace), scene.established(usual))
