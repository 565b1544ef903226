"""People who play themselves, with their ways of noting, trying, erring and being called away."""

from __future__ import annotations

import random

from engine.geometry import PEERS
from tests.logs import through_the_outbox
from tests.players.honest import own_pace, settled
from tests.players.log import Log
from tests.players.others.mind import BOXES, Mind, any_mind, paced, played
from tests.players.stage import Scene, player
from webapp.game.moves import Kind


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.7, 1.9))
def candidates_then_strike(scene: Scene) -> Log:
    """Writes candidates box by box, forgets a few, then strikes cell by cell and takes what stands alone."""
    rng = scene.rng
    mind = any_mind(scene, pen=Kind.CENTRE, hand=rng.uniform(0.3, 0.6), look="near")
    boxwise = [cell for box in BOXES for cell in box if not mind.sight.digits[cell]]
    while rng.random() < 0.8 and (easy := mind.sight.singles()):  # a look before all that writing
        mind.fill(easy)
    mind.write_all([c for c in boxwise if not mind.sight.digits[c]], 0.012, rng.uniform(0.16, 0.3))

    def stuck() -> None:
        before = {cell: mind.sight.open[cell] for cell in mind.sight.empty}
        if rng.random() < 0.25:  # clears a cell and writes what is left
            mind.reason(show=False)
            for cell, mask in before.items():
                if mind.sight.open[cell] and mind.sight.open[cell] != mask and not mind.sight.digits[cell]:
                    mind.act(mind.thought(0.4), mind.pen, cell, "")
                    for digit in mind.sight.left(cell):
                        mind.note(0.05, [cell], digit, hand=0.25)
        else:
            mind.reason(apart=True)

    return played(scene, mind.run(lambda singles: mind.fill(singles, 6.0), stuck))


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.45, 1.4))
def snyder_player(scene: Scene) -> Log:
    """Goes through the digits once, notes two places in a box at the corners, and resolves a pair at once."""
    rng = scene.rng
    mind = any_mind(scene, pen=Kind.CORNER, look="digit", hand=rng.uniform(0.25, 0.6))
    for digit in range(1, 10):
        for box in rng.sample(BOXES, 9) if rng.random() < 0.3 else BOXES:
            places = mind.pairs_of(box, digit)
            if len(places) == 1:
                mind.place(mind.thought(0.8), places[0])
            elif len(places) == 2 and rng.random() < 0.9:
                if rng.random() < 0.5:
                    mind.note(mind.thought(0.6), places, digit)
                else:
                    for at, cell in enumerate(places):
                        mind.note(mind.thought(0.6 if at == 0 else 0.1), [cell], digit)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        paired = {c: s for c, s in singles.items() if mind.has(Kind.CORNER, c, s[0])}
        mind.fill(paired if paired and rng.random() < 0.75 else singles)

    def stuck() -> None:
        for box in BOXES:
            for digit in range(1, 10):
                places = mind.pairs_of(box, digit)
                if len(places) == 2 and rng.random() < 0.6:
                    mind.note(mind.thought(0.7), places, digit)
        if scene.puzzle.level >= 3:
            for cell in mind.sight.empty:
                if mind.sight.open[cell].bit_count() == 2 and rng.random() < 0.3:
                    for digit in mind.sight.left(cell):
                        mind.note(mind.thought(0.25), [cell], digit, Kind.CENTRE)
        mind.reason()

    return played(scene, mind.run(single, stuck))


@player(honest=True, levels=(3, 4, 5), paces=(0.55, 1.6))
def only_two_candidates(scene: Scene) -> Log:
    """Keeps every cell with two candidates noted at all times, and nothing else."""
    rng = scene.rng
    mind = any_mind(scene, pen=Kind.CENTRE)
    keen = rng.uniform(0.15, 0.5)

    def each() -> None:
        if mind.last is None:
            return
        for cell in PEERS[mind.last]:
            if mind.sight.open[cell].bit_count() == 2 and rng.random() < keen:
                for digit in mind.sight.left(cell):
                    mind.note(mind.thought(0.35), [cell], digit, hand=0.3)

    def stuck() -> None:
        for cell in mind.sight.empty:
            if mind.sight.open[cell].bit_count() == 2 and rng.random() < 0.8:
                for digit in mind.sight.left(cell):
                    mind.note(mind.thought(0.3), [cell], digit, hand=0.3)
        mind.reason()

    return played(scene, mind.run(each=each, stuck=stuck))


@player(honest=True, paces=(0.5, 1.6))
def two_then_one(scene: Scene) -> Log:
    """Notes the two digits a cell seems to allow, and a moment later sees which it is."""
    rng = scene.rng
    mind = any_mind(scene)
    often = rng.uniform(0.15, 0.45)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        cell = mind.pick(singles)
        units = mind.effort(singles, cell)
        other = [d for d in mind.sight.left(cell) if d != mind.answer[cell]]
        if rng.random() < mind.slips and len(mind.sight.empty) > 6:
            mind.slip(units, cell)
            return
        if other and not mind.has(mind.pen, cell, mind.answer[cell]) and rng.random() < often:
            for digit in sorted((rng.choice(other), mind.answer[cell])):
                mind.note(0.6 * units, [cell], digit)
                units = mind.thought(0.3)
            if len(singles) > 1 and rng.random() < 0.35:
                return  # something else first
            units = mind.thought(rng.choice((0.4, 1.0, 2.0)))
        mind.place(units, cell)

    return played(scene, mind.run(single))


@player(honest=True, levels=(3, 4, 5), paces=(0.5, 1.5))
def chains_in_the_head(scene: Scene) -> Log:
    """Follows one of two candidates in the mind until it breaks, and types the other; notes little."""
    rng = scene.rng
    mind = any_mind(scene)
    notes = rng.uniform(0, 0.6)

    def stuck() -> None:
        found = mind.proof(rng.randint(6, 16))
        if found is None:
            mind.reason(show=False)
            return
        cell, steps = found
        if rng.random() < notes:
            near = [c for c in PEERS[cell] if mind.sight.open[c].bit_count() == 2]
            for each in [cell, *near[: rng.randint(0, 3)]]:
                for digit in mind.sight.left(each):
                    mind.note(mind.thought(0.4), [each], digit)
        mind.place(mind.thought(4.0 + 1.2 * steps), cell)

    return played(scene, mind.run(stuck=stuck))


@player(honest=True, paces=(0.45, 1.4))
def burst_typist(scene: Scene) -> Log:
    """Finds a handful of digits in the mind, then types them in one go."""
    rng = scene.rng
    mind = any_mind(scene, hand=rng.uniform(0.25, 0.55))
    most = rng.randint(4, 9)

    def single(_singles: dict[int, tuple[int, float]]) -> None:
        head, units, last = mind.sight.copy(), 0.0, mind.last
        cells: list[int] = []
        real = mind.sight
        for _ in range(rng.randint(1, most)):
            mind.sight = head
            singles = head.singles()
            if not singles:
                break
            cell = mind.pick(singles)
            units += mind.effort(singles, cell)
            head.place(cell, mind.answer[cell])
            mind.last = cell
            cells.append(cell)
        mind.sight, mind.last = real, last
        if rng.random() < 0.3:
            cells.sort()
        for cell in cells:
            if len(cells) > 3 and rng.random() < 0.04:
                continue  # forgotten, to be found again
            if rng.random() < mind.slips and len(mind.sight.empty) > 6:
                mind.slip(units, cell)
            else:
                mind.place(units, cell)
            units = mind.thought(0.05)

    return played(scene, mind.run(single))


@player(honest=True, paces=(0.55, 1.8))
def wrong_mode(scene: Scene) -> Log:
    """Forgets to leave the mode for marks: puts a digit as a mark, then as a digit; or the reverse."""
    rng = scene.rng
    mind = any_mind(scene)
    chance, pairs = rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.25)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        cell = mind.pick(singles)
        units = mind.effort(singles, cell)
        if rng.random() < mind.slips and len(mind.sight.empty) > 6:
            mind.slip(units, cell)
            return
        if rng.random() < chance and not mind.has(mind.pen, cell, mind.answer[cell]):
            mind.note(units, [cell], mind.answer[cell])
            units = mind.thought(0.25)
            if rng.random() < 0.3:
                mind.unnote(units, [cell], mind.answer[cell])
            elif rng.random() < 0.2:
                mind.act(units, Kind.UNDO)
        mind.place(units, cell)

    def each() -> None:
        if rng.random() >= pairs:
            return
        for box in rng.sample(BOXES, 5):
            for digit in rng.sample(range(1, 10), 9):
                places = mind.pairs_of(box, digit)
                if len(places) == 2 and not mind.has(mind.pen, places[0], digit):
                    if rng.random() < chance and len(mind.sight.empty) > 4:
                        mind.act(mind.thought(0.8), Kind.DIGIT, places[0], digit)
                        mind.act(mind.thought(0.4), Kind.UNDO)
                    mind.note(mind.thought(0.6), places[:1], digit)
                    mind.note(mind.thought(0.1), places[1:], digit)
                    return

    return played(scene, mind.run(single, each=each))


@player(honest=True, levels=(3, 4, 5), paces=(0.5, 1.6))
def colored_trial(scene: Scene) -> Log:
    """Colors a cell with two candidates, tries one, goes on until it breaks, and erases all at once."""
    rng = scene.rng
    mind = any_mind(scene)
    colors, at_once = rng.random() < 0.7, rng.random() < 0.6

    def stuck() -> None:
        mind.mend(all_of_them=True)
        two = [c for c in mind.sight.empty if mind.sight.open[c].bit_count() == 2]
        if not two or len(mind.sight.empty) < 8:
            mind.reason()
            return
        cell = rng.choice(two)
        if colors:
            mind.act(mind.thought(1.0), Kind.COLOUR, cell, 3)
        digit = rng.choice(mind.sight.left(cell))
        if digit == mind.answer[cell]:
            mind.place(mind.thought(2.0), cell)
            return
        tried, cells = mind.sight.copy(), [cell]
        mind.act(mind.thought(2.0), Kind.DIGIT, cell, digit)
        tried.place(cell, digit)
        while not tried.broken and len(tried.empty) > 4 and len(cells) < 22 and (singles := tried.singles()):
            near = [c for c in singles if c in PEERS[cells[-1]]] or list(singles)
            each = rng.choice(near)
            mind.act(mind.thought(0.9), Kind.DIGIT, each, singles[each][0])
            tried.place(each, singles[each][0])
            cells.append(each)
        units = mind.thought(2.5)
        if at_once:
            mind.act(units, Kind.ERASE, ",".join(map(str, cells)), hand=0.4 * len(cells))
        else:
            for each in reversed(cells):
                mind.act(units, Kind.ERASE, each)
                units = mind.thought(0.1)
        if colors:
            mind.act(mind.thought(0.2), Kind.COLOUR, cell, "")
        mind.sight.strike(cell, digit)

    return played(scene, mind.run(stuck=stuck))


@player(honest=True, paces=(0.6, 1.7))
def tunnel_commuter(scene: Scene) -> Log:
    """Plays on a phone in a train that goes through one tunnel after the other."""
    rng = scene.rng
    mind = any_mind(scene, hand=rng.uniform(0.55, 1.0))
    pace = own_pace(scene)
    script = paced(scene, mind.run(), pace)
    tunnels, at = [], rng.uniform(5, 90)
    while at < script.times()[-1]:
        out = at + rng.uniform(15, 110)
        tunnels.append((at, out))
        at = out + rng.uniform(10, 120)

    def send(times: list[float], chance: random.Random) -> list[float]:
        received: list[float] = []
        late, waiting = 0.0, 0
        for sent in through_the_outbox(times, chance):
            for begins, ends in tunnels:
                if begins <= sent < ends:
                    waiting = waiting + 1 if late == ends else 1
                    late = ends
                    sent = ends + 0.3 + 0.12 * (waiting // 50)
            received.append(max(sent, received[-1] if received else 0.0))
        return received

    return scene.log(script, settled(scene, pace), send)


@player(honest=True, paces=(0.55, 1.5))
def tea_and_messages(scene: Scene) -> Log:
    """Answers messages between digits, and leaves for the kettle once or twice; the clock goes on."""
    rng = scene.rng
    mind = any_mind(scene)
    messages, kettle = rng.uniform(0, 0.06), {rng.randint(3, 35) for _ in range(rng.randint(1, 2))}

    def each() -> None:
        if rng.random() < messages:
            mind.away += rng.uniform(8, 60)
        if len(mind.sight.empty) in kettle:
            kettle.discard(len(mind.sight.empty))
            mind.away += rng.uniform(90, 500)

    return played(scene, mind.run(each=each))


@player(honest=True, levels=(1, 2, 3, 4), paces=(0.24, 0.45))
def contest_winner(scene: Scene) -> Log:
    """Has stood in finals: sees the next digit while typing this one, notes next to nothing."""
    rng = scene.rng
    mind = Mind(
        scene,
        rng.choice(("digit", "near", "box")),
        rng.uniform(0.4, 0.65),
        rng.uniform(0.16, 0.28),
        Kind.CORNER,
        rng.uniform(0, 0.015),
    )

    def stuck() -> None:
        found = mind.proof(8) if rng.random() < 0.3 else None
        if found:
            mind.place(mind.thought(2.0 + 0.6 * found[1]), found[0])
            return
        step = mind.stage()
        for cell in (step.cells if step else ())[:3]:
            if 1 < mind.sight.open[cell].bit_count() < 3:
                for digit in mind.sight.left(cell):
                    mind.note(mind.thought(0.15), [cell], digit, hand=0.15)
        mind.reason(0.6)

    pace = own_pace(scene)
    return scene.log(paced(scene, mind.run(stuck=stuck), pace, 0.3), scene.established(pace, (40, 250)))


@player(honest=True, levels=(1, 2, 3), paces=(1.5, 4.0))
def first_week(scene: Scene) -> Log:
    """Has played for a few days: row by row, puts a digit in and looks whether it turns red."""
    rng = scene.rng
    mind = any_mind(
        scene,
        look=rng.choice(("row", "box")),
        hand=rng.uniform(0.7, 1.4),
        spread=rng.uniform(0.8, 1.1),
        slips=rng.uniform(0.04, 0.12),
    )
    tries = rng.uniform(0.03, 0.12)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        cell = mind.pick(singles)
        if rng.random() < tries and len(mind.sight.empty) > 5:
            for digit in range(1, 10):
                if digit == mind.answer[cell]:
                    break
                if rng.random() < 0.25:
                    mind.act(mind.thought(0.7), Kind.DIGIT, cell, digit)
            mind.place(mind.thought(1.0), cell)
            return
        mind.fill({cell: singles[cell]} if rng.random() < 0.5 else singles)

    pace = own_pace(scene)
    done = mind.run(single)
    account = scene.established(pace, (1, 7)) if scene.past or rng.random() < 0.6 else scene.fresh()
    return scene.log(paced(scene, done, pace), account)


@player(honest=True, paces=(0.7, 1.9))
def double_checker(scene: Scene) -> Log:
    """Types digits again to see whether they stay: a box when it is full, and some before the last two."""
    rng = scene.rng
    mind = any_mind(scene)
    checked: set[int] = set()
    keen = rng.uniform(0.3, 0.9)

    def each() -> None:
        for index, house in enumerate(BOXES):
            if index not in checked and all(mind.sight.digits[c] for c in house):
                checked.add(index)
                if rng.random() < keen:
                    mine = [c for c in house if c in set(scene.puzzle.empty)]
                    for cell in mine:
                        if cell not in mind.wrong and rng.random() < 0.8:
                            mind.act(mind.thought(0.3), Kind.DIGIT, cell, mind.answer[cell])
        if len(mind.sight.empty) == 2 and 99 not in checked:
            checked.add(99)
            for cell in rng.sample(scene.puzzle.empty, rng.randint(2, 8)):
                if mind.sight.digits[cell] and cell not in mind.wrong:
                    mind.act(mind.thought(0.3), Kind.DIGIT, cell, mind.answer[cell])

    return played(scene, mind.run(each=each))


@player(honest=True, paces=(0.6, 1.8))
def color_keeper(scene: Scene) -> Log:
    """Colors where a digit still may go, colors full boxes when done with them, and clears it all again."""
    rng = scene.rng
    mind = any_mind(scene)
    keen, done = rng.uniform(0.03, 0.15), set()

    def each() -> None:
        for index, box in enumerate(BOXES):
            if index not in done and all(mind.sight.digits[c] for c in box):
                done.add(index)
                mind.act(mind.thought(0.3), Kind.COLOUR, ",".join(map(str, box)), 4)
        if rng.random() < keen and len(mind.sight.empty) > 6:
            digit = rng.randint(1, 9)
            cells = [c for c in mind.sight.empty if mind.sight.open[c] >> digit - 1 & 1]
            if cells:
                for part in (cells[: len(cells) // 2], cells[len(cells) // 2 :]):
                    if part:
                        mind.act(mind.thought(0.7), Kind.COLOUR, ",".join(map(str, part)), 1)
                for cell in cells:
                    if mind.sight.singles().get(cell, (0, 0))[0] == digit:
                        mind.place(mind.thought(0.5), cell)
                mind.act(mind.thought(0.4), Kind.COLOUR, ",".join(map(str, cells)), "")

    return played(scene, mind.run(each=each))


@player(honest=True, paces=(0.45, 1.5))
def digit_first(scene: Scene) -> Log:
    """Takes a digit, chooses all cells where it must go, and presses once for all of them."""
    rng = scene.rng
    mind = any_mind(scene, look="digit")
    together = rng.uniform(0.15, 0.8)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        first = mind.pick(singles)
        digit, head, units = mind.answer[first], mind.sight.copy(), 0.0
        cells: list[int] = []
        cell: int | None = first
        while cell is not None and len(cells) < 5:
            cells.append(cell)
            units += mind.effort(singles, first)
            head.place(cell, digit)
            cell = next(
                (c for c, (d, _e) in head.singles().items() if d == digit and rng.random() < together), None
            )
        if len(cells) == 1 and len(mind.sight.empty) > 8 and rng.random() < 2 * mind.slips:
            mind.slip(units, first)
            return
        mind.act(units, Kind.DIGIT, ",".join(map(str, cells)), digit, mind.hand * (0.6 + 0.5 * len(cells)))
        for each in cells:
            mind.know(each)

    return played(scene, mind.run(single))


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.8, 1.9))
def starts_over(scene: Scene) -> Log:
    """Sees far in that something went wrong, erases everything, and fills quickly in what they remember."""
    rng = scene.rng
    mind = any_mind(scene, slips=0.0)
    total = len(scene.puzzle.empty)
    error_at = total - rng.randint(6, total // 2)
    seen_at = error_at - rng.randint(4, 12)
    bad: list[int] = []

    def each() -> None:
        nonlocal seen_at
        left = len(mind.sight.empty)
        if not bad and left <= error_at:
            cell = rng.choice(mind.sight.empty)
            other = [d for d in mind.sight.left(cell) if d != mind.answer[cell]]
            if other:
                bad.append(cell)
                mind.act(mind.thought(2.0), Kind.DIGIT, cell, rng.choice(other))
                mind.know(cell)
        elif bad and seen_at and left <= seen_at:
            seen_at = 0
            mine = [c for c in scene.puzzle.empty if mind.board.digits[c]]
            known = [c for c in mine if mind.board.digits[c] == mind.answer[c]]
            if rng.random() < 0.7:
                mind.act(mind.thought(8.0), Kind.ERASE, ",".join(map(str, mine)), hand=2.0)
            else:
                for at, cell in enumerate(mine):
                    mind.act(mind.thought(8.0) if at == 0 else 0.1, Kind.ERASE, cell)
            mind.forget()
            memory = set(known[: int(len(known) * rng.uniform(0.4, 1.0))] if rng.random() < 0.5 else known)
            while memory and (singles := {c: s for c, s in mind.sight.singles().items() if c in memory}):
                cell = mind.pick(singles)
                memory.discard(cell)
                mind.place(mind.thought(0.4), cell)

    return played(scene, mind.run(each=each))


@player(honest=True, paces=(0.5, 1.5))
def end_by_rows(scene: Scene) -> Log:
    """Once all is clear, works out what is left in the mind and fills it in from top to bottom."""
    rng = scene.rng
    mind = any_mind(scene)
    rest = rng.randint(8, 20)

    def single(singles: dict[int, tuple[int, float]]) -> None:
        left = mind.sight.empty
        if len(left) <= rest and not mind.wrong:
            head = mind.sight.copy()
            while head.empty and (found := head.singles()):
                for cell, (digit, _ease) in found.items():
                    head.place(cell, digit)
            if not head.empty:
                for at, cell in enumerate(left):
                    mind.place(mind.thought(2.5 if at == 0 else 0.5), cell)
                return
        mind.fill(singles)

    return played(scene, mind.run(single))
