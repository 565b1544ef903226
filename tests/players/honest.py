"""People who solve the puzzle themselves, each with habits of their own."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.logs import Script, through_the_outbox
from tests.players.log import Account, Log, Past
from tests.players.person import Person, acts, perform
from tests.players.stage import Scene, player
from webapp.game.moves import Kind

ORDINARY = (0.55, 1.8)  # paces, times the expected time
SPREAD = 0.15  # of one person's times over the same kind of puzzle, in ln seconds, beside their pace


def pace_of(rng: random.Random, low: float, high: float) -> float:
    """A pace, times the expected time: most are in the middle of their range by ratio."""
    return float(low * (high / low) ** rng.betavariate(2, 2))


def hand_of(rng: random.Random) -> float:
    """Seconds to reach and press: three in five with a keyboard or mouse, the others with a thumb."""
    return rng.uniform(0.3, 0.5) if rng.random() < 0.6 else rng.uniform(0.5, 0.9)


def settled(scene: Scene, pace: float) -> Account:
    """Seven in ten honest players have a history; the others are new today."""
    return scene.established(pace) if scene.past or scene.rng.random() < 0.7 else scene.fresh()


def solve(scene: Scene, who: Person, pace: float, shortest: float = 0.35) -> Script:
    """How this person solves this puzzle at that pace."""
    seconds = scene.puzzle.expected_seconds * pace * scene.rng.lognormvariate(0, SPREAD)
    return perform(acts(scene.puzzle, who, scene.rng), seconds, scene.rng, shortest)


def own_pace(scene: Scene) -> float:
    """A pace that the player's skill allows."""
    assert scene.player.paces is not None
    return pace_of(scene.rng, *scene.player.paces)


def played(scene: Scene, who: Person) -> Log:
    """The log of such a person, sent by the site's page."""
    pace = own_pace(scene)
    return scene.log(solve(scene, who, pace), settled(scene, pace))


def anybody(scene: Scene) -> tuple[Person, float]:
    """Somebody ordinary who can solve this puzzle, and their pace."""
    rng, hard = scene.rng, scene.puzzle.level >= 4
    marks = rng.choice(("pairs", "bivalue", "full") if hard else ("none", "none", "pairs", "bivalue"))
    who = Person(
        look=rng.choice(("digit", "box", "row", "near")),
        marks=marks,
        pen=rng.choice((Kind.CORNER, Kind.CENTRE)),
        spread=rng.uniform(0.6, 1.05),
        hand=hand_of(rng),
        slips=rng.uniform(0, 0.04),
        rests=rng.uniform(0, 0.015),
    )
    return who, pace_of(rng, *ORDINARY)


@player(honest=True, paces=(0.5, 1.7))
def scanner_by_digit(scene: Scene) -> Log:
    """Looks for all ones, then all twos, round after round, and notes a pair now and then."""
    rng = scene.rng
    marks = "pairs" if scene.puzzle.level >= 3 else "none"
    who = Person("digit", marks, spread=rng.uniform(0.6, 1.0), hand=hand_of(rng), slips=rng.uniform(0, 0.03))
    return played(scene, who)


@player(honest=True, paces=(0.5, 1.8))
def scanner_by_box(scene: Scene) -> Log:
    """Finishes what a box gives before looking at the next one."""
    rng = scene.rng
    marks = "bivalue" if scene.puzzle.level >= 3 else "none"
    who = Person("box", marks, spread=rng.uniform(0.6, 1.0), hand=hand_of(rng), slips=rng.uniform(0, 0.03))
    return played(scene, who)


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.9, 2.0))
def steady_marker(scene: Scene) -> Log:
    """Writes every candidate first, then solves off the marks and strikes them as they go."""
    rng = scene.rng
    pen = rng.choice((Kind.CORNER, Kind.CENTRE))
    who = Person("near", "full", pen, rng.uniform(0.5, 0.9), rng.uniform(0.25, 0.45), rng.uniform(0, 0.02))
    return played(scene, who)


@player(honest=True, levels=(3, 4, 5), paces=(0.6, 1.6))
def bivalue_marker(scene: Scene) -> Log:
    """Marks only cells with two candidates, once no single is left to see."""
    rng = scene.rng
    who = Person("near", "bivalue", Kind.CENTRE, rng.uniform(0.6, 1.0), hand_of(rng), rng.uniform(0, 0.03))
    return played(scene, who)


@player(honest=True, paces=(0.45, 1.5))
def guesser(scene: Scene) -> Log:
    """Marks nothing, and tries a digit where it gets hard; erases it all when it fails."""
    rng = scene.rng
    who = Person(
        rng.choice(("near", "box")),
        spread=rng.uniform(0.7, 1.1),
        hand=hand_of(rng),
        slips=rng.uniform(0.01, 0.05),
        guesses=rng.uniform(0.6, 1.0),
        back=Kind.ERASE,
    )
    return played(scene, who)


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.3, 0.7))
def path_expert(scene: Scene) -> Log:
    """Knows the techniques, takes the easiest first, and wastes no time."""
    rng = scene.rng
    marks = rng.choice(("full", "bivalue")) if scene.puzzle.level >= 4 else rng.choice(("pairs", "none"))
    who = Person("path", marks, Kind.CENTRE, rng.uniform(0.5, 0.8), rng.uniform(0.22, 0.4), 0.004)
    return played(scene, who)


@player(honest=True, levels=(1, 2, 3), paces=(1.5, 3.5))
def slow_beginner(scene: Scene) -> Log:
    """Takes long, errs often, and finds many errors only later."""
    rng = scene.rng
    who = Person(
        rng.choice(("row", "box", "digit")),
        rng.choice(("none", "pairs", "bivalue")),
        spread=rng.uniform(0.8, 1.2),
        hand=rng.uniform(0.7, 1.3),
        slips=rng.uniform(0.06, 0.16),
        rests=rng.uniform(0, 0.03),
    )
    return played(scene, who)


@player(honest=True, levels=(1, 2), paces=(0.28, 0.5))
def speed_solver(scene: Scene) -> Log:
    """Marks nothing and fills one single after the other, at the pace of a contest."""
    rng = scene.rng
    look = rng.choice(("digit", "near", "box"))
    who = Person(look, spread=rng.uniform(0.45, 0.7), hand=rng.uniform(0.2, 0.35), slips=rng.uniform(0, 0.02))
    return played(scene, who)


@player(honest=True, paces=(0.7, 1.5))
def distracted(scene: Scene) -> Log:
    """Puts the puzzle down for minutes at a time; the clock goes on."""
    who, _pace = anybody(scene)
    who = replace(who, rests=scene.rng.uniform(0.03, 0.08), rest=(60.0, 480.0))
    return played(scene, who)


@player(honest=True, paces=ORDINARY)
def phone_underground(scene: Scene) -> Log:
    """Plays on a phone that loses its connection, so that minutes of moves arrive together."""
    rng = scene.rng
    who, pace = anybody(scene)
    script = solve(scene, replace(who, hand=rng.uniform(0.5, 0.9)), pace)
    end = script.times()[-1]
    cut = rng.uniform(0, 0.6) * end
    back = cut + rng.uniform(0.25, 0.7) * end

    def send(times: list[float], chance: random.Random) -> list[float]:
        return through_the_outbox(times, chance, (cut, back))

    return scene.log(script, settled(scene, pace), send)


def typed(scene: Scene, columns: int) -> Log:
    """Solved on paper, then typed: by rows (9 columns at a time) or by boxes (3)."""
    rng, puzzle = scene.rng, scene.puzzle
    pace, hand = own_pace(scene), rng.uniform(0.4, 1.2)
    cells = sorted(
        puzzle.empty, key=lambda cell: (cell // 27 if columns == 3 else 0, cell % 9 // columns, cell)
    )
    script = Script()
    script.wait(puzzle.expected_seconds * pace * rng.lognormvariate(0, SPREAD))
    for cell in cells:
        script.wait(hand * rng.lognormvariate(0, 0.35))
        if rng.random() < 0.015:
            script.do(Kind.DIGIT, cell, int(puzzle.solution[cell]) % 9 + 1)
            script.wait(2 * hand * rng.lognormvariate(0, 0.35))
        script.do(Kind.DIGIT, cell, puzzle.solution[cell])
    return scene.log(script, settled(scene, pace))


@player(honest=True, paces=(0.6, 1.8))
def from_paper_by_rows(scene: Scene) -> Log:
    """Solves on paper and types the solution row by row."""
    return typed(scene, 9)


@player(honest=True, paces=(0.6, 1.8))
def from_paper_by_boxes(scene: Scene) -> Log:
    """Solves on paper and types the solution box by box."""
    return typed(scene, 3)


@player(honest=True, levels=(3, 4, 5), paces=(0.6, 1.7))
def what_if(scene: Scene) -> Log:
    """Tries a digit where singles end and on a whim, follows it, and undoes it all when it fails."""
    rng = scene.rng
    who = Person(
        "near",
        "bivalue",
        Kind.CENTRE,
        rng.uniform(0.6, 1.0),
        hand_of(rng),
        0.02,
        guesses=rng.uniform(0.7, 1.0),
        whims=rng.uniform(0.12, 0.3),
    )
    return played(scene, who)


@player(honest=True, paces=(0.3, 0.6))
def keyboard_racer(scene: Scene) -> Log:
    """Plays every day by keyboard, quick and even, and notes pairs with a few keys."""
    rng = scene.rng
    marks = "pairs" if scene.puzzle.level >= 2 else "none"
    who = Person(
        rng.choice(("digit", "near")), marks, Kind.CORNER, rng.uniform(0.5, 0.75), rng.uniform(0.15, 0.28)
    )
    pace = own_pace(scene)
    return scene.log(solve(scene, who, pace, 0.3), scene.established(pace, (30, 200)))


@player(honest=True, levels=(4, 5), paces=(0.7, 1.8))
def color_user(scene: Scene) -> Log:
    """Colors cells and candidates to follow chains, and clears the colors afterwards."""
    rng = scene.rng
    marks = rng.choice(("full", "bivalue"))
    who = Person(
        "near", marks, Kind.CENTRE, rng.uniform(0.6, 0.9), hand_of(rng), 0.01, colors=rng.uniform(0.6, 1)
    )
    return played(scene, who)


@player(honest=True, paces=(0.45, 1.5))
def improver(scene: Scene) -> Log:
    """Began slowly and got faster day by day over forty days, as practice makes one."""
    rng = scene.rng
    who, _pace = anybody(scene)
    first, learning = rng.uniform(1.4, 2.6), rng.uniform(0.15, 0.3)
    scene.past = scene.past or tuple(
        Past(
            41 - day,
            rng.choice(scene.player.levels),
            round(first * day**-learning * rng.lognormvariate(0, 0.2), 3),
        )
        for day in range(1, 41)
        if rng.random() < 0.9 or day == 40
    )
    pace = first * 41**-learning
    return scene.log(solve(scene, who, pace), scene.established(pace))


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.5, 1.3))
def auto_candidates(scene: Scene) -> Log:
    """Has the board compute candidates and strikes what falls away; assisted where that counts as help."""
    rng = scene.rng
    who = Person("near", "layer", spread=rng.uniform(0.6, 0.9), hand=hand_of(rng), slips=rng.uniform(0, 0.02))
    return played(scene, who)
