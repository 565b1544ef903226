"""Six more kinds, written by someone who had read how logs are judged, before the rule of the podium.

They do what the judging is least sure of: honest people with odd rhythms, and cheats who leave no trace.
"""

from __future__ import annotations

from dataclasses import replace

from tests.logs import Script
from tests.players.copies import original, placings
from tests.players.helped import HARD, instead
from tests.players.honest import SPREAD, anybody, hand_of, own_pace, pace_of, played, settled
from tests.players.log import Account, Log, Past, Standing
from tests.players.person import STUCK, Person, acts, perform, quick
from tests.players.programs import scaled
from tests.players.sight import Sight
from tests.players.stage import Scene, player, sender
from webapp.game.moves import Kind


@player(honest=True, paces=(0.6, 1.7))
def mouse_by_digit(scene: Scene) -> Log:
    """Picks a digit with the mouse, clicks all of its places, and looks long before picking the next."""
    rng = scene.rng
    marks = "pairs" if scene.puzzle.level >= 3 else "none"
    who = Person("digit", marks, spread=rng.uniform(0.5, 0.8), hand=rng.uniform(0.6, 1.1), slips=0.01)
    planned, held = [], ""
    for act in acts(scene.puzzle, who, rng):
        same = act.kind is Kind.DIGIT and act.digit == held
        planned.append(act._replace(thought=act.thought * (0.15 if same else 2.5)))
        held = act.digit if act.kind is Kind.DIGIT else held
    pace = own_pace(scene)
    seconds = pace * scene.puzzle.expected_seconds * rng.lognormvariate(0, SPREAD)
    return scene.log(perform(planned, seconds, rng), settled(scene, pace))


@player(honest=True)
def comes_back(scene: Scene) -> Log:
    """Gets up where it is hardest, thinks it over elsewhere, and is back with the next digits in mind."""
    rng = scene.rng
    who, pace = anybody(scene)
    planned = acts(scene.puzzle, replace(who, rests=0.0), rng)
    early = range(len(planned) // 8, 7 * len(planned) // 8)
    hardest = max(early, key=lambda at: planned[at].thought)
    away = rng.uniform(300, 2400)
    act = planned[hardest]
    planned[hardest] = act._replace(thought=0.3, handling=act.handling + away, away=act.away + away)
    for at in range(hardest + 1, min(len(planned), hardest + rng.randint(6, 14))):
        planned[at] = planned[at]._replace(thought=0.15 * planned[at].thought)
    seconds = pace * scene.puzzle.expected_seconds * rng.lognormvariate(0, SPREAD)
    return scene.log(perform(planned, seconds, rng), settled(scene, pace))


@player(honest=True, levels=(2, 3, 4), paces=(0.7, 1.8))
def head_solver(scene: Scene) -> Log:
    """Marks nothing, keeps pairs in mind, and thinks long where it gets hard."""
    rng = scene.rng
    look = rng.choice(("near", "box", "row"))
    who = Person(look, spread=rng.uniform(0.6, 0.9), hand=hand_of(rng), slips=rng.uniform(0, 0.03))
    return played(scene, who)


@player(honest=False, levels=HARD)
def two_lookups(scene: Scene) -> Log:
    """Takes the digits of the two hardest steps from a program, and waits as they do at easier ones."""
    rng = scene.rng
    who, pace = anybody(scene)
    who = replace(who, marks=rng.choice(("pairs", "bivalue", "full")), answers=2, poses=True)
    return scene.log(instead(scene, who, "hardest", pace), scene.established(0.9 * pace))


@player(honest=False)
def slowed_copy(scene: Scene) -> Log:
    """Copies a log, with open singles shuffled, marks before hard digits, and waits of its own."""
    rng, puzzle = scene.rng, scene.puzzle
    copied = original(scene)
    left, sight = placings(copied)[0], Sight(puzzle.givens)
    done: list[tuple[float, Kind, int, int]] = []  # units of thought before each
    while left:
        singles = sight.singles()
        cell = rng.choice([cell for cell in left[:10] if cell in singles] or left[:1])
        if cell in singles:
            ease = sum(one for _digit, one in singles.values())
            units = (0.5 + 4.0 / (0.7 + ease)) / (0.6 + singles[cell][1])
        else:
            units = STUCK[4]
            done += [(0.5, Kind.CORNER, cell, digit) for digit in sight.left(cell)]
        digit = int(puzzle.solution[cell])
        done.append((units, Kind.DIGIT, cell, digit))
        sight.place(cell, digit)
        left.remove(cell)
    pace, spread = rng.uniform(0.45, 0.9), rng.uniform(0.5, 0.9)
    waits = scaled(
        [units * rng.lognormvariate(0, spread) for units, *_ in done], pace * puzzle.expected_seconds
    )
    script = Script()
    for wait, (_units, kind, cell, digit) in zip(waits, done, strict=True):
        script.wait(wait)
        script.do(kind, cell, digit)
    return scene.log(script, scene.anyone(pace), sender(rng), (copied,))


@player(honest=False)
def patient_second(scene: Scene) -> Log:
    """Gets faster for weeks at easy dailies with a second account, then takes a record knowing the way."""
    rng = scene.rng
    who, _pace = anybody(scene)
    days, usual = rng.randint(20, 45), pace_of(rng, 0.9, 1.4)
    past = tuple(
        Past(
            day,
            rng.choice((1, 2)),
            round((0.6 + (usual - 0.6) * day / days) * rng.lognormvariate(0, 0.12), 3),
        )
        for day in range(days, 0, -1)
        if rng.random() < 0.85 or day == 1
    )
    account = Account(
        f"player-{rng.getrandbits(32):08x}", scene.device(), Standing.ESTABLISHED, scene.past or past
    )
    seconds = rng.uniform(0.28, 0.42) * scene.puzzle.expected_seconds
    return scene.log(perform(acts(scene.puzzle, quick(who), rng), seconds, rng, 0.2), account)
